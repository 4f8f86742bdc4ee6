"""The steps of tests/gui/story.sh, which prepares the display: finds what to click in the map that
widget_map.cpp writes, clicks it with xdotool, waits for what should follow, takes a screenshot."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

WINE = os.environ.get("STORY_WINE")  # what runs programs for Windows
PATIENCE = int(os.environ.get("STORY_PATIENCE", "180"))  # seconds for anything to appear


def program(build, name, *arguments):
    return ["bash", WINE, build / f"bin/{name}.exe", *arguments] if WINE else [build / "bin" / name, *arguments]


def path(file):
    """As the studio calls it."""
    return "Z:" + str(file).replace("/", "\\") if WINE else str(file)


class Story:
    def __init__(self, build, out, work):
        self.build, self.out, self.work = build, out, work
        self.map = work / "map.json"
        self.count = 0
        self.studio = None

    # -- the studio --------------------------------------------------------------------------------
    def start(self, *arguments):
        self.map.unlink(missing_ok=True)
        environment = dict(os.environ, QT_PLUGIN_PATH=path(self.build / "story-plugins"),
                           QT_QPA_GENERIC_PLUGINS="widget_map", MANTISSA_WIDGET_MAP=path(self.map))
        self.studio = subprocess.Popen(
            program(self.build, "mantissa-studio", "--lang", "en", *arguments), env=environment,
            stdout=open(self.work / "studio.log", "a"), stderr=subprocess.STDOUT)

    def kill(self):
        self.studio.send_signal(signal.SIGKILL)
        self.studio.wait()

    # -- looking -----------------------------------------------------------------------------------
    def seen(self):
        if self.studio.poll() is not None:
            raise SystemExit(f"story: the studio ended with {self.studio.returncode}: "
                             + (self.work / "studio.log").read_text()[-2000:])
        try:
            return json.loads(self.map.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return []

    def find(self, words, kind=None, enabled=True):
        """What is called or says exactly this, else what begins so; the last one: the topmost."""
        fitting = [w for w in self.seen() if (kind is None or kind in w["kind"])
                   and (w["enabled"] or not enabled)]
        for same in (lambda a: a == words, lambda a: a.startswith(words)):
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
        print(f"story: {file.name}", flush=True)

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


def make_photos(folder):
    """Eight images, four of them captioned."""
    folder.mkdir()
    for i in range(8):
        subprocess.run(["convert", "-size", "160x128", f"gradient:hsl({i * 45},60%,55%)-white",
                        "-fill", "black", "-draw", f"circle {40 + 10 * i},64 {52 + 10 * i},64",
                        str(folder / f"holiday {i + 1}.png")], check=True)
        if i < 4:
            (folder / f"holiday {i + 1}.txt").write_text(f"a black dot at place {i + 1}\n")


def first_start(s, photos):
    s.start()
    s.wait("Choose a base model")
    s.shoot("welcome")
    s.click("Next", "Button")
    s.wait("Choose training images")
    s.click("demo", "row")
    s.click("Remove the selected from Image folders")
    s.click("Add to Image folders")
    s.wait("Image folder", "window")
    s.shoot("choose-folder")
    s.type(str(photos))
    s.keys("Return")
    s.wait(str(photos), "row")
    s.shoot("own-photos")
    s.click("Next", "Button")
    s.wait("What do you want to train?")
    s.shoot("goal")
    s.click("Done", "Button")
    s.wait("Start", "Button")
    s.shoot("setup")


def look_at_data(s):
    s.keys("ctrl+2")
    s.wait("holiday 1.png", "row")
    s.click("holiday 6.png", "row")
    s.click("Caption of the image")
    s.type("a black dot at place 6")
    s.shoot("data")
    s.keys("ctrl+1")


def set_field(s, search, name, text):
    s.keys("ctrl+k")
    s.keys("ctrl+a")
    s.type(search)
    s.fill(name, text)
    s.keys("Tab")


def make_conflict(s):
    """A short run with adapters in fp16, which would lose small updates: Start is blocked, until
    the fix that is offered is taken."""
    set_field(s, "training.steps", "Steps", "120")
    set_field(s, "output.save_every", "Save every", "20")
    set_field(s, "samples.every", "Sample every", "60")
    set_field(s, "warmup_steps", "Warm-up", "5")
    s.keys("ctrl+k")
    s.keys("ctrl+a")
    s.type("precision.adapter")
    s.click("Adapter weight type", "Combo")
    s.type("fp16")
    s.keys("Return")
    s.wait("Fix: ")
    s.shoot("conflict")
    s.click("Fix: ")
    s.wait("Nothing blocks Start.")
    s.shoot("fixed")
    s.keys("ctrl+k")
    s.keys("ctrl+a", "Delete")


def runs(s):
    """Steps and states of the runs in the database, the newest first."""
    lines = subprocess.run(program(s.build, "mantissa", "runs", "list", "--json"), check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return [run for run in map(json.loads, lines) if run.get("event") == "run"]


def train_and_kill(s):
    s.click("Start", "Button")
    s.wait_until("the first steps", lambda: runs(s) and runs(s)[0]["steps"] >= 12)
    s.shoot("training")
    s.wait_until("a checkpoint", lambda: runs(s)[0]["steps"] >= 45)
    s.keys("ctrl+4")
    s.shoot("samples-while-training")
    s.kill()
    assert runs(s)[0]["state"] == "interrupted", runs(s)
    return runs(s)[0]["steps"]


def restart_and_resume(s, killed_at):
    s.start()
    s.wait("Resume", "Button")
    s.shoot("restarted")
    s.click("Resume", "Button")
    s.wait_until("more steps", lambda: runs(s)[0]["steps"] > killed_at)
    s.keys("ctrl+3")
    s.shoot("resumed")
    s.wait_until("the end", lambda: runs(s)[0]["state"] == "finished")
    s.wait("Open folder")
    s.shoot("finished")


def train_another(s):
    s.keys("ctrl+1")
    set_field(s, "optimizer.learning_rate", "Learning rate", "0.003")
    set_field(s, "training.steps", "Steps", "60")
    s.keys("F5")
    s.wait_until("the second run", lambda: len(runs(s)) == 2 and runs(s)[0]["state"] == "finished")


def compare(s):
    s.keys("ctrl+5")
    s.wait("Search runs")
    s.click("zorb-demo", "row")
    s.keys("ctrl+a")
    s.wait("Show Curves")
    s.shoot("compare-curves")
    s.click("Show Settings")
    s.shoot("compare-settings")
    s.click("Show Samples")
    s.shoot("compare-samples")


def export(s):
    s.click("zorb-demo", "row")
    s.click("Export")
    s.wait("Report as Markdown…", "menu")
    s.shoot("export-menu")
    s.click("Report as Markdown…", "menu")
    report = s.work / "report.md"
    s.wait("File &name:")
    s.keys("ctrl+a")
    s.type(str(report))
    s.shoot("export-file")
    s.keys("Return")
    s.wait_until("the report", report.exists)
    s.wait("Written to")
    s.shoot("exported")
    assert "## " in report.read_text(), report.read_text()


def small_window(s):
    """Every page at the smallest size that has to do."""
    window = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "Mantissa$"],
                            check=True, capture_output=True, text=True).stdout.split()[-1]
    s.xdotool("windowsize", "--sync", window, 900, 600)
    for key, name in enumerate(("setup", "data", "train", "samples", "history", "device"), 1):
        s.keys(f"ctrl+{key}")
        s.shoot(f"small-{name}")


def main():
    build, out, work = map(pathlib.Path, sys.argv[1:])
    s = Story(build, out, work)
    photos = work / "my holiday photos"
    make_photos(photos)
    try:
        first_start(s, photos)
        look_at_data(s)
        make_conflict(s)
        killed_at = train_and_kill(s)
        restart_and_resume(s, killed_at)
        train_another(s)
        compare(s)
        export(s)
        small_window(s)
        print(f"story: told in {s.count} screenshots; killed at step {killed_at}")
    finally:
        if s.studio.poll() is None:
            s.kill()


if __name__ == "__main__":
    main()
