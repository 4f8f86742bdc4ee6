"""A step of a full-size transformer on a CPU: Mantissa compared with PyTorch + diffusers + PEFT, seconds and memory.

    python tests/bench/make_full_family.py flux2 /tmp/klein
    python tests/bench/compare_full_family.py flux2 /tmp/klein [--weights bf16,fp8_e4m3] [--steps 2] [--threads 2]
           [--variants pure,autocast] [--resolution 512]

LoRA (rank 16 on attention), batch 1, gradient checkpointing, BF16 compute, AdamW; families z_image, flux2, flux3,
anima, krea2, qwen_image_21. Mantissa trains once on a drawn image with --trace, which also shows how long it takes
from opening the folder to the first step; then both programs replay the trace's steps, each in a process of its own:
the same latents, noise, timesteps, text and adapters, whose B is not zero. PyTorch has BF16 weights, with BF16
adapters (pure) or FP32 ones (autocast). The gate, beside the trace: the first loss within 1 %, the whole first gradient within 10 % of its norm;
weights of 8 or 4 bits: the loss within 5 %, the gradient is printed. Peak memory is the process's resident set, mapped
pages of the file included. Processor seconds count both cores; Mantissa's include opening, planning and saving.
"""

import argparse
import contextlib
import importlib
import json
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

from compare_full_sdxl import DEMO, run
from gradient_gate import draw_up_projections, first_loss, passes, replayed_error

TESTS = pathlib.Path(__file__).resolve().parent.parent
# By family: the embedding of times, and the times' unit there.
ROUNDED_TIMES = {"flux3": ("time_proj", 1), "qwen_image_21": ("time_text_embed.time_proj", 1000)}


# -- the PyTorch side, a separate process --------------------------------------------------------

def prediction(reference, family, model, latents, timesteps, get):
    """As the family's pipeline calls its transformer."""
    inputs = {"latents": latents, "timesteps": timesteps, "text": get("context").to(latents.dtype)}
    if family == "z_image":
        return reference.predict(model, inputs, [int(get("layout")[0, :, 0].sum())])
    if family == "krea2":
        inputs["keys"] = get("mask")
    if family == "qwen_image_21":
        inputs["lengths"] = get("length").flatten()
    with exact_times(model, family, timesteps):
        return reference.predict(model, inputs)


@contextlib.contextmanager
def exact_times(model, family, timesteps):
    """Embeds the given times: these models round them to their own type first, 615.03 to 616 in BF16."""
    if family not in ROUNDED_TIMES:
        yield
        return
    import torch
    embedding, scale = ROUNDED_TIMES[family]

    def given(_, arguments):  # text and references have time 0
        return (torch.where(arguments[0] == 0, 0.0, timesteps / scale),)

    hook = model.get_submodule(embedding).register_forward_pre_hook(given)
    try:
        yield
    finally:
        hook.remove()


