"""Adapters written by `mantissa train` must load in diffusers and change the image in the same way.

    python tests/interop/load_lora.py [--program build/bin/mantissa] [--vocabulary bpe_simple_vocab_16e6.txt.gz]

Trains the mini model briefly (UNet linear+conv; UNet and both text encoders), writes kohya and
diffusers files, renders with `mantissa sample`, loads each file with
StableDiffusionXLPipeline.load_lora_weights and renders from the same start noise. Fails on any
warning (except the two that diffusers gives for every file without text encoder keys), on images
below 60 dB PSNR between the programs, and on an adapter without visible effect. Also: every file
opens with the safetensors package and, in canonical form, has the same bytes.
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
from diffusers import StableDiffusionXLPipeline
from PIL import Image
from safetensors import safe_open
from safetensors.numpy import load_file, save

import mini_base
from mini_base import ROOT

PROMPT, STEPS, GUIDANCE, SEED, WIDTH, HEIGHT = "a coral zorb on a hill, two-ink print", 10, 5.0, 11, 160, 128
SAMPLER_STREAM = 8
RUNS = {
    "unet": ({"targets": "linear+conv", "rank": 8, "conv_rank": 4, "alpha": 6}, ["unet"]),
    "text": ({"targets": "attention+mlp", "rank": 4, "alpha": 8}, ["unet", "te1", "te2"]),
}
NO_TEXT_KEYS = "No LoRA keys associated to CLIPTextModel"


def philox_normal(count, seed, stream):
    """kernels/philox.h: element i from pair i/2 of the words of (seed, stream, step 0, sample 0)."""
    blocks, mask = np.arange((count + 3) // 4, dtype=np.uint64), np.uint64(0xFFFFFFFF)
    counter = [blocks, np.zeros_like(blocks), np.zeros_like(blocks), np.full_like(blocks, stream)]
    key = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    for _ in range(10):
        first, second = np.uint64(0xD2511F53) * counter[0], np.uint64(0xCD9E8D57) * counter[2]
        counter = [(second >> np.uint64(32)) ^ counter[1] ^ key[0], second & mask,
                   (first >> np.uint64(32)) ^ counter[3] ^ key[1], first & mask]
        key = [(key[0] + np.uint64(0x9E3779B9)) & mask, (key[1] + np.uint64(0xBB67AE85)) & mask]
    values = []
    for a, b in ((counter[0], counter[1]), (counter[2], counter[3])):
        radius = np.sqrt(-2 * np.log((a.astype(np.float64) + 0.5) * 2.0**-32))
        angle = 2 * np.pi * b.astype(np.float64) * 2.0**-32
        values += [radius * np.cos(angle), radius * np.sin(angle)]
    return np.stack(values, axis=1).reshape(-1)[:count].astype(np.float32)


def run(program, home, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True,
                          env={**os.environ, "MANTISSA_HOME": str(home)})
    if done.returncode != 0:
        sys.exit(f"mantissa {' '.join(map(str, arguments))} exited {done.returncode}:\n{done.stderr[-3000:]}")


def train(program, folder, name, style):
    adapter, parts = RUNS[name]
    preset = folder / f"{name}-{style}.json"
    preset.write_text(json.dumps({
        "mantissa_preset": 1, "name": name, "model": {"family": "sdxl"}, "adapter": {"type": "lora", **adapter},
        "data": {"resolution": 128, "batch_size": 2}, "training": {"parts": parts, "steps": 12, "seed": 3},
        "optimizer": {"type": "adamw", "learning_rate": 1e-2}, "output": {"name": name, "format": style}}))
    out = folder / f"{name}-{style}"
    run(program, folder / "home", "train", preset, "--base", "demo", "--images", "demo", "--out", out)
    return out / f"{name}.safetensors"


def sample(program, folder, *lora):
    out = folder / "sample.png"
    run(program, folder / "home", "sample", "--base", "demo", *lora, "--prompt", PROMPT, "--steps", STEPS,
        "--guidance", GUIDANCE, "--seed", SEED, "--width", WIDTH, "--height", HEIGHT, "--out", out)
    return np.asarray(Image.open(out).convert("RGB"), dtype=np.float64)


class Diffusers:
    def __init__(self, vocabulary):
        self.unet, self.vae, self.te1, self.te2 = mini_base.load_all()
        self.ids = mini_base.tokenizer(vocabulary)
        self.pipe = StableDiffusionXLPipeline(
            vae=self.vae, text_encoder=self.te1, text_encoder_2=self.te2, tokenizer=None, tokenizer_2=None,
            unet=self.unet, scheduler=mini_base.euler(), add_watermarker=False)
        self.pipe.set_progress_bar_config(disable=True)
        self.warnings = mini_base.CollectWarnings()

    def text(self, text):
        first = self.pipe.text_encoder(self.ids([text], 49407), output_hidden_states=True)
        second = self.pipe.text_encoder_2(self.ids([text], 0), output_hidden_states=True)
        return torch.cat([first.hidden_states[-2], second.hidden_states[-2]], -1), second.text_embeds

    @torch.no_grad()
    def sample(self):
        (context, pooled), (negative, negative_pooled) = self.text(PROMPT), self.text("")
        height, width = HEIGHT // self.pipe.vae_scale_factor, WIDTH // self.pipe.vae_scale_factor
        noise = philox_normal(height * width * 4, SEED, SAMPLER_STREAM)
        start = torch.from_numpy(noise).reshape(1, height, width, 4).permute(0, 3, 1, 2)
        image = self.pipe(prompt_embeds=context, pooled_prompt_embeds=pooled, negative_prompt_embeds=negative,
                          negative_pooled_prompt_embeds=negative_pooled, latents=start.contiguous(), height=HEIGHT,
                          width=WIDTH, num_inference_steps=STEPS, guidance_scale=GUIDANCE, output_type="np").images[0]
        return np.floor(image.astype(np.float64) * 255 + 0.5)

    def with_lora(self, path):
        self.warnings.messages.clear()
        self.pipe.load_lora_weights(str(path))
        messages = list(self.warnings.messages)
        image = self.sample()
        self.pipe.unload_lora_weights()
        return image, messages


def psnr(a, b):
    return mini_base.psnr(torch.from_numpy(a), torch.from_numpy(b), 255.0)


def check_bytes(path, failures):
    """Opens with the safetensors package, which writes the same data bytes for the same tensors."""
    tensors = load_file(path)
    with safe_open(path, "np") as file:
        metadata = file.metadata()
    data = path.read_bytes()
    header = int.from_bytes(data[:8], "little")
    other = save(tensors, metadata=metadata)
    other_header = int.from_bytes(other[:8], "little")
    layout, other_layout = (json.loads(d[8:8 + n]) for d, n in ((data, header), (other, other_header)))
    same = layout == other_layout and data[8 + header:] == other[8 + other_header:]
    failures.require(f"{path.name}: {len(tensors)} tensors, header aligned, same layout and bytes as the "
                     "safetensors package writes", same and header % 8 == 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / "build" / "bin" / "mantissa"))
    parser.add_argument("--vocabulary", default=os.environ.get(
        "MANTISSA_VOCABULARY", str(ROOT / "build/share/mantissa/bpe_simple_vocab_16e6.txt.gz")))
    options = parser.parse_args()
    torch.set_num_threads(1)
    failures = mini_base.Failures()
    other = Diffusers(options.vocabulary)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        plain_here, plain_there = sample(options.program, folder), other.sample()
        failures.check("without LoRA, PSNR dB", psnr(plain_here, plain_there), 60, at_least=True)
        for case in RUNS:
            for style in ("kohya", "diffusers"):
                path = train(options.program, folder, case, style)
                check_bytes(path, failures)
                here = sample(options.program, folder, "--lora", path)
                there, messages = other.with_lora(path)
                allowed = NO_TEXT_KEYS if RUNS[case][1] == ["unet"] else "\0"
                unexpected = [m for m in messages if allowed not in m]
                failures.require(f"{case} {style}: loads without a warning", not unexpected, "; ".join(unexpected))
                failures.check(f"{case} {style}: effect of the LoRA (mean change of 255)", np.abs(here - plain_here).mean(),
                               2.0, at_least=True)
                failures.check(f"{case} {style}: PSNR dB between the programs", psnr(here, there), 60, at_least=True)
        failures.check("LoRA unloaded: PSNR dB to before", psnr(plain_there, other.sample()), 100, at_least=True)
    failures.exit()


if __name__ == "__main__":
    main()
