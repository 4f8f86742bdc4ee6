"""Draws the image sets. Same files every time; needs Pillow.

    python resources/demo/draw.py zorbs                         the demo's: resources/demo/images
    python resources/demo/draw.py shapes FOLDER --count 4000    what the mini base is trained on
    python resources/demo/draw.py cuts FOLDER --count 6000      what its VAE is trained on: squares cut
                                                                from shapes, and from prints of zorbs
"""

import argparse
import pathlib
import random

import shapes
import zorbs

ZORB_SIZES = [(128, 128)] * 11 + [(160, 96)] * 6 + [(96, 160)] * 5
INKS = ["coral", "teal"]
PLACES = ["on a hill", "under the moon", "by the sea", "in the rain"]
SHAPES_SEED, CUTS_SEED = 2024, 2025
CUT, PRINTS = 64, 0.35  # side of the VAE's training images; the share of them cut from prints


def keep(folder, stem, image, caption):
    image.save(folder / f"{stem}.png", optimize=True)
    (folder / f"{stem}.txt").write_text(caption + "\n", encoding="utf-8")


def draw_zorbs(folder):
    for index, (width, height) in enumerate(ZORB_SIZES):
        rng = random.Random(1000 + index)
        image, caption = zorbs.print_scene(rng, width, height, INKS[index % 2], PLACES[index // 2 % 4])
        keep(folder, f"zorb_{index + 1:02d}", image, caption)


def draw_shapes(folder, count):
    rng = random.Random(SHAPES_SEED)
    for index, scene in enumerate(shapes.scenes(rng, count)):
        keep(folder, f"{index:05d}", shapes.draw(rng, scene), shapes.caption(*scene))


def draw_cuts(folder, count):
    rng = random.Random(CUTS_SEED)
    for index, scene in enumerate(shapes.scenes(rng, count)):
        if rng.random() < PRINTS:
            image, caption = zorbs.print_scene(rng, *rng.choice(ZORB_SIZES))
        else:
            image, caption = shapes.draw(rng, scene), shapes.caption(*scene)
        left, top = rng.randrange(image.width - CUT + 1), rng.randrange(image.height - CUT + 1)
        keep(folder, f"{index:05d}", image.crop((left, top, left + CUT, top + CUT)), caption)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", choices=["zorbs", "shapes", "cuts"])
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent / "images")
    parser.add_argument("--count", type=int, default=4000)
    options = parser.parse_args()
    options.folder.mkdir(exist_ok=True, parents=True)
    if options.set == "zorbs":
        draw_zorbs(options.folder)
    elif options.set == "shapes":
        draw_shapes(options.folder, options.count)
    else:
        draw_cuts(options.folder, options.count)


if __name__ == "__main__":
    main()
