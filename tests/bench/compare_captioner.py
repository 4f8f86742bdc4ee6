"""Mantissa and transformers writing about images with one random Qwen3-VL, on the same cores, in one run.

    python tests/bench/compare_captioner.py FOLDER [--program build/bin/mantissa] [--threads 2] [--tokens 48]
           [--images 2] [--side 512] [--precisions bf16,fp32] [--real] [--cancel 6]

FOLDER gets the model, BF16, if it has none: 4 blocks of a vision tower of width 512 and 6 layers of a language model of
width 1024, with a tenth of Qwen3-VL's words: 131 million weights; with --real the widths, depths and words of
Qwen3-VL-2B: 2.1 billion. With --cancel nothing is compared: `mantissa caption` is interrupted so many times, at moments
spread over an image, and the seconds until it has ended are printed. Both programs write as many tokens about each image,
greedily, in BF16 and FP32, in turns (A B B A); the first image of each turn isn't counted. Printed: the median seconds
of an image, as a Markdown table. Mantissa is called as a user calls it; its model never ends its answer, so that every
image gets to the last token.
"""

import argparse
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time

import numpy as np
import torch
from PIL import Image
from safetensors.torch import save_file
from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROMPT = "Describe this image."
SETTINGS = dict(size={"shortest_edge": 65536, "longest_edge": 16777216}, patch_size=16, merge_size=2,
                temporal_patch_size=2, image_mean=[0.5, 0.5, 0.5], image_std=[0.5, 0.5, 0.5])
IMAGE, WORDS = 312, 15360


def make_model(folder, real):
    words = 151936 if real else WORDS
    text = ((2048, 6144, 28, 16, 8) if real else (1024, 3072, 6, 8, 4))
    vision = ((24, 1024, 4096, 16, [5, 11, 17]) if real else (4, 512, 2048, 8, [0, 1, 2]))
    described = Qwen3VLConfig(
        text_config=dict(vocab_size=words, hidden_size=text[0], intermediate_size=text[1], num_hidden_layers=text[2],
                         num_attention_heads=text[3], num_key_value_heads=text[4], head_dim=128, tie_word_embeddings=True,
                         rope_parameters=dict(rope_type="default", rope_theta=5e6, mrope_section=[24, 20, 20],
                                              mrope_interleaved=True)),
        vision_config=dict(depth=vision[0], hidden_size=vision[1], intermediate_size=vision[2], num_heads=vision[3],
                           out_hidden_size=text[0], deepstack_visual_indexes=vision[4]),
        image_token_id=IMAGE, tie_word_embeddings=True)
    torch.manual_seed(0)
    torch.set_default_dtype(torch.bfloat16)  # the large one in half the memory
    model = Qwen3VLForConditionalGeneration(described)
    torch.set_default_dtype(torch.float32)
    folder.mkdir(parents=True, exist_ok=True)
    save_file({k: v.contiguous() for k, v in model.state_dict().items() if k != "lm_head.weight"},
              folder / "model.safetensors", {"format": "pt"})
    (folder / "config.json").write_text(json.dumps(described.to_dict(), indent=1))
    (folder / "preprocessor_config.json").write_text(json.dumps(SETTINGS))
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": [words]}))
    tokenizer = ROOT / "tests/golden/captioners/qwen3_vl_tied"
    for file in ("tokenizer.json", "tokenizer_config.json"):
        (folder / file).write_bytes((tokenizer / file).read_bytes())


def make_images(folder, count, side):
    folder.mkdir(exist_ok=True)
    for i in range(count + 1):
        coarse = np.random.default_rng(i).integers(0, 256, (9, 9, 3), dtype=np.uint8)
        Image.fromarray(coarse).resize((side, side), Image.Resampling.BICUBIC).save(folder / f"{i}.png")
    return sorted(folder.glob("*.png"))


