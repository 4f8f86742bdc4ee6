"""SDXL with FP8 weights streamed within a budget: the losses of the run without one, to the bit, and
a peak below the budget.

    python3 streamed.py BASE PROGRAM WORK OUT.md [--small]
"""

import json
import math
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "bench"))
import sdxl_table  # noqa: E402


class Options:
    device = "cuda"


def train(base, program, folder, small, budget):
    preset = {"mantissa_preset": 1, "name": "streamed", "model": {"family": "sdxl"},
              "adapter": {"type": "lora", "rank": 16, "alpha": 16, "targets": "attention"},
              "precision": {"weights": {"unet": "fp8_e4m3", "text_encoders": "bf16", "vae": "bf16"}, "compute": "bf16"},
              "data": {"resolution": 64 if small else 1024, "batch_size": 1},
              "training": {"steps": 4 if small else 10, "gradient_checkpointing": True}, "samples": {"every": 0}}
    (folder / "preset.json").write_text(json.dumps(preset))
    out = folder / ("streamed" if budget else "whole")
    shutil.rmtree(out, ignore_errors=True)
    command = [program, "train", folder / "preset.json", "--base", base, "--images", folder / "images", "--out", out,
               "--device", "cuda:0", "--deterministic", "--health-every", "0", "--json"]
    text, peak = sdxl_table.process(command + (["--memory-budget", budget] if budget else []), Options, folder)
    if text is None:
        sys.exit(f"{'streamed' if budget else 'whole'}: {peak}")
    print(text)
    steps = [e for e in (json.loads(line) for line in text.splitlines() if line.startswith("{")) if e["event"] == "step"]
    return (out / "log.txt").read_text(), steps, peak


def least(base, program, folder):
    """Just enough memory to run at all, as refused with less."""
    command = [program, "check", folder / "preset.json", "--base", base, "--images", folder / "images", "--device",
               "cuda:0", "--memory-budget", "1MB"]
    _, refusal = sdxl_table.process(command, Options, folder)
    needed = re.search(r"needs ([0-9]+) bytes", refusal if isinstance(refusal, str) else "")
    if needed is None:
        sys.exit(f"a budget of 1 MB was not refused: {refusal}")
    return f"{math.ceil(int(needed[1]) / 1e6) + 1}MB"


def main():
    base, program, work, out = map(pathlib.Path, sys.argv[1:5])
    small = "--small" in sys.argv
    folder = work / "fp8stream"
    images = folder / "images"
    images.mkdir(parents=True, exist_ok=True)
    for image in sorted((ROOT / "resources/demo/images").glob("zorb_*"))[:4]:
        shutil.copy(image, images)
    _, whole, peak = train(base, program, folder, small, "")
    budget = least(base, program, folder) if small else "4GB"
    log, streamed, streamed_peak = train(base, program, folder, small, budget)
    wrong = []
    if "stay in host memory" not in log:
        wrong.append("nothing was streamed")
    if [s["loss"] for s in whole] != [s["loss"] for s in streamed]:
        wrong.append("other losses than without a budget")
    if not small and streamed_peak is None:
        wrong.append("nvidia-smi does not tell the peak")
    elif not small and streamed_peak > 4e9 + CONTEXT:
        wrong.append(f"a peak of {streamed_peak / 1e9:.2f} GB")
    rows = ["| FP8 weights, 1 image, checkpointing | ms a step, median | peak, GB |", "|---|---|---|"]
    for name, steps, most in (("all on the card", whole, peak), (f"streamed within {budget}", streamed, streamed_peak)):
        times = sorted(s["seconds"] for s in steps[3:])
        rows.append(f"| {name} | {1000 * times[len(times) // 2]:.1f} | {f'{most / 1e9:.2f}' if most else '–'} |")
    out.write_text("\n".join(rows) + "\n")
    print("\n".join(rows))
    sys.exit("; ".join(wrong) if wrong else 0)


# What the driver and the libraries take of the card beside a program's own memory.
CONTEXT = 0.6e9

if __name__ == "__main__":
    main()
