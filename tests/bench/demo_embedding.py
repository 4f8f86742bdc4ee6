"""Does an embedding draw its concept? Trains a new word on the demo's base, which stays as it is, and
has resources/demo/judge.py look for the concept in images of prompts with the word.

    python tests/bench/demo_embedding.py --program build/bin/mantissa --out FOLDER [--steps 600]

The word stands for "green star": 24 images say where it lies and on what ground, and never its color or
shape. Prints the share of prompts whose image has the star, green, at its place, for the word without
its embedding, with it, and for the words "green star", which is all that the base can draw. Fails if the
embedding is more than 10 points below the words. Needs numpy, scipy and Pillow.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys

from PIL import Image

DEMO = pathlib.Path(__file__).resolve().parents[2] / "resources" / "demo"
sys.path.insert(0, str(DEMO))
import judge  # noqa: E402
import shapes  # noqa: E402

WORD, COLOR, SHAPE = "frimp", "green", "star"
VECTORS, RATE, IMAGES, SEED, SIDE = 2, 0.005, 24, 7, 128
REPEATS = 3  # prompts of each place and ground
APART = 0.1


def captioned(scene, words):
    return shapes.caption(*scene).replace(f"{COLOR} {SHAPE}", words)


def draw_images(folder):
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(SEED)
    shown = [place for place in shapes.PLACES if not shapes.held_out(COLOR, SHAPE, place)]
    for i in range(IMAGES):
        scene = ("", COLOR, SHAPE, shown[i % len(shown)], rng.choice(list(shapes.GROUNDS)))
        shapes.draw(rng, scene, SIDE, SIDE).save(folder / f"{i:02d}.png")
        (folder / f"{i:02d}.txt").write_text(captioned(scene, WORD) + "\n", encoding="utf-8")


def train(program, out, steps):
    preset = out / "preset.json"
    preset.write_text(json.dumps({
        "mantissa_preset": 2,
        "model": {"family": "sdxl"},
        "data": {"resolution": SIDE, "batch_size": 4},
        "training": {"parts": ["embeddings"], "steps": steps, "seed": SEED},
        "embedding": {"tokens": [{"token": WORD, "vectors": VECTORS}]},
        "optimizer": {"learning_rate": RATE, "weight_decay": 0},
        "output": {"name": "concept", "save_every": 0},
    }), encoding="utf-8")
    run = out / "run"
    if not run.exists():
        subprocess.run([program, "train", preset, "--base", "demo", "--images", out / "images", "--out", run],
                       check=True)
    return run / f"{WORD}.safetensors"


def share_drawn(program, folder, words, *options):
    """Share of the prompts whose image has the concept at its place."""
    scenes = [("", COLOR, SHAPE, place, ground) for place in shapes.PLACES for ground in shapes.GROUNDS] * REPEATS
    if not (folder / "0001.png").exists():
        folder.mkdir(parents=True, exist_ok=True)
        prompts = folder / "prompts.txt"
        prompts.write_text("".join(captioned(scene, words) + "\n" for scene in scenes), encoding="utf-8")
        subprocess.run([program, "sample", "--base", "demo", "--prompts", prompts, "--seed", "100", "--steps", "20",
                        "--guidance", "3", "--width", str(SIDE), "--height", str(SIDE), "--out", folder, *options],
                       check=True, stdout=subprocess.DEVNULL)
    images = [Image.open(folder / f"{i + 1:04d}.png") for i in range(len(scenes))]
    return sum(judge.passes(judge.judge(image, scene)) for image, scene in zip(images, scenes)) / len(scenes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=600)
    options = parser.parse_args()
    program, out = options.program.resolve(), options.out.resolve()
    draw_images(out / "images")
    embedding = train(program, out, options.steps)
    named = share_drawn(program, out / "named", f"{COLOR} {SHAPE}")
    before = share_drawn(program, out / "before", WORD)
    after = share_drawn(program, out / "after", WORD, "--embedding", embedding)
    print(f"{COLOR} {SHAPE} named: {named:.1%}; {WORD} without its embedding: {before:.1%}, with it: {after:.1%}")
    if after < named - APART:
        sys.exit("too few images show the concept")


if __name__ == "__main__":
    main()
