"""Writes colors.json: a small image, changes of its colours, and the results by torchvision.

    python tests/golden/make_colors.py tests/golden/colors.json

Changes are in ten-thousandths: brightness, contrast, saturation, hue. torchvision's adjust_* are
applied in this order to values from 0 to 1 in FP64; the result is rounded half up. No value lies
near a tie, so that FP32 rounds alike.
"""

import json
import math
import random
import sys

import torch
from torchvision.transforms import functional

WIDTH, HEIGHT = 9, 7
CHANGES = [
    [2510, 0, 0, 0],
    [-4000, 0, 0, 0],
    [-10000, 0, 0, 0],
    [0, 3000, 0, 0],
    [0, -10000, 0, 0],
    [0, 0, 8000, 0],
    [0, 0, -10000, 0],
    [0, 0, 0, 700],
    [0, 0, 0, -5000],
    [0, 0, 0, -1234],
    [900, -1100, 1300, 170],
    [-500, 1700, -600, -90],
]
FIXED = [(0, 0, 0), (255, 255, 255), (128, 128, 128), (255, 0, 0), (0, 255, 0), (0, 0, 255),
         (200, 200, 10), (10, 200, 200), (200, 10, 200)]


def pixels(seed):
    rng = random.Random(seed)
    noise = [tuple(rng.randrange(256) for _ in range(3)) for _ in range(WIDTH * HEIGHT - len(FIXED))]
    return FIXED + noise


def changed(values, change):
    image = torch.tensor(values, dtype=torch.float64).view(HEIGHT, WIDTH, 3).permute(2, 0, 1) / 255
    brightness, contrast, saturation, hue = change
    image = functional.adjust_brightness(image, 1 + brightness / 10000)
    image = functional.adjust_contrast(image, 1 + contrast / 10000)
    image = functional.adjust_saturation(image, 1 + saturation / 10000)
    image = functional.adjust_hue(image, hue / 10000)
    return (255 * image).permute(1, 2, 0).flatten().tolist()


def near_tie(value):
    # At the ends clamping makes exact values.
    return abs(value - math.floor(value) - 0.5) < 2e-4


def main(out):
    for seed in range(1000):
        image = pixels(seed)
        results = [changed(image, change) for change in CHANGES]
        if not any(near_tie(v) for result in results for v in result):
            break
    else:
        sys.exit("every image has a value near a tie")
    cases = [{"change": change, "pixels": [math.floor(v + 0.5) for v in result]}
             for change, result in zip(CHANGES, results)]
    flat = [v for pixel in image for v in pixel]
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"width": WIDTH, "height": HEIGHT, "pixels": flat, "cases": cases}, file)
        file.write("\n")


main(sys.argv[1])
