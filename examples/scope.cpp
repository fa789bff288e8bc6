/* SPDX-License-Identifier: MIT
 * The same in C++: a scope that tells what it used when it ends, in several threads.
 *
 *     c++ -std=c++17 scope.cpp $(pkg-config --cflags --libs carbon) && ./a.out */
#include <carbon.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

using Meter = std::unique_ptr<carbon_meter, decltype(&carbon_close)>;

static Meter open_meter(const carbon_options &options)
{
    carbon_error error;
    Meter meter(carbon_open(&options, &error), carbon_close);

    if (!meter)
        throw std::runtime_error(std::string(error.what) + ": " + error.why + " (try: " + error.fix + ")");
    return meter;
}

class Piece {
public:
    Piece(carbon_meter *meter, std::string name) : meter(meter), name(std::move(name)), start(carbon_now(meter)) {}
    ~Piece()
    {
        const carbon_energy used = carbon_since(meter, start);

        std::cout << name + ": " + (std::isnan(used.joules) ? "unknown" : std::to_string(used.joules) + " J") + "\n";
    }
    Piece(const Piece &) = delete;
    Piece &operator=(const Piece &) = delete;

private:
    carbon_meter *meter;
    std::string name;
    carbon_mark start;
};

static void work(carbon_meter *meter, int number)
{
    const Piece piece(meter, "thread " + std::to_string(number));
    volatile double sum = 0;

    for (int i = 1; i < 20000000; i++)
        sum = sum + 1.0 / i;
}

int main()
try {
    carbon_options options{};
    options.zone = "FR";
    options.keep_alive = 1;
    const Meter meter = open_meter(options);
    const Piece all(meter.get(), "both");
    std::thread first(work, meter.get(), 1), second(work, meter.get(), 2);

    first.join();
    second.join();
    return 0;
} catch (const std::exception &error) {
    std::cerr << error.what() << "\n";
    return 1;
}
