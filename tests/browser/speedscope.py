# SPDX-License-Identifier: MIT
"""A file in speedscope itself, as npm has it: what its importer makes of it, and nothing on the console.

    speedscope.py SPEEDSCOPE FILE.json FUNCTION...     a line for each fault; SPEEDSCOPE is npm's folder of it
"""
import base64
import json
import pathlib
import sys
import time

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

folder, name, functions = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
profile = json.loads(name.read_text())
total = sum(profile["profiles"][0]["weights"])
script = name.with_suffix(".js").resolve()
script.write_text(f"speedscope.loadFileFromBase64({json.dumps(name.name)}, "
                  f"{json.dumps(base64.b64encode(name.read_bytes()).decode())})")
options = webdriver.ChromeOptions()
for argument in "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-gl=swiftshader", "--enable-unsafe-swiftshader", \
        "--allow-file-access-from-files":
    options.add_argument(argument)
options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
driver = webdriver.Chrome(options=options)


SECONDS = 60


def page():
    return driver.find_element(By.TAG_NAME, "body").text


def awaited(what, good):
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        if good():
            return True
        time.sleep(0.1)
    print(f"in {SECONDS} s there is no {what}: {page()[:300]!r}")
    return False


try:
    driver.get((folder / "dist/release/index.html").resolve().as_uri() + "#localProfilePath=" + str(script))
    if awaited("profile", lambda: profile["profiles"][0]["name"] in page() or profile["profiles"][0]["name"] in driver.title):
        ActionChains(driver).send_keys("3").perform()
        awaited("table of functions", lambda: all(f in page() for f in functions))
        lines = page().splitlines()
        for function in functions:
            own = sum(w for s, w in zip(profile["profiles"][0]["samples"], profile["profiles"][0]["weights"])
                      if profile["shared"]["frames"][s[-1]]["name"] == function)
            percent = f"({100 * own / total:.0f}%)" if own / total >= 0.1 else f"({100 * own / total:.1f}%)"
            at = lines.index(function) if function in lines else 0
            if not at or percent not in lines[at - 1]:
                print(f"{function}: no {percent} in {lines}")
    for line in driver.get_log("browser"):
        if line["level"] == "SEVERE":
            print("console:", line["message"])
finally:
    driver.quit()
