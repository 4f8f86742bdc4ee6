"""The steps of tests/gui/story.sh for a small card, which the host plays: the preset doesn't fit, the fix
that is offered makes it fit, and it trains."""

import pathlib
import sys

from user import Story, runs, set_field


def first_start(s):
    """The card is chosen already: who has one seldom wants the processor."""
    s.start()
    s.wait("Choose a base model")
    s.click("Next", "Button")
    s.wait("Choose training images")
    s.click("Next", "Button")
    s.wait("What do you want to train?")
    s.click("Done", "Button")
    s.wait("Start", "Button")
    set_field(s, "training.steps", "Steps", "3")  # of seconds each, as the host plays the card
    s.keys("ctrl+k")
    s.keys("ctrl+a", "Delete")
    s.wait("Not ready")
    s.shoot("too-large")


def fit(s):
    s.click("Checkpointing scope → ", "Button")
    s.wait("Ready")
    s.shoot("fits")


def train(s):
    s.click("Start", "Button")
    s.wait_until("the first steps", lambda: runs(s) and runs(s)[0]["steps"] >= 1)
    s.keys("ctrl+3")
    s.shoot("training")
    s.wait_until("the end", lambda: runs(s)[0]["state"] == "finished")
    s.keys("ctrl+6")
    s.shoot("device")


def main():
    s = Story(*map(pathlib.Path, sys.argv[1:]))
    try:
        first_start(s)
        fit(s)
        train(s)
        print(f"story: told in {s.count} screenshots")
    finally:
        if s.studio.poll() is None:
            s.kill()


if __name__ == "__main__":
    main()
