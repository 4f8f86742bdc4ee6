"""Deviation of 50 steps from FP32 at every precision, here and in PyTorch, on the same inputs.

    python tests/interop/precision_curves.py [--program build/bin/mantissa] [--models p,q,r]
        [--types lora,dora] [--targets attention] [--precisions bf16,fp16,...] [--steps 50]

Creates tiny base models with random weights, and inputs and adapters for them; trains each with
PEFT in FP32 and at each precision twice (`pure`: the base model and its activations in 16 bits,
adapters in FP32; `autocast`), and with `mantissa train --replay` at the same precisions. A
deviation is the mean of |loss - FP32's loss| / FP32's loss over the steps. Ours may be 1.2 times
the smaller of PyTorch's two, plus 0.05 %, or 0.3 % for DoRA in BF16. `--models wide` has SDXL's
widths, with one layer and one block per level (minutes each).

FP8 in PyTorch follows this program's definition: weights in E4M3 with a scale per output channel,
computed from the file's values; FP8 GEMMs use activations in E4M3 and gradients in E5M2, with a
current scale for each row.
"""

import argparse
import contextlib
import copy
import json
import logging
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import torch
from peft import LoraConfig, inject_adapter_in_model
from peft.tuners.lora import LoraLayer
from safetensors.torch import save_file

import mini_base

sys.path.insert(0, str(mini_base.ROOT / "tests" / "golden"))
import make_models as mm  # noqa: E402

logging.getLogger("diffusers.models.modeling_utils").setLevel(logging.ERROR)

TARGETS = {"attention": mm.ATTENTION, "linear+conv": mm.LINEAR_CONV}
PRECISIONS = ("bf16", "fp16", "fp8_weights", "fp8_compute")
RANK, CONV_RANK, ALPHA, LEARNING_RATE, CLIP = 4, 2, 4, 1e-3, 1.0
TOKENS, IMAGES = 77, 6
FACTOR, MARGIN, DORA_BF16 = 1.2, 0.05e-2, 0.3e-2
SETTINGS = {
    "fp32": {"compute": "fp32", "weights": {"unet": "fp32"}},
    "bf16": {"compute": "bf16", "weights": {"unet": "bf16"}},
    "fp16": {"compute": "fp16", "weights": {"unet": "fp16"}},
    "fp8_weights": {"compute": "bf16", "weights": {"unet": "fp8_e4m3"}},
    "fp8_compute": {"compute": "fp8", "weights": {"unet": "fp8_e4m3"}},
}
# Widths, attention, depths, heads, layers, context, pooled, time width, sample size, groups; size of
# the latents, batch.
MODELS = {
    "p": (((24, 48), (False, True), [1, 2], [3, 3], 1, 40, 20, 8, 8, 8), (8, 8), 2),
    "q": (((32, 64), (True, True), [1, 1], [2, 4], 1, 64, 32, 16, 8, 16), (8, 12), 3),
    "r": (((16, 32, 64), (False, True, True), [1, 1, 3], [2, 2, 8], 2, 56, 24, 8, 8, 8), (16, 8), 2),
    # Two levels of SDXL's three, one layer and one block each.
    "wide": (((320, 640), (False, True), [1, 1], [5, 10], 1, 2048, 1280, 256, 8, 32), (8, 8), 1),
}


def new_model(name):
    """A UNet in FP32 with weights representable in BF16, so that their rounding is not measured."""
    sizes, latents, batch = MODELS[name]
    model = mm.Model(1000 + sum(map(ord, name)), torch.bfloat16, mm.unet_config(*sizes))
    return model, inputs(model.configs["unet"], latents, batch, 50)


def inputs(config, latents, batch, steps, seed=1000):
    """Of `steps` steps: six images drawn at random, each with its own caption encoding."""
    pooled = config["projection_class_embeddings_input_dim"] - 6 * config["addition_time_embed_dim"]
    offset = torch.tensor([1.0, -1.0, 0.5, 0.0]).view(4, 1, 1)
    draw = lambda *shape, at: torch.randn(*shape, generator=mm.seeded(seed + at))  # noqa: E731
    images = torch.stack([draw(4, *latents, at=i) + offset for i in range(IMAGES)])
    context = torch.stack([draw(TOKENS, config["cross_attention_dim"], at=100 + i) for i in range(IMAGES)])
    vectors = torch.stack([draw(pooled, at=200 + i) for i in range(IMAGES)])
    generator = mm.seeded(seed + 300)
    which = torch.randint(0, IMAGES, (steps, batch), generator=generator)
    noise = torch.randn(steps, batch, 4, *latents, generator=generator)
    timesteps = torch.randint(0, 1000, (steps, batch), generator=generator)
    return dict(images=images, context=context, pooled=vectors, which=which, noise=noise, timesteps=timesteps)


