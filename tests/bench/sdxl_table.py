"""The SDXL training table: Mantissa compared with PyTorch + diffusers + PEFT on one device, as
Markdown.

    python tests/bench/make_full_sdxl.py base.safetensors
    python tests/bench/sdxl_table.py base.safetensors --device cuda --out table.md
    python tests/bench/sdxl_table.py --tiny --device cpu        # the mini model: a smoke test

Rows: {512, 1024} px x batch {1, 4} x checkpointing {off, on} x {LoRA, DoRA} x {BF16, FP16, FP8
storage, FP8 compute}; rank 16 on attention, FP32 adapters, AdamW, gradient clipping. For each
shape, Mantissa first writes a trace; every row is then a separate process that replays its steps
with the same weights, latents, noise, timesteps, text embeddings and adapters (whose B is not
zero). A trace holds every step's gradients: about 93 MB per step at full size, kept in memory while
it is written. PyTorch rows: autocast and pure (adapters in the narrow type too), each eager, with
channels_last and with torch.compile of every block; FP16 under autocast with a GradScaler.

A row is timed only if it computes the same thing: its first loss must be within 1 % of the trace's
(weights of 8 and 4 bits: 5 %), and the first full gradient of a PyTorch row within 10 %. Rows are interleaved
(A B B A) and printed as soon as one of their processes finishes. When --seconds run out, the
current process is killed and no other is started; rows without a result by then say so. Each row
gives the median step time after the warm-up with its 10th and 90th percentiles; `peak` is the rise
in the card's used memory while the process runs (on a CPU: the peak of its resident set). `of
floor` is floor / median, where floor is the minimum time for the arithmetic, counted from the layer
list for a card of 788 TFLOP/s in BF16 and scaled by a GEMM measured in this run. A row that can't
run (a failing compiler, too little memory) gives the reason.
"""

import argparse
import contextlib
import dataclasses
import itertools
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_full_sdxl as full  # noqa: E402
from gradient_gate import draw_up_projections, first_loss  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
MINI = ROOT / "resources" / "demo" / "mini-sdxl.safetensors"

# ms at 788 TFLOP/s in BF16 and twice that in FP8: (side, batch) -> BF16 and FP8, each without and
# with checkpointing. 512 px at batch 4 is four times batch 1.
FLOOR_TFLOPS = 788.0
FLOORS = {(512, 1): ((4.0, 6.0), (2.3, 3.3)), (512, 4): ((16.0, 24.0), (9.2, 13.2)),
          (1024, 1): ((18.5, 26.9), (11.4, 16.4)), (1024, 4): ((73.9, 107.6), (45.8, 65.4))}
PRECISIONS = {  # Mantissa's settings
    "BF16": {"weights": "bf16", "compute": "bf16"},
    "FP16": {"weights": "fp16", "compute": "fp16"},
    "FP8 storage": {"weights": "fp8_e4m3", "compute": "bf16"},
    "FP8 compute": {"weights": "fp8_e4m3", "compute": "fp8"},
    "INT8 storage": {"weights": "int8", "compute": "bf16"},
    "INT8 compute": {"weights": "int8", "compute": "int8"},
    "NF4 storage": {"weights": "nf4", "compute": "bf16"},
    "MXFP8 storage": {"weights": "mxfp8", "compute": "bf16"},
    "NVFP4 storage": {"weights": "nvfp4", "compute": "bf16"},
}
NARROW = tuple(p for p in PRECISIONS if p not in ("BF16", "FP16"))
TORCH = {  # PyTorch rows: adapters' and activations' type, layout, compiler
    "autocast": ("autocast", False, False), "autocast channels_last": ("autocast", True, False),
    "autocast compile": ("autocast", False, True), "pure": ("pure", False, False),
    "pure channels_last": ("pure", True, False), "pure compile": ("pure", False, True),
}
STEP = ("timesteps", "latents", "noise", "target", "context", "pooled", "time_ids")  # of a trace


@dataclasses.dataclass(frozen=True)
class Shape:
    side: int
    batch: int
    adapter: str

    def __str__(self):
        return f"{self.side} px b{self.batch} {self.adapter}"


@dataclasses.dataclass(frozen=True)
class Row:
    shape: Shape
    checkpointing: bool
    precision: str
    torch: str = ""  # a PyTorch row; empty: Mantissa
    images: bool = False  # from images with fresh noise every step, not from the trace

    def __str__(self):
        program = f"PyTorch {self.torch}" if self.torch else "Mantissa from images" if self.images else "Mantissa"
        return f"{program}, {self.shape}, {self.precision}, checkpointing {'on' if self.checkpointing else 'off'}"