def pytorch(options):
    sys.path[:0] = [str(TESTS / "golden"), str(TESTS / "interop")]
    import diffusers
    import torch
    from replay_trace import Trace, adapt

    reference = importlib.import_module("make_" + options.family.replace("_21", "21"))
    torch.set_num_threads(options.threads)  # after that module, which takes one
    began = time.perf_counter()
    name = json.loads((pathlib.Path(options.base) / "model_index.json").read_text())["transformer"][1]
    model = getattr(diffusers, name).from_pretrained(f"{options.base}/transformer", torch_dtype=torch.bfloat16)
    model.requires_grad_(False).train()
    trace = Trace(options.trace)
    tables = {name: table.clone() for name, table in model.named_buffers()}  # of frequencies
    named = adapt({"unet": model}, trace, torch.bfloat16)
    for name, table in model.named_buffers():
        table.data = tables[name]
    if options.pytorch == "autocast":
        for parameter in named.values():
            parameter.data = parameter.data.float()
    model.enable_gradient_checkpointing()
    optimizer = torch.optim.AdamW(named.values(), lr=1e-4, weight_decay=0.01)
    report = {"load": time.perf_counter() - began, "seconds": [], "loss": [], "cpu": 0.0}
    for number in range(1, options.steps + 1):
        get = lambda name: trace.step(number, name)  # noqa: E731, B023
        start, cpu = time.perf_counter(), time.process_time()
        level = (get("timesteps").float() / 1000).view(-1, 1, 1, 1)
        noisy = ((1 - level) * get("latents") + level * get("noise")).to(torch.bfloat16)
        with torch.autocast("cpu", torch.bfloat16, enabled=options.pytorch == "autocast"):
            out = prediction(reference, options.family, model, noisy, get("timesteps").float(), get)
        loss = torch.nn.functional.mse_loss(out.float(), get("target"))
        loss.backward()
        if number == 1:
            paused, paused_cpu = time.perf_counter(), time.process_time()
            wanted = {k: get("grad." + k).double() for k in named}
            off = sum(((named[k].grad.double() - w) ** 2).sum().item() for k, w in wanted.items())
            report["gradient_error"] = (off / sum((w**2).sum().item() for w in wanted.values())) ** 0.5
            start += time.perf_counter() - paused
            cpu += time.process_time() - paused_cpu
        torch.nn.utils.clip_grad_norm_(named.values(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        report["seconds"].append(time.perf_counter() - start)
        report["cpu"] += (time.process_time() - cpu) / options.steps
        report["loss"].append(loss.item())
    print(json.dumps(report))


# -- both sides ----------------------------------------------------------------------------------

def mantissa(options, folder, more, weights, count=None):
    count = count or options.steps
    preset = {"mantissa_preset": 2, "name": "full",
              "adapter": {"type": "lora", "rank": 16, "alpha": 16, "targets": "attention"},
              "precision": {"weights": {"denoiser": weights, "text_encoders": "bf16", "vae": "bf16"}, "compute": "bf16"},
              "data": {"resolution": options.resolution},
              "training": {"steps": count, "gradient_checkpointing": True},
              "optimizer": {"type": "adamw", "learning_rate": 1e-4, "weight_decay": 0.01}}
    path = folder / "preset.json"
    path.write_text(json.dumps(preset))
    began = time.perf_counter()
    out, peak, cpu = run([options.program, "train", path, "--base", options.base, "--json", "--health-every", "0",
                        "--out", tempfile.mkdtemp(dir=folder), *more], folder / "home")
    steps = [e for e in map(json.loads, filter(lambda line: line.startswith("{"), out.splitlines()))
             if e["event"] == "step"]
    seconds = [e["seconds"] for e in steps]
    return {"seconds": seconds, "loss": [e["loss"] for e in steps], "peak": peak,
            "cpu": cpu / count, "load": time.perf_counter() - began - sum(seconds)}


def make_trace(options, folder, trace):
    images = folder / "images"
    images.mkdir()
    for file in (DEMO / "images").glob("zorb_01.*"):
        shutil.copy(file, images)
    first = folder / "first.safetensors"
    made = mantissa(options, folder, ["--images", images, "--trace", first, "--trace-steps", options.steps], "bf16")
    draw_up_projections(first)
    mantissa(options, folder, ["--replay", first, "--trace", trace, "--trace-steps", options.steps], "bf16")
    print(f"with text encoder and VAE, all but the steps: {made['load']:.0f} s, peak {made['peak'] / 2**30:.2f} GiB")


def measure(options, folder, trace, label):
    if label.startswith("Mantissa"):
        weights = label.split()[1]
        error = replayed_error(trace, folder, lambda more: mantissa(options, folder, more, weights, 1))
        return mantissa(options, folder, ["--replay", trace], weights) | {"gradient_error": error}
    out, peak, _ = run([sys.executable, __file__, options.family, options.base, "--pytorch", label.split()[1],
                        "--trace", trace, "--steps", options.steps, "--threads", options.threads], folder)
    return json.loads(out.splitlines()[-1]) | {"peak": peak}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("family")
    parser.add_argument("base")
    parser.add_argument("--program", default="build/bin/mantissa")
    parser.add_argument("--resolution", type=int, default=512)
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--weights", default="bf16", help="of the denoiser, for Mantissa's rows: bf16,fp8_e4m3")
    parser.add_argument("--variants", default="pure", help="PyTorch's rows: pure,autocast")
    parser.add_argument("--pytorch", help=argparse.SUPPRESS)
    parser.add_argument("--trace", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.pytorch:
        return pytorch(options)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        trace = folder / "trace.safetensors"
        make_trace(options, folder, trace)
        labels = [f"Mantissa {w}" for w in options.weights.split(",")]
        labels += [f"PyTorch {v}" for v in options.variants.split(",") if v]
        rows = {label: measure(options, folder, trace, label) for label in labels}
        reference = first_loss(trace)
    first = rows[labels[0]]
    if not all([passes(label, row["loss"][0], row["gradient_error"], reference, label.split()[1])
                for label, row in rows.items()]):
        sys.exit("the programs don't compute the same thing: no comparison")
    print("| program | seconds a step | over the first | processor seconds | over the first | opening, s | peak memory |")
    print("|---|---|---|---|---|---|---|")
    ours = statistics.median(first["seconds"])
    for label, row in rows.items():
        seconds = statistics.median(row["seconds"])
        print(f"| {label} | {seconds:.1f} | {seconds / ours:.2f} | {row['cpu']:.0f} | {row['cpu'] / first['cpu']:.2f} | "
              f"{row['load']:.1f} | {row['peak'] / 2**30:.2f} GiB |")


if __name__ == "__main__":
    main()