def trace_of(data):
    """The inputs in the form of `--replay`."""
    out, size = {}, [8.0 * n for n in data["images"].shape[2:]]
    for step, which in enumerate(data["which"]):
        values = dict(latents=data["images"][which], noise=data["noise"][step],
                      timesteps=data["timesteps"][step].long(), context=data["context"][which],
                      pooled=data["pooled"][which],
                      time_ids=torch.tensor([[*size, 0.0, 0.0, *size]] * len(which)))
        out |= {f"step.{step + 1:04d}.{k}": v.contiguous() for k, v in values.items()}
    return out


def adapt(unet, targets, dora):
    """PEFT's layers on `targets`, A random and B zero, in FP32; {adapter tensor name: parameter}."""
    convs = {t: CONV_RANK for t in targets if t in ("conv", "conv1", "conv2")}
    config = LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=targets, lora_dropout=0.0, use_dora=dora,
                        rank_pattern={f".*\\.{t}": r for t, r in convs.items()}, bias="none")
    inject_adapter_in_model(config, unet)
    generator, named = mm.seeded(77), {}
    for path, module in sorted(unet.named_modules()):
        if not isinstance(module, LoraLayer):
            continue
        for letter, layers in (("A", module.lora_A), ("B", module.lora_B)):
            weight = layers["default"].weight
            value = torch.randn(weight.shape, generator=generator) / math.sqrt(weight[0].numel())
            weight.data = value if letter == "A" else torch.zeros_like(value)
            named[f"unet.{path}.lora_{letter}.weight"] = weight.requires_grad_(True)
        if dora:
            base = module.get_base_layer().weight.detach().double()
            magnitude = module.lora_magnitude_vector["default"].weight
            norms = base.square().sum(list(range(1, base.ndim))).sqrt()
            magnitude.data = norms.float().view(magnitude.shape)
            named[f"unet.{path}.lora_magnitude_vector"] = magnitude.requires_grad_(True)
    return named


# ---- FP8 ------------------------------------------------------------------------------------------
def quantize(x, dtype):
    """Codes of rows [..., columns] as floats, and the scales of the rows."""
    largest, x = torch.finfo(dtype).max, x.float()
    amax = x.abs().amax(-1, keepdim=True)
    scale = torch.where(amax > 0, largest / amax, torch.ones_like(amax))
    return (x * scale).clamp(-largest, largest).to(dtype).float(), scale


class Fp8Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, codes, scale, bias):
        x_codes, x_scale = quantize(x, torch.float8_e4m3fn)
        ctx.save_for_backward(codes, scale)
        y = (x_codes @ codes.t()) / x_scale / scale.t()
        return (y if bias is None else y + bias.float()).to(x.dtype)

    @staticmethod
    def backward(ctx, d_y):
        codes, scale = ctx.saved_tensors
        d_codes, d_scale = quantize(d_y.float() / scale.t(), torch.float8_e5m2)
        return ((d_codes @ codes) / d_scale).to(d_y.dtype), None, None, None


def is_fp8_product(name):
    """Those of unet_keys.h: entry, exit and timesteps stay in 16 bits."""
    pinned = ("time_embedding", "add_embedding", "time_emb_proj")
    return not name.endswith("proj_out") and not any(part in name for part in pinned)


def to_fp8(unet, products):
    for name, module in unet.named_modules():
        if not isinstance(module, (torch.nn.Linear, torch.nn.Conv2d)):
            continue
        codes, scale = quantize(module.weight.data.flatten(1), torch.float8_e4m3fn)
        module.weight.data = (codes / scale).view(module.weight.shape).to(module.weight.dtype)
        if products and isinstance(module, torch.nn.Linear) and is_fp8_product(name):
            take = lambda x, c=codes, s=scale, m=module: Fp8Product.apply(x, c, s, m.bias)  # noqa: E731
            module.forward = take


# ---- PyTorch --------------------------------------------------------------------------------------
def torch_losses(base, trace, steps, adapter, targets, precision, autocast=False):
    """`precision`: fp32 or one of PRECISIONS."""
    narrow = {"fp32": None, "fp16": torch.float16}.get(precision, torch.bfloat16)
    fp8 = precision.startswith("fp8")
    unet = copy.deepcopy(base).float()
    if fp8:
        to_fp8(unet, precision == "fp8_compute")
    unet.to(torch.float32 if narrow is None or (autocast and not fp8) else narrow)
    named = adapt(unet, TARGETS[targets], any("magnitude" in k for k in adapter))
    for key, parameter in named.items():
        parameter.data = adapter[key].clone().view(parameter.shape)
    unet.train()
    optimizer = torch.optim.AdamW(list(named.values()), lr=LEARNING_RATE, weight_decay=0.01)
    scaler = torch.amp.GradScaler("cpu", enabled=precision == "fp16")
    level_of, dtype = mm.alphas_cumprod(), unet.dtype
    losses = []
    for step in range(1, steps + 1):
        get = lambda name, s=step: trace[f"step.{s:04d}.{name}"]  # noqa: E731
        level = level_of[get("timesteps")].view(-1, 1, 1, 1)
        noisy = level.sqrt().float() * get("latents") + (1 - level).sqrt().float() * get("noise")
        with torch.autocast("cpu", dtype=narrow) if autocast else contextlib.nullcontext():
            prediction = unet(noisy.to(dtype), get("timesteps"), encoder_hidden_states=get("context").to(dtype),
                              added_cond_kwargs={"text_embeds": get("pooled").to(dtype),
                                                 "time_ids": get("time_ids").to(dtype)}).sample
        loss = torch.nn.functional.mse_loss(prediction.float(), get("noise"))
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(list(named.values()), CLIP)
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    return losses


