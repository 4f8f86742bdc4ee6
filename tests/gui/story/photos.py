"""The steps of tests/gui/story.sh, which prepares the display."""

import pathlib
import subprocess
import sys

from user import Story, add_folder, runs, set_field


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
    add_folder(s, photos)
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
    s.wait("Adapter weight type → FP32: ")
    s.shoot("conflict")
    s.click("Adapter weight type → FP32: ")
    s.wait("Ready")
    s.shoot("fixed")
    s.keys("ctrl+k")
    s.keys("ctrl+a", "Delete")


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
