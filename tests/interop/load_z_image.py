"""Z-Image's adapters must load in diffusers and change the image in the same way.

    python tests/interop/load_z_image.py [--program build/bin/mantissa]

Trains the tiny Z-Image of tests/golden/models for 3 steps, writes the LoRA in ComfyUI's, kohya's and diffusers'
naming, renders with `mantissa sample`, loads each file with ZImagePipeline.load_lora_weights and renders from the
same start noise: captions, transformer, schedule, guidance and VAE of both programs. Fails on a layer that isn't
adapted, on images below 60 dB PSNR between the programs, and on an adapter without visible effect.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import torch
from diffusers import ZImagePipeline
from peft.tuners.lora import LoraLayer
from PIL import Image

import load_lora
import mini_base
from mini_base import ROOT

MODEL = ROOT / "tests" / "golden" / "models" / "z_image"
PROMPT, NEGATIVE, STEPS, GUIDANCE, SEED, WIDTH, HEIGHT = "a photo of a red cat", "", 4, 4.0, 11, 96, 64
# What Qwen3's own template makes of one user's message; the tiny tokenizer has none.
TEMPLATE = ("{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
            "<|im_start|>assistant{{ '\\n' }}")  # a line break at the end of a template is dropped
MODULES = 5 * 4  # q, k, v and output of three layers and a refiner of each kind


def run(program, home, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True,
                          env={**os.environ, "MANTISSA_HOME": str(home)})
    if done.returncode != 0:
        sys.exit(f"mantissa {' '.join(map(str, arguments))} exited {done.returncode}:\n{done.stderr[-3000:]}")


def train(program, folder, style):
    preset = folder / f"{style}.json"
    preset.write_text(json.dumps({
        "mantissa_preset": 2, "name": style, "model": {"family": "z_image"}, "adapter": {"rank": 4, "alpha": 6},
        "data": {"resolution": 64, "batch_size": 2}, "training": {"steps": 3, "seed": 3},
        "optimizer": {"type": "adamw", "learning_rate": 5e-2}, "output": {"name": style, "format": style}}))
    out = folder / style
    run(program, folder / "home", "train", preset, "--base", MODEL, "--images", "demo", "--out", out)
    return out / f"{style}.safetensors"


def sample(program, folder, *lora):
    out = folder / "sample.png"
    run(program, folder / "home", "sample", "--base", MODEL, *lora, "--prompt", PROMPT, "--negative", NEGATIVE,
        "--steps", STEPS, "--guidance", GUIDANCE, "--seed", SEED, "--width", WIDTH, "--height", HEIGHT,
        "--sampler", "euler", "--out", out, "--overwrite")
    return np.asarray(Image.open(out).convert("RGB"), dtype=np.float64)


def reference(lora, failures, what):
    pipe = ZImagePipeline.from_pretrained(MODEL, torch_dtype=torch.float32)
    pipe.set_progress_bar_config(disable=True)
    pipe.tokenizer.chat_template = TEMPLATE
    if lora:
        pipe.load_lora_weights(lora)
        layers = [m for m in pipe.transformer.modules() if isinstance(m, LoraLayer)]
        failures.require(f"{what}: every layer is adapted", len(layers) == MODULES and all(
            b.weight.abs().max() > 0 for m in layers for b in m.lora_B.values()), f"{len(layers)} layers")
    factor = pipe.vae_scale_factor
    noise = load_lora.philox_normal(HEIGHT // factor * (WIDTH // factor) * 16, SEED, load_lora.SAMPLER_STREAM)
    start = torch.from_numpy(noise).reshape(1, HEIGHT // factor, WIDTH // factor, 16).permute(0, 3, 1, 2)
    with torch.no_grad():
        # Its guidance is what is added to the prompt's prediction.
        image = pipe(prompt=PROMPT, negative_prompt=NEGATIVE, latents=start.contiguous(), height=HEIGHT, width=WIDTH,
                     num_inference_steps=STEPS, guidance_scale=GUIDANCE - 1, output_type="np").images[0]
    return np.floor(image.astype(np.float64) * 255 + 0.5)


def psnr(a, b):
    error = np.mean((a - b) ** 2)
    return 99.0 if error == 0 else 10 * np.log10(255**2 / error)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / "build" / "bin" / "mantissa"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    failures = mini_base.Failures()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        plain = sample(options.program, folder)
        failures.check("base: PSNR between the programs", psnr(plain, reference(None, failures, "base")), 60, True)
        for style in ("comfyui", "kohya", "diffusers"):
            lora = train(options.program, folder, style)
            image = sample(options.program, folder, "--lora", lora)
            same = psnr(image, reference(lora, failures, style))
            failures.check(f"{style}: PSNR between the programs", same, 60, True)
            failures.check(f"{style}: PSNR to the image without it", psnr(image, plain), 40)
    failures.exit()


if __name__ == "__main__":
    main()
