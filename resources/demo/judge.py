"""Does an image show what its caption says? Read back from the pixels.

    python resources/demo/judge.py --errors 300        how often the judge is wrong about true drawings
    python resources/demo/judge.py --captions 200      prints held-out captions, one a line
    python resources/demo/judge.py FOLDER FILE         judges FOLDER/0001.png ... against FILE's lines

Shapes: the shape is what differs from the ground, closed over its texture; it counts as the shape whose
outline overlaps it most, if by at least MIN_OVERLAP. The color is the one that most of its pixels are
nearest to, the place the nearest one. Zorbs: see read_print. --at-least SHARE makes it fail below that.
Needs numpy, scipy and Pillow.
"""

import argparse
import itertools
import pathlib
import random
import re
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFilter
from scipy import ndimage

import shapes
import zorbs

DIFFERENT = 55  # distance in RGB from the ground that makes a pixel part of the shape
MIN_OVERLAP = 0.7
MAX_STRANGE = 45  # mean distance in RGB of a zorb's body from the inks of its print
HELD_SEED, SIDE = 99, 128


def read_caption(text):
    """(texture, color, shape, place, ground) of a caption as shapes.caption words it."""
    match = re.fullmatch(r"an? (?:(striped|dotted) )?(\w+) (\w+) (.*), (\w+) background", text)
    texture, color, shape, place, ground = match.groups()
    return texture or "", color, shape, place, ground


def pieces(mask):
    """The connected pieces of a boolean image, each as one."""
    numbers, count = ndimage.label(mask)
    return [numbers == i for i in range(1, count + 1)]


def box_of(mask):
    """left, top, right, bottom; the last two are past the end."""
    rows, columns = np.where(mask.any(1))[0], np.where(mask.any(0))[0]
    return columns[0], rows[0], columns[-1] + 1, rows[-1] + 1


def shape_mask(pixels, ground):
    different = np.linalg.norm(pixels - ground, axis=2) > DIFFERENT
    image = Image.fromarray(np.where(different, 255, 0).astype(np.uint8))
    closed = image.filter(ImageFilter.MaxFilter(3)).filter(ImageFilter.MinFilter(3))
    return max(pieces(np.asarray(closed) > 127), key=np.sum, default=np.zeros_like(different))


def overlap(mask, shape):
    """Intersection over union with the shape's outline, scaled to the mask's own box."""
    template = Image.new("L", (96, 96), 0)
    shapes.outline(ImageDraw.Draw(template), shape, 48, 48, 40, 255)
    outline = np.asarray(template) > 127
    cut = []
    for image in (mask, outline):
        left, top, right, bottom = box_of(image)
        cut.append(image[top:bottom, left:right])
    box, outline = cut
    fitted = np.asarray(Image.fromarray(outline).resize(box.shape[::-1], Image.NEAREST))
    aspect = (box.shape[1] / box.shape[0]) / (outline.shape[1] / outline.shape[0])
    return (box & fitted).sum() / (box | fitted).sum() * min(aspect, 1 / aspect)


def read_scene(image):
    """What is seen: dict of color, shape, place, ground and the overlap; None for an empty image."""
    pixels = np.asarray(image.convert("RGB"), dtype=np.float64)
    ground = np.median(pixels.reshape(-1, 3), axis=0)
    mask = shape_mask(pixels, ground)
    if mask.sum() < 0.01 * mask.size:
        return None
    inks = [(name, np.array(rgb) * shade) for name, rgb in shapes.COLORS.items() for shade in (1, 0.55)]
    inside = pixels[mask]
    nearest = np.argmin([np.linalg.norm(inside - rgb, axis=1) for _, rgb in inks], axis=0)
    votes = {name: sum((nearest == i).sum() for i, (n, _) in enumerate(inks) if n == name) for name in shapes.COLORS}
    fits = {shape: overlap(mask, shape) for shape in shapes.SHAPES}
    left, top, right, bottom = box_of(mask)
    center = np.array([(left + right) / 2 / mask.shape[1], (top + bottom) / 2 / mask.shape[0]])
    places = {name: np.linalg.norm(center - np.array(at)) for name, at in shapes.PLACES.items()}
    shape = max(fits, key=fits.get)
    return {"color": max(votes, key=votes.get), "shape": shape if fits[shape] >= MIN_OVERLAP else None,
            "place": min(places, key=places.get), "overlap": fits[shape],
            "ground": min(shapes.GROUNDS, key=lambda g: np.linalg.norm(ground - shapes.GROUNDS[g]))}