# -- the PyTorch side, a separate process --------------------------------------------------------

def torch_row(options):
    """Prints one JSON line: seconds of every step, first loss and gradient error, peak."""
    import torch
    from diffusers.schedulers.scheduling_euler_discrete import rescale_zero_terminal_snr
    from peft import LoraConfig, inject_adapter_in_model
    from safetensors import safe_open

    row = json.loads(options.torch_row)
    kind, layout, compiled = TORCH[row["torch"]]
    device = torch.device(options.device)
    on_card = device.type == "cuda"
    narrow = torch.float16 if row["precision"] == "FP16" else torch.bfloat16
    torch.set_num_threads(options.threads)
    torch.backends.cuda.matmul.allow_tf32 = True
    unet = load_unet(options, narrow).to(device)
    unet.requires_grad_(False).train()
    dora = row["adapter"] == "dora"
    inject_adapter_in_model(LoraConfig(r=16, lora_alpha=16, target_modules=full.ATTENTION, use_dora=dora), unet)
    values = safe_open(options.trace, "pt")
    named = {}
    for name, parameter in unet.named_parameters():
        if "lora_" in name:
            key = "unet." + name.replace(".default", "").replace("magnitude_vector.weight", "magnitude_vector")
            kept = narrow if kind == "pure" else torch.float32
            parameter.data = values.get_tensor("adapter.before." + key).reshape(parameter.shape).to(device, kept)
            parameter.requires_grad_(True)
            named[key] = parameter
    given = {k for k in values.keys() if k.startswith("adapter.before.")}
    if len(given) != len(named):
        sys.exit(f"the trace adapts {len(given)} tensors, PEFT {len(named)}")
    if layout:
        unet.to(memory_format=torch.channels_last)
    if row["checkpointing"]:
        unet.enable_gradient_checkpointing()
    if compiled:
        for module in unet.modules():
            if type(module).__name__ in ("BasicTransformerBlock", "ResnetBlock2D"):
                module.compile()
    optimizer = torch.optim.AdamW(named.values(), lr=1e-4, weight_decay=0.01, fused=on_card)
    scaler = torch.amp.GradScaler(device.type, enabled=narrow == torch.float16 and kind == "autocast")
    betas = torch.linspace(0.00085**0.5, 0.012**0.5, 1000, dtype=torch.float64) ** 2
    if options.tiny:  # the mini model's schedule ends in pure noise, and it predicts v
        betas = rescale_zero_terminal_snr(betas)
    levels = torch.cumprod(1 - betas, 0).to(device)
    count = sum(k.endswith(".latents") for k in values.keys())
    steps = []
    for number in range(1, min(count, 8) + 1):  # number of steps on the card at a time
        get = lambda name: values.get_tensor(f"step.{number:04d}.{name}").to(device)  # noqa: E731, B023
        steps.append({name: get(name) for name in STEP})
    report = {"seconds": [], "loss": None}
    if on_card:
        torch.cuda.reset_peak_memory_stats()
    for number in range(options.warmup + options.steps):
        given = steps[number % len(steps)]
        if on_card:
            torch.cuda.synchronize()
        start = time.perf_counter()
        level = levels[given["timesteps"]].view(-1, 1, 1, 1).float()
        noisy = (level.sqrt() * given["latents"] + (1 - level).sqrt() * given["noise"]).to(narrow)
        if layout:
            noisy = noisy.contiguous(memory_format=torch.channels_last)
        with torch.autocast(device.type, narrow, enabled=kind == "autocast"):
            out = unet(noisy, given["timesteps"], encoder_hidden_states=given["context"].to(narrow), added_cond_kwargs={
                "text_embeds": given["pooled"].to(narrow), "time_ids": given["time_ids"].to(narrow)})
        loss = torch.nn.functional.mse_loss(out.sample.float(), given["target"])
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        if number == 0:
            report["loss"] = loss.item()
            above = below = 0.0
            for key, parameter in named.items():
                want = values.get_tensor("step.0001.grad." + key).reshape(parameter.shape).double()
                above += ((parameter.grad.double().cpu() - want) ** 2).sum().item()
                below += (want**2).sum().item()
            report["gradient_error"] = (above / below) ** 0.5
        torch.nn.utils.clip_grad_norm_(named.values(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        if on_card:
            torch.cuda.synchronize()
        report["seconds"].append(time.perf_counter() - start)
    if on_card:
        report["allocated"] = torch.cuda.max_memory_allocated()
    print(json.dumps(report))


def load_unet(options, dtype):
    """diffusers' UNet with the base model's weights, without a second copy of them."""
    import torch
    from diffusers import UNet2DConditionModel
    from safetensors import safe_open

    if options.tiny:
        sys.path.insert(0, str(ROOT / "tests" / "interop"))
        import mini_base
        return mini_base.load_unet().to(dtype)
    names = [line.split("\t")[:2] for line in (full.KEYS / "sdxl_unet.tsv").read_text().splitlines()[1:]]
    with torch.device("meta"):
        unet = UNet2DConditionModel(**full.CONFIG)
    with safe_open(options.base, "pt") as file:
        unet.load_state_dict({ours: file.get_tensor(theirs).to(dtype) for theirs, ours in names}, assign=True)
    return unet


def torch_ceiling(options):
    """TFLOP/s of a large BF16 GEMM on this device, measured now."""
    import torch

    on_card = options.device.startswith("cuda")
    torch.set_num_threads(options.threads)
    n = 8192 if on_card else 512
    a, b = (torch.randn(n, n, device=options.device).to(torch.bfloat16) for _ in range(2))
    best = float("inf")
    for _ in range(20):
        if on_card:
            torch.cuda.synchronize()
        start = time.perf_counter()
        a @ b
        if on_card:
            torch.cuda.synchronize()
        best = min(best, time.perf_counter() - start)
    name = torch.cuda.get_device_name() if on_card else "CPU"
    print(json.dumps({"tflops": 2 * n**3 / best / 1e12, "name": name, "torch": torch.__version__}))


# -- processes and their memory ------------------------------------------------------------------

class CardMemory(threading.Thread):
    """The rise of the card's used memory while this runs; none where nvidia-smi doesn't tell it."""

    def __init__(self, device):
        super().__init__(daemon=True)
        self.number = device.partition(":")[2] or "0"
        self.done, self.before = threading.Event(), self.used()
        self.most = self.before

    def used(self):
        query = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits", "-i", self.number]
        try:
            return int(subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()[0]) * 2**20
        except (OSError, subprocess.CalledProcessError, ValueError, IndexError):
            return None

    def run(self):
        while self.most is not None and not self.done.wait(0.2):
            used = self.used()
            self.most = None if used is None else max(self.most, used)

    def rise(self):
        self.done.set()
        self.join()
        return None if self.most is None else self.most - self.before


def process(command, options, folder):
    """(stdout, peak bytes), or (None, the last line of its output). No peak if a card's memory can't be read."""
    left = getattr(options, "until", math.inf) - time.monotonic()
    if left < 3:
        return None, "no time left"
    watch = CardMemory(options.device) if options.device.startswith("cuda") else None
    if watch:
        watch.start()
    environment = {**os.environ, "MANTISSA_HOME": str(folder / "home")}
    with tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=errors, text=True,
                                 env=environment)
        late = threading.Timer(min(left, threading.TIMEOUT_MAX), child.kill)
        late.daemon = True
        late.start()
        out = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        late.cancel()
        child.returncode = status
        rise = watch.rise() if watch else usage.ru_maxrss * 1024
        if status != 0 and getattr(options, "until", math.inf) <= time.monotonic():
            return None, "stopped: no time left"
        if status != 0:
            errors.seek(0)
            lines = [line.strip() for line in (out + errors.read()).splitlines() if line.strip()]
            return None, lines[-1][:200] if lines else f"exit {status}"
    return out, rise


def mantissa(options, folder, row, more, steps):
    precision = PRECISIONS[row.precision]
    preset = {"mantissa_preset": 1, "name": "table", "model": {"family": "sdxl"},
              "adapter": {"type": row.shape.adapter, "rank": 16, "alpha": 16, "targets": "attention"},
              "precision": {"weights": {"unet": precision["weights"], "text_encoders": "bf16", "vae": "bf16"},
                            "compute": precision["compute"]},
              "data": {"resolution": row.shape.side, "batch_size": row.shape.batch},
              "training": {"steps": steps, "gradient_checkpointing": row.checkpointing},
              "optimizer": {"type": "adamw", "learning_rate": 1e-4, "weight_decay": 0.01}}
    path = folder / "preset.json"
    path.write_text(json.dumps(preset))
    device = "cuda:0" if options.device == "cuda" else options.device
    out, peak = process([options.program, "train", path, "--base", options.base, "--json", "--health-every", "0",
                         "--device", device, "--out", tempfile.mkdtemp(dir=folder), *more], options, folder)
    if out is None:
        return {"refused": peak}
    events = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    found = [e for e in events if e["event"] == "step"]
    return {"seconds": [e["seconds"] for e in found], "loss": found[0]["loss"], "peak": peak}


def some_images(folder, batch):
    images = folder / f"images-{batch}"
    if not images.exists():
        images.mkdir()
        chosen = sorted((full.DEMO / "images").glob("zorb_*"))[: 2 * batch + 2]
        for file in (p for image in chosen for p in full.DEMO.glob(f"images/{image.stem}.*")):
            (images / file.name).write_bytes(file.read_bytes())
    return images


def make_trace(options, folder, shape):
    """A trace of steps whose B is not zero: the first run writes the adapters, the second starts
    from them."""
    row, count = Row(shape, True, "BF16"), options.warmup + options.steps
    first = folder / f"start-{shape.side}-{shape.batch}-{shape.adapter}.safetensors"
    trace = folder / f"trace-{shape.side}-{shape.batch}-{shape.adapter}-{count}.safetensors"
    if trace.exists():  # of an earlier table in the same folder
        return trace, ""
    images = some_images(folder, shape.batch)
    got = mantissa(options, folder, row, ["--images", images, "--trace", first, "--trace-steps", count], count)
    if "refused" in got:
        return None, got["refused"]
    draw_up_projections(first)
    part = trace.with_suffix(".part")
    got = mantissa(options, folder, row, ["--replay", first, "--trace", part, "--trace-steps", count], count)
    first.unlink()
    if "refused" in got:
        return None, got["refused"]
    part.replace(trace)
    return trace, ""


def take(options, folder, row, trace):
    steps = options.warmup + options.steps
    if row.images:
        return mantissa(options, folder, row, ["--images", some_images(folder, row.shape.batch)], steps)
    if not row.torch:
        return mantissa(options, folder, row, ["--replay", trace], steps)
    what = {"torch": row.torch, "precision": row.precision, "adapter": row.shape.adapter,
            "checkpointing": row.checkpointing}
    command = [sys.executable, __file__, options.base, "--torch-row", json.dumps(what), "--trace", trace, "--steps",
               options.steps, "--warmup", options.warmup, "--threads", options.threads, "--device", options.device]
    out, peak = process([*command, *(["--tiny"] if options.tiny else [])], options, folder)
    return {"refused": peak} if out is None else json.loads(out.splitlines()[-1]) | {"peak": peak}


# -- the table -----------------------------------------------------------------------------------

def floor_of(row, tflops):
    if (row.shape.side, row.shape.batch) not in FLOORS:
        return None
    kinds = FLOORS[(row.shape.side, row.shape.batch)]
    listed = kinds[row.precision in ("FP8 compute", "INT8 compute")][row.checkpointing]
    return listed * FLOOR_TFLOPS / tflops


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def line(row, runs, ceiling):
    refused = next((r["refused"] for r in runs if "refused" in r), None)
    shape, program = row.shape, f"PyTorch, {row.torch}" if row.torch else str(row).partition(",")[0]
    start = f"| {shape.side}² b{shape.batch} | {shape.adapter} | {'on' if row.checkpointing else 'off'} | " \
            f"{row.precision} | {program} | "
    if refused is not None:
        return start + f"{refused.replace('|', '/')} | | | | |"
    seconds = [s for r in runs for s in r["seconds"][r["warmup"]:]]
    median = statistics.median(seconds)
    floor = floor_of(row, ceiling["tflops"])
    share = f"{floor / 10 / median:.0f} %" if floor else "–"
    peaks = [r["peak"] for r in runs if r["peak"] is not None]
    peak = f"{max(peaks) / 2**30:.2f}" if peaks else "–"
    return start + f"{1000 * median:.1f} | {1000 * percentile(seconds, 0.1):.1f}–{1000 * percentile(seconds, 0.9):.1f} | " \
        f"{shape.batch / median:.2f} | {peak} | {share} |"


def gate(row, got, reference):
    """How this row differs from the reference; empty if it computes the same thing."""
    if "refused" in got or row.images:  # its noise differs
        return ""
    narrow = row.precision in NARROW
    off = abs(got["loss"] / reference - 1)
    gradient = got.get("gradient_error")  # of PyTorch's rows; Mantissa's would need a trace, another run
    said = f"loss {off:.1e}, gradient {'not compared' if gradient is None else format(gradient, '.1e')}"
    print(f"gate {row}: {said}", file=sys.stderr)
    return "" if off <= (0.05 if narrow else 0.01) and (gradient is None or gradient <= 0.1) else said


def rows_of(options, shape):
    for checkpointing, precision in itertools.product(options.checkpointing, options.precisions):
        if options.only_images:
            yield Row(shape, checkpointing, precision, images=True)
            continue
        yield Row(shape, checkpointing, precision)
        if precision in ("BF16", "FP16"):
            for kind in options.torch:
                if not (precision == "FP16" and kind.startswith("pure")):  # FP16 adapters don't train
                    yield Row(shape, checkpointing, precision, kind)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words = lambda text: [w.strip() for w in text.split(",") if w.strip()]  # noqa: E731
    parser.add_argument("base", nargs="?", default=str(MINI))
    parser.add_argument("--program", default=str(ROOT / "build" / "bin" / "mantissa"))
    parser.add_argument("--device", default="cuda", help="cuda, cuda:1 or cpu")
    parser.add_argument("--tiny", action="store_true", help="the mini model at 64 px: a check of this script")
    parser.add_argument("--sides", type=words, default=["512", "1024"])
    parser.add_argument("--batches", type=words, default=["1", "4"])
    parser.add_argument("--adapters", type=words, default=["lora", "dora"])
    parser.add_argument("--precisions", type=lambda t: [w.replace("-", " ") for w in words(t)], default=list(PRECISIONS)[:4],
                        help=",".join(PRECISIONS).replace(" ", "-"))
    parser.add_argument("--checkpointing", type=lambda t: [w == "on" for w in words(t)], default=[False, True])
    parser.add_argument("--torch", type=words, default=list(TORCH), help="PyTorch rows; empty: none")
    parser.add_argument("--warmup", type=int, default=20)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=1, help="repetitions of A B B A")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=pathlib.Path, help="also writes the table here, and table.json beside it")
    parser.add_argument("--only-images", action="store_true", help="Mantissa from images alone, without a trace")
    parser.add_argument("--seconds", type=float, help="time limit for the whole table")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the preset, images and traces, which are kept")
    parser.add_argument("--torch-row", help=argparse.SUPPRESS)
    parser.add_argument("--torch-ceiling", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--trace", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.torch_row:
        return torch_row(options)
    if options.torch_ceiling:
        return torch_ceiling(options)
    if options.tiny:
        options.sides = ["64"]
    if options.seconds:
        options.until = time.monotonic() + options.seconds
    before, rows, runs, failed = [], [], {}, 0

    def say(one):
        before.append(one)
        show(one)

    def show(one):
        """Prints a line, and writes the table of all rows measured so far."""
        print(one, flush=True)
        if options.out:
            table = before + [line(row, runs[row], ceiling) for row in rows if runs[row]]
            options.out.write_text("\n".join(table) + "\n")

    with contextlib.ExitStack() as stack:
        folder = options.keep or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        out, why = (None, "no ceiling measured") if options.only_images else process(
            [sys.executable, __file__, "--torch-ceiling", "--device", options.device, "--threads", options.threads],
            options, folder)
        ceiling = json.loads(out.splitlines()[-1]) if out else {"tflops": FLOOR_TFLOPS, "name": why, "torch": "none"}
        measured = f"BF16 GEMM {ceiling['tflops']:.1f} TFLOP/s" if out else f"floor for {FLOOR_TFLOPS:.0f} TFLOP/s"
        say(f"{ceiling['name']}, PyTorch {ceiling['torch']}, {measured}; "
            f"{options.warmup} steps of warm-up, {options.steps} timed, {2 * options.rounds} processes per row\n")
        say("| shape | adapter | checkpointing | precision | program | ms a step, median | p10–p90 | images/s | "
            "peak GiB | of floor |\n|---|---|---|---|---|---|---|---|---|---|")
        for side, batch, adapter in itertools.product(options.sides, options.batches, options.adapters):
            shape = Shape(int(side), int(batch), adapter)
            trace, why = (None, "") if options.only_images else make_trace(options, folder, shape)
            if trace is None and why:
                say(f"| {side}² b{batch} | {adapter} | | | no trace: {why} | | | | | |")
                failed += 1
                continue
            reference = first_loss(trace) if trace else math.nan
            of_shape = list(rows_of(options, shape))
            rows += of_shape
            runs |= {row: [] for row in of_shape}
            for row in [r for _ in range(options.rounds) for r in [*of_shape, *reversed(of_shape)]]:
                if any("refused" in got for got in runs[row]):
                    continue
                got = take(options, folder, row, trace) | {"warmup": options.warmup}
                if "refused" in got and runs[row]:
                    continue  # out of time for another process: keep the earlier results
                wrong = "" if runs[row] else gate(row, got, reference)
                if wrong:
                    got = {"refused": "does not compute the same: " + wrong}
                failed += bool(wrong) or ("refused" in got and not row.torch)
                runs[row].append(got)
                show(line(row, runs[row], ceiling))
        record = [dataclasses.asdict(row) | {"runs": runs[row]} for row in rows]
    if options.out:
        options.out.with_suffix(".json").write_text(json.dumps(record))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
