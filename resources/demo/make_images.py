"""Draws the demo's image set: python resources/demo/make_images.py  (needs Pillow).

22 zorbs in three aspect ratios, one caption file each. Same files every time.
"""

import pathlib
import random

import scenes

SIZES = [(128, 128)] * 11 + [(160, 96)] * 6 + [(96, 160)] * 5
INKS = ["coral", "teal"]
PLACES = ["on a hill", "under the moon", "by the sea", "in the rain"]


def main():
    folder = pathlib.Path(__file__).resolve().parent / "images"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for index, (width, height) in enumerate(SIZES):
        rng = random.Random(1000 + index)
        image, caption = scenes.print_scene(rng, width, height, INKS[index % 2], PLACES[index // 2 % 4])
        stem = folder / f"zorb_{index + 1:02d}"
        image.save(stem.with_suffix(".png"), optimize=True)
        stem.with_suffix(".txt").write_text(caption + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