def adapter_of(base, targets, dora):
    named = adapt(copy.deepcopy(base).float(), TARGETS[targets], dora)
    return {k: (p.detach().flatten() if "magnitude" in k else p.detach()).clone() for k, p in named.items()}


def deviation(losses, reference):
    return sum(abs(a - b) / b for a, b in zip(losses, reference, strict=True)) / len(reference)


# ---- Mantissa -------------------------------------------------------------------------------------
def our_losses(program, folder, base, trace, adapter, steps, targets, precision):
    dora = any("magnitude" in k for k in adapter)
    preset = {"mantissa_preset": 1, "name": "curve", "model": {"family": "sdxl"},
              "adapter": {"type": "dora" if dora else "lora", "targets": targets, "rank": RANK,
                          "conv_rank": CONV_RANK, "alpha": ALPHA},
              "training": {"parts": ["unet"], "steps": steps, "seed": 3, "max_grad_norm": CLIP},
              "optimizer": {"type": "adamw", "learning_rate": LEARNING_RATE}, "output": {"name": "curve"},
              "precision": SETTINGS[precision]}
    if dora:
        preset["adapter"]["dora_axis"] = "output"
    file, inputs_file = folder / "preset.json", folder / "inputs.safetensors"
    file.write_text(json.dumps(preset))
    save_file(trace | {"adapter.before." + k: v for k, v in adapter.items()}, inputs_file)
    with tempfile.TemporaryDirectory(dir=folder) as out:
        command = [program, "train", str(file), "--base", str(base), "--out", f"{out}/run", "--json",
                   "--replay", str(inputs_file)]
        done = subprocess.run(command, capture_output=True, text=True,
                              env={**os.environ, "MANTISSA_HOME": str(folder / "home")})
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} exited {done.returncode}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    events = (json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))
    return [event["loss"] for event in events if event["event"] == "step"]


def compare(options, name, kind, folder, failures):
    model, data = new_model(name)
    data = {k: v[: options.steps] if k in ("which", "noise", "timesteps") else v for k, v in data.items()}
    base = folder / f"{name}.safetensors"
    model.write_single(base)
    trace, adapter = trace_of(data), adapter_of(model.unet, options.targets, kind == "dora")
    in_torch = lambda *how: torch_losses(model.unet, trace, options.steps, adapter, options.targets, *how)  # noqa: E731
    ours = lambda how: our_losses(options.program, folder, base, trace, adapter, options.steps,  # noqa: E731
                                  options.targets, how)
    reference = in_torch("fp32")
    failures.check(f"{name} {kind} fp32: like PyTorch's", deviation(ours("fp32"), reference), 1e-5)
    for precision in options.precisions.split(","):
        pure, autocast = (deviation(in_torch(precision, how), reference) for how in (False, True))
        got = deviation(ours(precision), reference)
        print(f"     | {name} | {kind} | {precision} | {100 * pure:.3f} % | {100 * autocast:.3f} % | {100 * got:.3f} % |",
              flush=True)
        limit = FACTOR * min(pure, autocast) + MARGIN
        if kind == "dora" and precision == "bf16":
            limit = min(limit, DORA_BF16)
        failures.check(f"{name} {kind} {precision}", got, limit)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(mini_base.ROOT / "build" / "bin" / "mantissa"))
    parser.add_argument("--models", default="p,q,r")
    parser.add_argument("--types", default="lora,dora")
    parser.add_argument("--targets", default="attention", choices=TARGETS)
    parser.add_argument("--precisions", default=",".join(PRECISIONS))
    parser.add_argument("--steps", type=int, default=50)
    options = parser.parse_args()
    torch.set_num_threads(1)
    failures = mini_base.Failures()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.models.split(","):
            for kind in options.types.split(","):
                compare(options, name, kind, pathlib.Path(folder), failures)
    failures.exit()


if __name__ == "__main__":
    main()
