"""What the demo learns in each precision, by LoRA and DoRA: share of prompts with a recognised
zorb.

    python tests/bench/demo_precisions.py --program build/bin/mantissa --out FOLDER [--count 80]
        [--only "INT8 compute,NF4 storage"]

Trains the demo once for each row, renders the same prompts with the same seeds from the base and
from every adapter, and has resources/demo/judge.py judge the images. Prints a Markdown table;
FOLDER keeps runs and images. Fails if a row is more than 5 points from FP32's or below 80 %. Needs
numpy, scipy and Pillow.
"""

import argparse
import json
import pathlib
import subprocess
import sys

from PIL import Image

DEMO = pathlib.Path(__file__).resolve().parents[2] / "resources" / "demo"
sys.path.insert(0, str(DEMO))
import draw  # noqa: E402
import judge  # noqa: E402

PRECISIONS = {
    "FP32": ["precision.compute=fp32"],
    "BF16": ["precision.compute=bf16", "precision.weights.denoiser=bf16"],
    "FP16": ["precision.compute=fp16", "precision.weights.denoiser=fp16", "precision.loss_scaling=dynamic"],
    "FP8 storage": ["precision.compute=bf16", "precision.weights.denoiser=fp8_e4m3"],
    "FP8 compute": ["precision.compute=fp8", "precision.weights.denoiser=fp8_e4m3"],
    "INT8 storage": ["precision.compute=bf16", "precision.weights.denoiser=int8"],
    "INT8 compute": ["precision.compute=int8", "precision.weights.denoiser=int8"],
    "rotated INT8 compute": ["precision.compute=int8", "precision.weights.denoiser=int8_convrot"],
    "NF4 storage": ["precision.compute=bf16", "precision.weights.denoiser=nf4"],
    "MXFP8 storage": ["precision.compute=bf16", "precision.weights.denoiser=mxfp8"],
    "NVFP4 storage": ["precision.compute=bf16", "precision.weights.denoiser=nvfp4"],
}
PROMPTS = [f"a {ink} zorb {place}, two-ink print" for place in draw.PLACES for ink in draw.INKS]
LEAST, APART = 0.8, 0.05


def prompts_file(folder, count):
    file = folder / "prompts.txt"
    file.write_text("".join(PROMPTS[i % len(PROMPTS)] + "\n" for i in range(count)), encoding="utf-8")
    return file


def share_seen(program, folder, prompts, *adapter):
    """Share of the prompts whose zorb, in their ink, is in its image."""
    if not (folder / "0001.png").exists():
        subprocess.run([program, "sample", "--base", "demo", "--prompts", prompts, "--seed", "100", "--steps", "20",
                        "--guidance", "1.5", "--width", "128", "--height", "128", "--out", folder, *adapter],
                       check=True, stdout=subprocess.DEVNULL)
    lines = prompts.read_text(encoding="utf-8").splitlines()
    seen = [judge.read_print(Image.open(folder / f"{i + 1:04d}.png")) for i in range(len(lines))]
    return sum(ink == line.split()[1] for ink, line in zip(seen, lines)) / len(lines)


def train(program, folder, settings):
    """The adapter's file and the mean loss of the last tenth."""
    done = folder.with_suffix(".json")
    if not done.exists():
        out = subprocess.run([program, "demo", "--json", "--out", folder, *[x for s in settings for x in ("--set", s)]],
                             check=True, capture_output=True, text=True).stdout
        done.write_text(out.strip().splitlines()[-1], encoding="utf-8")
    event = json.loads(done.read_text(encoding="utf-8"))
    return event["adapter"], event["last_loss"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--only", help="these precisions beside FP32, by name", default="")
    options = parser.parse_args()
    program, out = options.program.resolve(), options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    prompts = prompts_file(out, options.count)
    before = share_seen(program, out / "before", prompts)
    print(f"Before: {before:.1%} of {options.count}\n\n| Precision | LoRA | DoRA | last loss, LoRA | last loss, DoRA |")
    print("|---|---|---|---|---|")
    reached, bad = {}, []
    only = [name for name in options.only.split(",") if name]
    for name, settings in PRECISIONS.items():
        if only and name not in ["FP32", *only]:
            continue
        losses = []
        for kind in ("lora", "dora"):
            stem = f"{name}-{kind}".lower().replace(" ", "-")
            adapter, loss = train(program, out / stem, [*settings, f"adapter.type={kind}"])
            reached[name, kind] = share_seen(program, out / f"{stem}-samples", prompts, "--lora", adapter)
            losses.append(loss)
            if reached[name, kind] < max(LEAST, reached["FP32", kind] - APART):
                bad.append(f"{name} {kind}")
        print(f"| {name} | {reached[name, 'lora']:.1%} | {reached[name, 'dora']:.1%} | {losses[0]:.4f} | {losses[1]:.4f} |",
              flush=True)
    if bad:
        sys.exit("too few zorbs: " + ", ".join(bad))


if __name__ == "__main__":
    main()