def read_print(image):
    """The ink of a zorb, "coral" or "teal", or None: two navy eyes over at least two bands of one ink."""
    pixels = np.asarray(image.convert("RGB"), dtype=np.float64)
    unit = min(pixels.shape[:2])
    palette = (zorbs.PAPER, zorbs.NAVY, zorbs.CORAL, zorbs.TEAL)
    distance = np.array([np.linalg.norm(pixels - np.array(rgb), axis=2) for rgb in palette])
    nearest, strange = distance.argmin(axis=0), distance.min(axis=0)
    eyes = []
    for piece in pieces(nearest == 1):
        left, top, right, bottom = box_of(piece)
        width, height = right - left, bottom - top
        if max(width, height) <= 0.11 * unit and min(width, height) >= 0.03 * unit and piece.sum() > 0.55 * width * height:
            eyes.append(((left + right) / 2, (top + bottom) / 2))
    for (x0, y0), (x1, y1) in itertools.combinations(eyes, 2):
        apart = abs(x1 - x0)
        if abs(y1 - y0) > 0.035 * unit or not 0.07 * unit <= apart <= 0.2 * unit:
            continue
        size, x, y = apart / 0.6, (x0 + x1) / 2, (y0 + y1) / 2  # as zorbs.py draws them
        body = slice(int(y), int(y + 1.35 * size)), slice(max(0, int(x - 0.25 * size)), int(x + 0.25 * size) + 1)
        rows = [np.bincount(row, minlength=4).argmax() for row in nearest[body]]
        if strange[body].mean() > MAX_STRANGE:
            continue
        for ink, name in ((2, "coral"), (3, "teal")):
            if sum(b == ink != a for a, b in itertools.pairwise(rows)) >= 2:
                return name
    return None


def judge(image, scene):
    """Which of color, shape, place (and ground, which doesn't count) are as the scene says."""
    wanted = dict(zip(("texture", "color", "shape", "place", "ground"), scene))
    seen = read_scene(image)
    return {key: seen is not None and seen[key] == wanted[key] for key in ("color", "shape", "place", "ground")}


def passes(verdict):
    return verdict["color"] and verdict["shape"] and verdict["place"]


def held_out_captions(count):
    """Distinct captions of scenes that no training image shows; the same list every time."""
    rng, found = random.Random(HELD_SEED), {}
    while len(found) < count:
        for scene in shapes.scenes(rng, count, held=True):
            if len(found) < count:
                found.setdefault(shapes.caption(*scene), scene)
    return list(found)


def report(verdicts, at_least):
    count, passed = len(verdicts), sum(map(passes, verdicts))
    print(", ".join(f"{key} {sum(v[key] for v in verdicts) / count:.1%}" for key in ("color", "shape", "place", "ground")))
    print(f"show their captions: {passed} of {count}, {passed / count:.1%}")
    return passed >= at_least * count


def report_prints(pairs, at_least):
    passed = sum(read_print(image) == line.split()[1] for image, line in pairs)
    print(f"show the zorb of their captions: {passed} of {len(pairs)}, {passed / len(pairs):.1%}")
    return passed >= at_least * len(pairs)


def report_errors(count):
    """The judge's own errors on true drawings: right captions refused, wrong ones let through."""
    rng = random.Random(4)
    refused = wrong = 0
    for scene in shapes.scenes(rng, count, held=True):
        image = shapes.draw(rng, scene, SIDE, SIDE)
        refused += not passes(judge(image, scene))
        other, at = list(scene), rng.choice((1, 2, 3))
        names = (list(shapes.COLORS), shapes.SHAPES, list(shapes.PLACES))[at - 1]
        other[at] = rng.choice([name for name in names if name != scene[at]])
        wrong += passes(judge(image, other))
    print(f"shapes: {refused} of {count} right captions refused, {wrong} of {count} with one wrong word let through")
    refused = wrong = 0
    for index in range(count):
        image, caption = zorbs.print_scene(rng, *((SIDE, SIDE), (160, 96), (96, 160))[index % 3])
        refused += read_print(image) != caption.split()[1]
    for scene in shapes.scenes(rng, count):
        wrong += read_print(shapes.draw(rng, scene, SIDE, SIDE)) is not None
    print(f"zorbs: {refused} of {count} not seen, {wrong} of {count} seen in images of shapes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("file", nargs="?", type=pathlib.Path)
    parser.add_argument("--errors", type=int, metavar="N")
    parser.add_argument("--captions", type=int, metavar="N")
    parser.add_argument("--at-least", type=float, default=0, metavar="SHARE")
    options = parser.parse_args()
    if options.captions:
        print("\n".join(held_out_captions(options.captions)))
    elif options.errors:
        report_errors(options.errors)
    else:
        lines = options.file.read_text(encoding="utf-8").splitlines()
        pairs = [(Image.open(options.folder / f"{i + 1:04d}.png"), line) for i, line in enumerate(lines)]
        if "zorb" in lines[0]:
            enough = report_prints(pairs, options.at_least)
        else:
            enough = report([judge(image, read_caption(line)) for image, line in pairs], options.at_least)
        if not enough:
            sys.exit("too few samples show what their captions say")


if __name__ == "__main__":
    main()
