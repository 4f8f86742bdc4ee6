"""The steps of tests/gui/story.sh for a year's photos: 3,000 images in twelve folders, a third without
captions, some of them twice, some broken; searched, filtered, tagged, and a run of them cancelled."""

import pathlib
import struct
import sys
import time
import zlib

from user import Story, add_folder, runs, set_field

MONTHS, EACH = 12, 250


def png(width, height, number):
    """A picture whose colours are its number's."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    shade = [number * 37 % 256, number * 91 % 256, number // 256 * 19]
    top = bytes(b for x in range(width) for b in (shade[0], x * 255 // width, shade[2]))
    low = bytes(b for x in range(width) for b in (x * 255 // width, shade[1], number % 256))
    cut = 20 + number % (height - 40)
    pixels = (b"\0" + top) * cut + (b"\0" + low) * (height - cut)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(pixels, 1)) + chunk(b"IEND", b""))


def make_year(folder):
    sizes = [(240, 160), (160, 240), (200, 200), (320, 180)]
    for month in range(1, MONTHS + 1):
        place = folder / f"2025-{month:02d}"
        place.mkdir(parents=True)
        for i in range(EACH):
            number = month * EACH + i
            data = png(*sizes[number % len(sizes)], number if i != 7 else number - 1)
            name = f"IMG_{number:05d}"
            (place / f"{name}.png").write_bytes(data if i != 9 else data[:200])
            if i % 3:
                subject = "beach" if month in (7, 8) else "street"
                (place / f"{name}.txt").write_text(f"{subject}, month {month}, photo {i}\n")
    return folder


def first_start(s, folder):
    s.start()
    s.wait("Choose a base model")
    s.click("Next", "Button")
    s.wait("Choose training images")
    s.click("demo", "row")
    s.click("Remove the selected from Image folders")
    add_folder(s, folder)
    s.click("Next", "Button")
    s.wait("What do you want to train?")
    s.click("Done", "Button")
    s.wait("Start", "Button")
    s.wait("Ready")
    s.shoot("setup")


def look_through(s):
    """Every view of the images, and the ones that are searched for."""
    s.keys("ctrl+2")
    s.wait("2025-01/IMG_00250.png", "row")
    s.shoot("images")
    for tab in ("Buckets", "Folders", "Skipped", "Notices"):
        s.click(tab + " ", "Button")
        s.shoot(tab.lower())
    s.click("Images ", "Button")
    s.keys("ctrl+f")
    s.type("beach")
    s.wait("332 of ")
    s.shoot("searched")


def tag(s, folder):
    """Tags what is searched for, and nothing else."""
    beach = [f for f in folder.glob("*/*.txt") if "beach" in f.read_text()]
    others = {f: f.read_text() for f in folder.glob("*/*.txt") if f not in beach}
    s.fill("Tag or text", "summer")
    s.click(f"Add tag to {len(beach)} images", "Button")
    s.wait_until("the tags", lambda: all("summer" in f.read_text() for f in beach))
    assert all(f.read_text() == text for f, text in others.items()), "a hidden caption was changed"
    s.shoot("tagged")
    s.keys("ctrl+f", "ctrl+a", "Delete")


def duplicates(s):
    s.click("Find duplicates", "Button")
    s.wait("Only duplicates")
    s.shoot("duplicates")
    s.click("Show all images again")


def cancel_a_run(s):
    """A year takes long to encode: it can be broken off within a second."""
    s.keys("ctrl+1")
    set_field(s, "training.steps", "Steps", "200")
    s.keys("ctrl+k")
    s.keys("ctrl+a", "Delete")
    s.wait("Ready")
    s.click("Start", "Button")
    s.wait("Cancel", "Button")
    time.sleep(4)
    s.shoot("preparing")
    began = time.monotonic()
    s.click("Cancel", "Button")
    s.wait("Stopped while preparing images")
    took = time.monotonic() - began
    s.shoot("cancelled")
    assert not runs(s) or runs(s)[0]["steps"] == 0, runs(s)
    return took


def main():
    build, out, work = map(pathlib.Path, sys.argv[1:])
    s = Story(build, out, work)
    folder = make_year(work / "photos of 2025")
    try:
        first_start(s, folder)
        look_through(s)
        tag(s, folder)
        duplicates(s)
        took = cancel_a_run(s)
        print(f"story: told in {s.count} screenshots; cancelled in {took:.1f} s")
    finally:
        if s.studio.poll() is None:
            s.kill()


if __name__ == "__main__":
    main()