def caption(o, images, precision):
    """Mantissa captioning, as a process."""
    command = [o.program, "caption", str(images[0].parent), "--captioner", str(o.folder), "--precision", precision,
               "--max-tokens", str(o.tokens), "--prompt", PROMPT, "--dry-run", "--json"]
    home = dict(os.environ, MANTISSA_HOME=str(o.folder / "home"))
    cores = ",".join(str(i) for i in range(o.threads))
    return subprocess.Popen(["taskset", "-c", cores, *command], stdout=subprocess.PIPE, text=True, env=home,
                            stderr=subprocess.DEVNULL)


def captioned(process):
    """Goes on with each caption that is told."""
    return (time.monotonic() for line in process.stdout if json.loads(line).get("event") == "caption")


def cancelled(o, images):
    """Seconds from an interruption to the end, at moments spread over the second image."""
    process = caption(o, images, "bf16")
    first, second, *_ = list(captioned(process))
    process.wait()
    print(f"an image takes {second - first:.1f} s")
    waits = []
    for i in range(o.cancel):
        process = caption(o, images, "bf16")
        next(captioned(process))
        moment = (second - first) * (i + 0.5) / o.cancel
        time.sleep(moment)
        asked = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait()
        waits.append(time.monotonic() - asked)
        print(f"interrupted {moment:.1f} s into an image: ended after {waits[-1]:.2f} s, status {process.returncode}",
              flush=True)
    print(f"median {statistics.median(waits):.2f} s, at most {max(waits):.2f} s")


def by_mantissa(o, images, precision):
    """Seconds of each image but the first."""
    process = caption(o, images, precision)
    times = list(captioned(process))
    process.wait()
    return [b - a for a, b in zip(times, times[1:])]


def by_transformers(o, images, precision):
    from tokenizers import Tokenizer
    torch.set_num_threads(o.threads)
    kind = torch.float32 if precision == "fp32" else torch.bfloat16
    model = Qwen3VLForConditionalGeneration.from_pretrained(o.folder, dtype=kind).eval()
    tokenizer, processor = Tokenizer.from_file(str(o.folder / "tokenizer.json")), Qwen2VLImageProcessorPil(**SETTINGS)
    before = tokenizer.encode("<|im_start|>user\n<|vision_start|>").ids
    after = tokenizer.encode(f"<|vision_end|>{PROMPT}<|im_end|>\n<|im_start|>assistant\n").ids
    times = [time.monotonic()]
    for image in images:
        prepared = processor(images=[Image.open(image).convert("RGB")], return_tensors="pt")
        grid = prepared["image_grid_thw"]
        ids = torch.tensor([before + [IMAGE] * (int(grid.prod()) // 4) + after])
        with torch.inference_mode():
            model.generate(input_ids=ids, mm_token_type_ids=(ids == IMAGE).int(), image_grid_thw=grid,
                           pixel_values=prepared["pixel_values"].to(kind), do_sample=False,
                           max_new_tokens=o.tokens, min_new_tokens=o.tokens)
        times.append(time.monotonic())
    return [b - a for a, b in zip(times[1:], times[2:])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--program", default=str(ROOT / "build/bin/mantissa"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--tokens", type=int, default=48)
    parser.add_argument("--images", type=int, default=2)
    parser.add_argument("--side", type=int, default=512)
    parser.add_argument("--precisions", default="bf16,fp32")
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--cancel", type=int, default=0)
    o = parser.parse_args()
    if not (o.folder / "model.safetensors").exists():
        make_model(o.folder, o.real)
    images = make_images(o.folder / "images", o.images, o.side)
    if o.cancel:
        return cancelled(o, images)
    print(f"| precision | tokens | Mantissa, s | transformers {__import__('transformers').__version__}, s | ratio |")
    print("|---|---|---|---|---|")
    for precision in o.precisions.split(","):
        seconds = {by_mantissa: [], by_transformers: []}
        for turn in (by_mantissa, by_transformers, by_transformers, by_mantissa):
            seconds[turn] += turn(o, images, precision)
        ours, theirs = (statistics.median(seconds[k]) for k in (by_mantissa, by_transformers))
        print(f"| {precision} | {o.tokens} | {ours:.2f} | {theirs:.2f} | {ours / theirs:.2f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
