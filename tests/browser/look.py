#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Opens pages in headless Chromium and says what is wrong with them.

    look.py OUT AXE PAGE...

AXE is axe-core's file, or - for none. OUT gets screenshots at two widths, light and dark, and the printed pages.
Prints a line for each fault, then how much was looked at.
"""
import base64
import http.server
import json
import os
import shutil
import sys
import threading

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys

WIDTHS = 320, 390, 1280
SCHEMES = "light", "dark"
HEIGHT = 900
TABS_MOST = 200

FOCUS = """
const node = document.activeElement, style = getComputedStyle(node), box = node.getBoundingClientRect();
const nodes = [...document.querySelectorAll("a[href], [tabindex='0']")];
return {place: nodes.indexOf(node), count: nodes.length, skip: node.className == "skip",
        outline: style.outlineStyle != "none" && parseFloat(style.outlineWidth) >= 1,
        seen: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
        text: node.textContent.slice(0, 40)};
"""
# In a label nothing is cut off by the box around it, but in what scrolls.
CUT = """
return [...document.querySelectorAll("body *")].filter(node => !node.closest(".scroll, .skip, svg"))
    .filter(node => node.getBoundingClientRect().right > innerWidth + 0.5)
    .map(node => node.tagName + " " + node.textContent.slice(0, 40));
"""
AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then(found => done(found.violations.map(
    fault => [fault.impact, fault.id, fault.nodes.length, fault.nodes[0].html.slice(0, 120),
              fault.nodes[0].failureSummary])), error => done([["critical", "axe", 1, String(error), ""]]));
"""


def serve(folder):
    """A server that remembers what it was asked for."""
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=folder)

        def log_message(self, form, *args):
            asked.append(self.path)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, asked


def browser():
    options = Options()
    options.binary_location = shutil.which("chromium") or shutil.which("chromium-browser")
    for flag in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "no-first-run",
                 "disable-background-networking", "disable-component-update", "no-proxy-server"):
        options.add_argument("--" + flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.set_page_load_timeout(30)
    driver.set_script_timeout(30)
    return driver


class Looking:
    def __init__(self, out, axe):
        self.out, self.axe = out, axe
        self.faults, self.looked = [], 0
        self.driver = browser()

    def check(self, good, *words):
        self.looked += 1
        if not good:
            self.faults.append(" ".join(map(str, words)))

    def screen(self, width, height, scheme, phone):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def picture(self, name, width, scheme):
        height = self.driver.execute_script("return document.documentElement.scrollHeight")
        self.screen(width, min(height, 16000), scheme, width < 500)
        data = self.driver.execute_cdp_cmd("Page.captureScreenshot", {})["data"]
        with open(f"{self.out}/{name}-{width}-{scheme}.png", "wb") as file:
            file.write(base64.b64decode(data))

    def keyboard(self, name):
        """Each stop by Tab, in order, is to be seen and seen to have the focus."""
        body = self.driver.find_element("tag name", "body")
        stops = []
        for _ in range(TABS_MOST):
            (body if not stops else self.driver.switch_to.active_element).send_keys(Keys.TAB)
            stop = self.driver.execute_script(FOCUS)
            if stop["place"] < 0:
                break
            self.check(stop["outline"] or stop["skip"], name, "no focus is shown on", stop["text"])
            self.check(stop["seen"], name, "out of sight with the focus:", stop["text"])
            stops.append(stop["place"])
            if len(stops) == stop["count"]:
                break
        self.check(stops == list(range(len(stops))) and len(stops) > 3, name, "tab stops", stops)
        self.check(stops and len(stops) == stop["count"], name, "reached by Tab:", len(stops), "of", stop["count"])
        moved = self.driver.execute_script("""
            const wide = [...document.querySelectorAll(".scroll")].find(node => node.scrollWidth > node.clientWidth);
            if (wide) wide.focus();
            return Boolean(wide);""")
        self.check(moved, name, "no table is wider than a phone")
        if moved:
            self.driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT * 3)
            self.driver.execute_async_script("setTimeout(arguments[0], 400)")
            self.check(self.driver.execute_script("return document.activeElement.scrollLeft") > 0, name,
                       "a wide table does not scroll by the keyboard")

    def faults_of_axe(self, name):
        if not self.axe:
            return
        self.driver.execute_script(self.axe + "; window.axe = axe;")
        for impact, fault, count, node, summary in self.driver.execute_async_script(AXE):
            self.check(False, name, "axe:", impact, fault, count, node, summary)
        self.check(True)

    def page(self, base, name):
        url = f"{base}/{name}.html"
        for width in WIDTHS:
            for scheme in SCHEMES:
                where = f"{name} at {width}, {scheme}:"
                self.screen(width, HEIGHT, scheme, width < 500)
                self.driver.get(url)
                wide = self.driver.execute_script("return document.documentElement.scrollWidth")
                self.check(wide <= width, where, "scrolls to", wide)
                cut = self.driver.execute_script(CUT)
                self.check(not cut, where, "sticks out:", cut[:3])
                self.faults_of_axe(where)
                if width > 320:
                    self.picture(name, width, scheme)
        self.screen(390, HEIGHT, "light", False)
        self.driver.get(url)
        self.keyboard(name)
        self.driver.get(url)
        pdf = base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {
            "paperWidth": 8.27, "paperHeight": 11.69})["data"])
        self.check(pdf[:5] == b"%PDF-", name, "is not printed")
        with open(f"{self.out}/{name}.pdf", "wb") as file:
            file.write(pdf)
        # As printed nothing is cut off at the right: the page's text is no wider than paper of 180 mm.
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": []})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 680, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False})
        wide = self.driver.execute_script("return document.documentElement.scrollWidth")
        self.check(wide <= 680, name, "is too wide for paper:", wide)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})

    def logs(self, base):
        for entry in self.driver.get_log("browser"):
            self.check(False, "console:", entry["level"], entry["message"])
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                self.check(url.startswith((base + "/", "data:")) and url.endswith((".html", ",")), "request:", url)


def main():
    out, axe, pages = sys.argv[1], sys.argv[2], sys.argv[3:]
    folder = os.path.dirname(os.path.abspath(pages[0]))
    source = ""
    if axe != "-":
        with open(axe, encoding="utf-8") as file:
            source = file.read()
    server, asked = serve(folder)
    base = f"http://127.0.0.1:{server.server_port}"
    looking = Looking(out, source)
    try:
        for page in pages:
            looking.page(base, os.path.basename(page)[:-len(".html")])
        looking.logs(base)
    finally:
        looking.driver.quit()
    names = {"/" + os.path.basename(page) for page in pages}
    looking.check(set(asked) == names, "asked for:", sorted(set(asked)))
    for fault in looking.faults:
        print(fault)
    print(f"{looking.looked} looked at, {len(looking.faults)} faults")


main()
