"""A user at the studio's windows, for the stories: finds what to click in the map that widget_map.cpp
writes, clicks it with xdotool, waits for what should follow, takes a screenshot."""

import json
import os
import pathlib
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree

WINE = os.environ.get("STORY_WINE")  # what runs programs for Windows
LANGUAGE = os.environ.get("STORY_LANG", "en")
THEME = os.environ.get("STORY_THEME", "light")
I18N = pathlib.Path(__file__).resolve().parents[3] / "resources/i18n"
PATIENCE = int(os.environ.get("STORY_PATIENCE", "180"))  # seconds for anything to appear


def program(build, name, *arguments):
    return ["bash", WINE, build / f"bin/{name}.exe", *arguments] if WINE else [build / "bin" / name, *arguments]


def translations():
    """What each English text can be in the window's language."""
    texts = {}
    for file in I18N.glob(f"*_{LANGUAGE}.ts") if LANGUAGE != "en" else []:
        for message in ElementTree.parse(file).iter("message"):
            translation = message.findtext("translation") or message.findtext("translation/numerusform")
            if translation:
                texts.setdefault(message.findtext("source").replace("&", ""), set()).add(
                    translation.replace("&", ""))
    return texts


def path(file):
    """As the studio calls it."""
    return "Z:" + str(file).replace("/", "\\") if WINE else str(file)


class Story:
    def __init__(self, build, out, work):
        self.build, self.out, self.work = build, out, work
        self.map = work / "map.json"
        self.count = 0
        self.told = 0  # stalls of this studio
        self.texts = translations()
        self.studio = None

    # -- the studio --------------------------------------------------------------------------------
    def start(self, *arguments):
        self.map.unlink(missing_ok=True)
        self.told = 0
        environment = dict(os.environ, QT_PLUGIN_PATH=path(self.build / "story-plugins"),
                           QT_QPA_GENERIC_PLUGINS="widget_map", MANTISSA_WIDGET_MAP=path(self.map))
        self.studio = subprocess.Popen(
            program(self.build, "mantissa-studio", "--lang", LANGUAGE, "--theme", THEME, *arguments), env=environment,
            stdout=open(self.work / "studio.log", "a"), stderr=subprocess.STDOUT)

    def kill(self):
        self.studio.send_signal(signal.SIGKILL)
        self.studio.wait()

    # -- looking -----------------------------------------------------------------------------------
    def seen(self):
        if self.studio.poll() is not None:
            raise SystemExit(f"story: the studio ended with {self.studio.returncode}: "
                             + (self.work / "studio.log").read_text()[-2000:])
        return self.read_map()["widgets"]

    def read_map(self):
        try:
            return json.loads(self.map.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return {"widgets": [], "stalls": []}

    def find(self, words, kind=None, enabled=True):
        """What is called or says exactly this, else what begins so; the last one: the topmost. `words`
        are English, whatever the window speaks."""
        said = {words} | self.texts.get(words, set())
        fitting = [w for w in self.seen() if (kind is None or kind in w["kind"])
                   and (w["enabled"] or not enabled)]
        for same in (lambda a: a in said, lambda a: a.startswith(tuple(said))):
            found = [w for w in fitting if same(w["name"]) or same(w["text"])]
            if found:
                return found[-1]
        return None

    def wait(self, words, kind=None, enabled=True, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.find(words, kind, enabled)
            if found:
                return found
            time.sleep(0.2)
        self.shoot("failed")
        names = sorted({(w["name"] or w["text"])[:70] + ("" if w["enabled"] else " (disabled)")
                        for w in self.seen()})
        raise SystemExit(f"story: no '{words}' after {seconds} s; there are:\n" + "\n".join(names))

    def wait_until(self, what, done):
        end = time.monotonic() + PATIENCE
        while not done():
            if time.monotonic() > end:
                self.shoot("failed")
                raise SystemExit(f"story: still waiting: {what}")
            time.sleep(0.2)

    def shoot(self, name):
        time.sleep(0.6)  # the map and the last frame
        self.count += 1
        file = self.out / f"{self.count:02d}-{name}.png"
        subprocess.run(["import", "-window", "root", str(file)], check=True)
        stalls = self.read_map()["stalls"]
        fresh, self.told = stalls[self.told:], len(stalls)
        told = f": took no input for {', '.join(map(str, fresh))} ms" if fresh else ""
        print(f"story: {file.name}{told}", flush=True)

    # -- doing -------------------------------------------------------------------------------------
    @staticmethod
    def xdotool(*words):
        subprocess.run(["xdotool", *map(str, words)], check=True)

    def click(self, words, kind=None, button=1, times=1):
        at = self.wait(words, kind)
        time.sleep(0.3)
        at = self.find(words, kind) or at  # it may have moved meanwhile
        self.xdotool("mousemove", round(at["x"] + min(at["width"] / 2, 200)),
                     round(at["y"] + at["height"] / 2))
        self.xdotool("click", "--repeat", times, "--delay", 80, button)
        time.sleep(0.4)

    def focus(self):
        """Without a window manager nobody gives the keyboard back when a dialog has closed."""
        windows = [w for w in self.seen() if w["kind"] == "window"]
        if windows and not os.environ.get("STORY_MANAGER"):
            self.xdotool("windowfocus", windows[-1]["text"])

    def close_window(self):
        """By the window manager, as its button does; without one a window has no such button."""
        self.focus()
        self.keys("alt+F4" if os.environ.get("STORY_MANAGER") else "ctrl+q")

    def keys(self, *names):
        self.focus()
        self.xdotool("key", "--delay", 60, *names)
        time.sleep(0.4)

    def type(self, text):
        self.focus()
        self.xdotool("type", "--delay", 15, text)
        time.sleep(0.3)

    def fill(self, words, text, kind=None):
        self.click(words, kind)
        self.keys("ctrl+a")
        self.type(text)


def set_field(s, search, name, text):
    s.keys("ctrl+k")
    s.keys("ctrl+a")
    s.type(search)
    s.fill(name, text)
    s.keys("Tab")


def add_folder(s, folder):
    s.click("Add to Image folders")
    s.wait("Image folder", "window")
    s.shoot("choose-folder")
    s.type(str(folder))
    s.keys("Return")
    s.wait(str(folder), "row")


def runs(s):
    """Steps and states of the runs in the database, the newest first."""
    lines = subprocess.run(program(s.build, "mantissa", "runs", "list", "--json"), check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return [run for run in map(json.loads, lines) if run.get("event") == "run"]
