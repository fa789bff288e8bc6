# SPDX-License-Identifier: MIT
"""A flame graph in a browser: search and zoom by keyboard, a click, and nothing on the console.

    flame.py FILE.svg FUNCTION     a line for each fault
"""
import pathlib
import sys

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

options = webdriver.ChromeOptions()
for argument in "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage":
    options.add_argument(argument)
options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
driver = webdriver.Chrome(options=options)


def must(what, good):
    if not good:
        print(what)


def press(*keys):
    actions = ActionChains(driver)
    for key in keys:
        actions.send_keys(key)
    actions.perform()


def text(element):
    return driver.find_element(By.ID, element).text


def shown():
    return driver.execute_script("return [...document.querySelectorAll('.f')].filter(g => g.style.display !== 'none').length")


def width():
    return float(driver.execute_script("return document.querySelector('.f.on rect').getAttribute('width')"))


try:
    driver.get(pathlib.Path(sys.argv[1]).resolve().as_uri())
    everything = shown()
    must("no frames", everything > 3)
    press("/", sys.argv[2], Keys.ENTER)
    must(f"search: '{text('found')}'", f"search: {sys.argv[2]} " in text("found") + " " and " 0 frames" not in text("found"))
    must(f"it goes to what it found: '{text('about')}'", text("about").startswith(sys.argv[2] + " ("))
    must("before zooming it is not the whole", width() < 1199)
    press(Keys.ENTER)
    must("Enter zooms", abs(width() - 1200) < 1 and shown() < everything)
    press(Keys.ESCAPE)
    must("Escape shows all", shown() == everything)
    press(Keys.ARROW_UP, Keys.ARROW_UP, Keys.ARROW_DOWN)
    must(f"arrows: '{text('about')}'", not text("about").startswith("all:"))
    press("/", "no such function")
    must("nothing is found", " 0 frames, 0.0 %" in text("found"))
    press(Keys.ESCAPE)
    must("Escape ends the search", text("found") == "")
    driver.execute_script("[...document.querySelectorAll('.f')].find(g => g.textContent.startsWith(arguments[0] + ' ('))"
                          ".dispatchEvent(new MouseEvent('click'))", sys.argv[2])
    must("a click zooms", shown() < everything)
    for line in driver.get_log("browser"):
        print("console:", line["message"])
finally:
    driver.quit()
