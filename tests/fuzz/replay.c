/* SPDX-License-Identifier: MIT
 * The main of a fuzz target where there is no fuzzer: runs it over the files, and those in the folders, given. */
#include "fuzz.h"

#include <dirent.h>
#include <sys/stat.h>

enum { MAX_BYTES = 1 << 20 };

static size_t inputs;

static int run_file(const char *path)
{
    uint8_t *data = malloc(MAX_BYTES), *exact;
    FILE *file = fopen(path, "r");
    size_t size;

    if (!file || !data) {
        perror(path);
        return EXIT_FAILURE;
    }
    /* the last name printed is the input that failed */
    puts(path);
    size = fread(data, 1, MAX_BYTES, file);
    fclose(file);
    exact = realloc(data, size ? size : 1);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    inputs++;
    return EXIT_SUCCESS;
}

static int run_folder(const char *path)
{
    struct dirent **names = NULL;
    const int count = scandir(path, &names, NULL, alphasort);
    int status = count < 0 ? EXIT_FAILURE : EXIT_SUCCESS;

    for (int i = 0; i < count; i++) {
        char file[4096];
        if (names[i]->d_name[0] != '.' && status == EXIT_SUCCESS) {
            snprintf(file, sizeof file, "%s/%s", path, names[i]->d_name);
            status = run_file(file);
        }
        free(names[i]);
    }
    free(names);
    return status;
}

int main(int argc, char **argv)
{
    int status = EXIT_SUCCESS;

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < argc && status == EXIT_SUCCESS; i++) {
        struct stat found;
        if (stat(argv[i], &found) == 0 && S_ISDIR(found.st_mode))
            status = run_folder(argv[i]);
        else
            status = run_file(argv[i]);
    }
    printf("%zu inputs\n", inputs);
    return inputs ? status : EXIT_FAILURE;
}
