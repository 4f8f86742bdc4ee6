"""Full-size SDXL on a CPU: Mantissa compared with PyTorch + diffusers + PEFT, seconds per step and
memory.

    python tests/bench/make_full_sdxl.py base.safetensors
    python tests/bench/compare_full_sdxl.py base.safetensors [--program build/bin/mantissa]
           [--resolution 512] [--steps 2] [--rounds 1] [--threads 2] [--variants autocast,pure]

LoRA (rank 16 on attention), batch 1, gradient checkpointing, BF16 weights and compute, AdamW. Every
measurement is a separate process, interleaved (A B B A). Mantissa first trains on drawn images with
--trace; both programs then replay the trace's steps: same weights, latents, noise, timesteps, text
and adapters, whose B is not zero. The gate, beside the trace: the first loss within 1 %, the whole
first gradient within 10 % of its norm; weights or compute of 8 or 4 bits: the loss within 5 %, the
gradient is printed. PyTorch rows: `autocast` keeps fp32 adapters as scripts do, `pure` has bf16
adapters; both also with channels_last. Peak memory is the process's resident set, mapped pages of
the file included. Processor seconds count both cores and are more reliable than wall time if other
programs run; Mantissa's include opening, planning and saving.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from gradient_gate import draw_up_projections, first_loss, passes, replayed_error

CONFIG = {
    "sample_size": 128, "in_channels": 4, "out_channels": 4, "block_out_channels": [320, 640, 1280],
    "down_block_types": ["DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"],
    "up_block_types": ["CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"], "layers_per_block": 2,
    "transformer_layers_per_block": [1, 2, 10], "attention_head_dim": [5, 10, 20], "cross_attention_dim": 2048,
    "addition_embed_type": "text_time", "addition_time_embed_dim": 256, "projection_class_embeddings_input_dim": 2816,
    "use_linear_projection": True,
}
KEYS = pathlib.Path(__file__).resolve().parent.parent / "golden" / "keys"
DEMO = pathlib.Path(__file__).resolve().parents[2] / "resources" / "demo"
ATTENTION = ["to_q", "to_k", "to_v", "to_out.0"]


# -- the PyTorch side, a separate process --------------------------------------------------------

def pytorch(options):
    import torch
    from diffusers import UNet2DConditionModel
    from peft import LoraConfig, inject_adapter_in_model
    from safetensors import safe_open

    torch.set_num_threads(options.threads)
    started = time.perf_counter()
    names = [line.split("\t")[:2] for line in (KEYS / "sdxl_unet.tsv").read_text().splitlines()[1:]]
    with torch.device("meta"):
        unet = UNet2DConditionModel(**CONFIG)
    with safe_open(options.base, "pt") as file:
        unet.load_state_dict({ours: file.get_tensor(theirs) for theirs, ours in names}, assign=True)
    unet.requires_grad_(False).train()
    inject_adapter_in_model(LoraConfig(r=16, lora_alpha=16, target_modules=ATTENTION), unet)
    kind, _, layout = options.pytorch.partition("+")
    values = safe_open(options.trace, "pt")
    named = {}
    for name, parameter in unet.named_parameters():
        if "lora_" in name:
            parameter.requires_grad_(True)
            key = "unet." + name.replace(".default", "")
            value = values.get_tensor("adapter.before." + key)
            parameter.data = value.to(torch.bfloat16 if kind == "pure" else torch.float32)
            named[key] = parameter
    assert len(named) == len([k for k in values.keys() if k.startswith("adapter.before.")])
    if layout:
        unet.to(memory_format=torch.channels_last)
    unet.enable_gradient_checkpointing()
    optimizer = torch.optim.AdamW(named.values(), lr=1e-4, weight_decay=0.01)
    betas = torch.linspace(0.00085**0.5, 0.012**0.5, 1000, dtype=torch.float64) ** 2
    levels = torch.cumprod(1 - betas, 0)
    report = {"load": time.perf_counter() - started, "seconds": [], "cpu": [], "loss": []}
    for number in range(1, options.steps + 1):
        get = lambda name: values.get_tensor(f"step.{number:04d}.{name}")  # noqa: E731, B023
        start, cpu = time.perf_counter(), time.process_time()
        t = get("timesteps")
        level = levels[t].view(-1, 1, 1, 1).float()
        noisy = (level.sqrt() * get("latents") + (1 - level).sqrt() * get("noise")).to(torch.bfloat16)
        if layout:
            noisy = noisy.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=kind == "autocast"):
            out = unet(noisy, t, encoder_hidden_states=get("context").to(torch.bfloat16), added_cond_kwargs={
                "text_embeds": get("pooled").to(torch.bfloat16), "time_ids": get("time_ids").to(torch.bfloat16)})
        loss = torch.nn.functional.mse_loss(out.sample.float(), get("noise"))
        loss.backward()
        if number == 1:
            paused, paused_cpu = time.perf_counter(), time.process_time()
            above = below = 0.0
            for key, parameter in named.items():
                want = get("grad." + key).double()
                above += ((parameter.grad.double() - want) ** 2).sum().item()
                below += (want**2).sum().item()
            report["gradient_error"] = (above / below) ** 0.5
            start += time.perf_counter() - paused
            cpu += time.process_time() - paused_cpu
        torch.nn.utils.clip_grad_norm_(named.values(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        report["seconds"].append(time.perf_counter() - start)
        report["cpu"].append(time.process_time() - cpu)
        report["loss"].append(loss.item())
    print(json.dumps(report))


# -- both sides ----------------------------------------------------------------------------------

def run(command, home):
    """(stdout, peak resident bytes, processor seconds) of a process."""
    environment = {**os.environ, "MANTISSA_HOME": str(home)}
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, text=True, env=environment)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{out[-3000:]}")
    return out, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime


def mantissa(options, folder, more, steps, precision):
    weights, _, compute = precision.partition(":")
    preset = {"mantissa_preset": 1, "name": "full", "model": {"family": "sdxl"},
              "adapter": {"type": options.adapter, "rank": 16, "alpha": 16, "targets": "attention"},
              "precision": {"weights": {"unet": weights, "text_encoders": weights, "vae": "bf16"},
                            "compute": compute or "bf16"},
              "data": {"resolution": options.resolution},
              "training": {"steps": steps, "gradient_checkpointing": True},
              "optimizer": {"type": "adamw", "learning_rate": 1e-4, "weight_decay": 0.01}}
    path = folder / "preset.json"
    path.write_text(json.dumps(preset))
    out, peak, cpu = run([options.program, "train", path, "--base", options.base, "--json", "--health-every", "0",
                        "--out", tempfile.mkdtemp(dir=folder), *more], folder / "home")
    events = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    found = [e for e in events if e["event"] == "step"]
    return {"seconds": [e["seconds"] for e in found], "loss": [e["loss"] for e in found], "peak": peak,
            "cpu": cpu / steps}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("--program", default="build/bin/mantissa")
    parser.add_argument("--resolution", type=int, default=512)
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--variants", default="autocast,pure,autocast+channels_last,pure+channels_last")
    parser.add_argument("--adapter", default="lora", help="lora, or dora for Mantissa alone")
    parser.add_argument("--storage", default="bf16",
                        help="of the weights, for Mantissa's rows, with a compute type other than bf16: "
                        "bf16,fp8_e4m3,int8_convrot:int8")
    parser.add_argument("--folder", help="keeps the trace here, and uses it again")
    parser.add_argument("--pytorch", help=argparse.SUPPRESS)
    parser.add_argument("--trace", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.pytorch:
        return pytorch(options)
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
        folder = pathlib.Path(scratch)
        trace = pathlib.Path(options.folder or scratch) / f"trace-{options.adapter}-{options.resolution}.safetensors"
        if not trace.exists():
            images = folder / "images"
            images.mkdir()
            for file in (DEMO / "images").glob("zorb_0[12].*"):
                shutil.copy(file, images)
            first, more = folder / "first.safetensors", ["--trace-steps", options.steps, "--trace"]
            mantissa(options, folder, ["--images", images, *more, first], options.steps, "bf16")
            draw_up_projections(first)
            mantissa(options, folder, ["--replay", first, *more, trace], options.steps, "bf16")
        rows, reference = {}, first_loss(trace)
        turns = [f"Mantissa {s}" for s in options.storage.split(",")] + [v for v in options.variants.split(",") if v]
        for number in range(options.rounds):
            for label in [*turns, *reversed(turns)]:
                load = os.getloadavg()[0]
                if label.startswith("Mantissa"):
                    got = mantissa(options, folder, ["--replay", trace], options.steps, label.split()[1])
                    if label not in rows:
                        got["gradient_error"] = replayed_error(
                            trace, folder, lambda more: mantissa(options, folder, more, 1, label.split()[1]))  # noqa: B023
                else:
                    out, peak, _ = run([sys.executable, __file__, options.base, "--pytorch", label, "--trace", trace,
                                        "--steps", options.steps, "--threads", options.threads], folder)
                    got = json.loads(out.splitlines()[-1]) | {"peak": peak}
                    got["cpu"] = statistics.mean(got["cpu"])
                rows.setdefault(label, []).append(got | {"load": load})
                print(label, json.dumps(rows[label][-1]), file=sys.stderr, flush=True)
    for label, runs in rows.items():
        precision = label.split()[1] if label.startswith("Mantissa") else "bf16"
        if not passes(label, runs[0]["loss"][0], runs[0]["gradient_error"], reference, precision):
            sys.exit("the programs don't compute the same thing: no comparison")
    print("| program | seconds a step, median (fastest) | over the first | processor seconds a step | over the first | "
          "peak memory | load |\n|---|---|---|---|---|---|---|")
    ours = statistics.median(s for r in rows[turns[0]] for s in r["seconds"])
    ours_cpu = min(r["cpu"] for r in rows[turns[0]])
    for label, runs in rows.items():
        cpu = min(r["cpu"] for r in runs)
        seconds = [s for r in runs for s in r["seconds"]]
        print(f"| {label} | {statistics.median(seconds):.1f} ({min(seconds):.1f}) | "
              f"{statistics.median(seconds) / ours:.2f} | {cpu:.1f} | {cpu / ours_cpu:.2f} | {max(r['peak'] for r in runs) / 2**30:.2f} GiB | "
              f"{statistics.mean(r['load'] for r in runs):.1f} |")


if __name__ == "__main__":
    main()
