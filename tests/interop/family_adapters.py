"""What the scripts of the newer families share: adapters of a tiny model must load in diffusers and change the image in
the same way.

A script describes its family with a `Family` and ends with its checks. They fail on a layer that isn't adapted, on
images below the family's PSNR between the programs (60 dB), and on an adapter without visible effect.
"""

import argparse
import contextlib
import functools
import json
import pathlib
import re
import sys
import tempfile

import numpy as np
import torch
from peft.tuners.lora import LoraLayer
from PIL import Image

import load_lora
import mini_base
from mini_base import ROOT

sys.path.insert(0, str(ROOT / "tests" / "golden"))
import drawn  # noqa: E402

PROMPT, STEPS, SEED = "a photo of a red cat", 4, 11
NOTHING = 40  # dB of PSNR to the image without the adapter, above which it has no visible effect


class Family:
    """A tiny model of tests/golden/models and diffusers' pipeline for it."""

    name = ""
    negative = ""  # None: without a negative prompt
    guidance = 4.0  # of `mantissa sample`
    width, height = 96, 64  # None: those of the reference
    channels = 16  # of the latents
    references = ()  # sizes of the images that are edited
    pairs = False  # the adapter is trained on images with references
    likeness = 60  # dB of PSNR between the programs, at least
    modules = {}  # how many are adapted, by part of the pipeline
    idle = ""  # a pattern of those that can't change the image and so learn nothing
    preset = {}  # beyond what every preset has

    @functools.cached_property
    def model(self):
        return drawn.whole(ROOT / "tests" / "golden" / "models" / self.name)

    def pipeline(self, base):
        raise NotImplementedError

    def factor(self, pipe):
        """Pixels of a latent's side."""
        return pipe.vae_scale_factor

    def canvas(self, pipe):
        """Width and height of what is drawn."""
        return self.width, self.height

    def render(self, pipe, start, **options):
        """The image [height, width, 3] in [0, 1] from noise [1, channels, rows, columns]."""
        return pipe(latents=start, output_type="np", **options).images[0]


class Checks:
    """Both programs on one family, in a folder of its own."""

    def __init__(self, family, program, folder, failures):
        self.family, self.program, self.folder, self.failures = family, program, folder, failures

    def run(self, *arguments):
        load_lora.run(self.program, self.folder / "home", *arguments)

    def train(self, style):
        preset = self.folder / f"{style}.json"
        preset.write_text(json.dumps({
            "mantissa_preset": 2, "name": style, "adapter": {"rank": 4, "alpha": 6},
            "data": {"resolution": 64, "batch_size": 2}, "training": {"steps": 3, "seed": 3},
            "optimizer": {"type": "adamw", "learning_rate": 5e-2}, "output": {"name": style, "format": style},
        } | self.family.preset))
        out = self.folder / style
        images = self.pairs() if self.family.pairs else ("--images", "demo")
        self.run("train", preset, "--base", self.family.model, *images, "--out", out)
        return out / f"{style}.safetensors"

    def pairs(self):
        """The arguments for two images with a reference each."""
        for i, folder in enumerate(("after", "before")):
            (self.folder / folder).mkdir(exist_ok=True)
            for name in "ab":
                pixels = np.random.default_rng([i, ord(name)]).integers(0, 256, (64, 64, 3))
                Image.fromarray(pixels.astype(np.uint8)).save(self.folder / folder / f"{name}.png")
        return "--images", self.folder / "after", "--references", self.folder / "before"

    def references(self):
        """Their files: smooth gradients with noise."""
        files = []
        for i, (width, height) in enumerate(self.family.references):
            rows, columns = np.mgrid[0:1:height * 1j, 0:1:width * 1j]
            shades = np.stack([rows, columns, rows * columns], axis=-1) * 200
            noise = np.random.default_rng(i).integers(0, 56, shades.shape)
            files.append(self.folder / f"reference_{i}.png")
            Image.fromarray((shades + noise).astype(np.uint8)).save(files[-1])
        return files

    def sample(self, base, *lora):
        out = self.folder / "sample.png"
        edited = [argument for file in self.references() for argument in ("--reference", file)]
        negative = [] if self.family.negative is None else ["--negative", self.family.negative]
        size = [] if self.family.width is None else ["--width", self.family.width, "--height", self.family.height]
        self.run("sample", "--base", base, *lora, "--prompt", PROMPT, *negative, *edited, "--steps", STEPS,
                 "--guidance", self.family.guidance, "--seed", SEED, *size, "--sampler", "euler", "--out", out,
                 "--overwrite")
        return np.asarray(Image.open(out).convert("RGB"), dtype=np.float64)

    def reference(self, base, lora, what):
        family, pipe = self.family, self.family.pipeline(base)
        pipe.set_progress_bar_config(disable=True)
        if lora:
            pipe.load_lora_weights(lora)
            for part, count in family.modules.items():
                layers = {n: m for n, m in getattr(pipe, part).named_modules() if isinstance(m, LoraLayer)}
                self.failures.require(f"{what}: every layer of the {part} is adapted", len(layers) == count and all(
                    (b.weight.abs().max() > 0) != bool(re.fullmatch(family.idle, n))
                    for n, m in layers.items() for b in m.lora_B.values()), f"{len(layers)} layers")
        width, height = family.canvas(pipe)
        rows, columns = height // family.factor(pipe), width // family.factor(pipe)
        noise = load_lora.philox_normal(rows * columns * family.channels, SEED, load_lora.SAMPLER_STREAM)
        start = torch.from_numpy(noise).reshape(1, rows, columns, family.channels).permute(0, 3, 1, 2)
        negative = {} if family.negative is None else {"negative_prompt": family.negative}
        edited = {"image": [Image.open(file) for file in self.references()]} if family.references else {}
        with torch.no_grad():
            image = family.render(pipe, start.contiguous(), prompt=PROMPT, height=family.height, width=family.width,
                                  num_inference_steps=STEPS, **negative, **edited)
        return np.floor(image.astype(np.float64) * 255 + 0.5)

    def base(self):
        """Renders the base model, which `adapter` compares with."""
        self.plain = self.sample(self.family.model)
        self.same("base", self.plain, self.family.model, None)

    def same(self, what, image, base, lora):
        there = self.reference(base, lora, what)
        self.failures.check(f"{what}: PSNR between the programs", load_lora.psnr(image, there),
                            self.family.likeness, True)

    def adapter(self, style):
        """Trains one and renders with it; its file."""
        lora = self.train(style)
        image = self.sample(self.family.model, "--lora", lora)
        self.same(style, image, self.family.model, lora)
        self.failures.check(f"{style}: PSNR to the image without it", load_lora.psnr(image, self.plain), NOTHING)
        return lora

    def merged(self, lora):
        """The same for the base model with the adapter, as Mantissa writes it: as a folder."""
        out = self.folder / "merged"
        self.run("merge", "--base", self.family.model, "--lora", lora, "--out", out)
        self.same("merged", self.sample(out), out, None)


@contextlib.contextmanager
def checks(family):
    """The checks of a script, with the arguments of its command line; exits with their result."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / "build" / "bin" / "mantissa"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    failures = mini_base.Failures()
    with tempfile.TemporaryDirectory() as name:
        each = Checks(family, options.program, pathlib.Path(name), failures)
        each.base()
        yield each
    failures.exit()
