"""Repeats traced training runs in PyTorch: same losses, gradients and adapter; and replays them.

    python tests/interop/replay_trace.py [--program build/bin/mantissa] [--steps 20] [--cases text,...]

Trains the mini model with --trace, several ways; then, in float64, the same steps with diffusers,
transformers, PEFT and torch.optim.AdamW from the trace's inputs and adapter.before. Every loss must
agree to 1e-4, every step's whole gradient to 1e-4 of its norm, adapter.after to 1e-4 of its
movement. Single gradient tensors must agree to 1e-4 of their largest element where both programs
have exactly the same adapter: in the first step, and in a step replayed from adapter.after. (In
between, AdamW's first steps turn rounding of nearly zero gradients into steps of full size.)
`--replay` of a trace must give bit-identical losses, gradients and adapters.
"""

import argparse
import json
import logging
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import torch
from peft import LoraConfig, inject_adapter_in_model
from safetensors import safe_open
from safetensors.torch import save_file

import mini_base

# It warns of every cast of a UNet in memory, which is irrelevant here.
logging.getLogger("diffusers.models.modeling_utils").setLevel(logging.ERROR)

SETTINGS = {
    "attention": {"adapter": {"targets": "attention", "rank": 8, "alpha": 12}},
    "linear+conv": {"adapter": {"targets": "linear+conv", "rank": 8, "conv_rank": 4, "alpha": 6},
                    "training": {"min_snr_gamma": 5.0, "noise_offset": 0.05, "gradient_checkpointing": True}},
    "text": {"adapter": {"targets": "attention+mlp", "rank": 4, "alpha": 4},
             "training": {"parts": ["unet", "te1", "te2"], "gradient_accumulation": 2},
             "optimizer": {"groups": [{"part": "te1", "learning_rate": 2e-4}]}},
    "huber": {"adapter": {"targets": "attention", "rank": 4, "alpha": 4},
              "training": {"loss": "huber", "huber_c": 0.05}},
    "v": {"adapter": {"targets": "attention", "rank": 4, "alpha": 4, "scaling": "rslora"},
          "training": {"prediction": "v", "max_grad_norm": 0.05}},
}
PARTS = {"unet": "unet", "text_encoder": "te1", "text_encoder_2": "te2"}


def write_preset(path, case, steps):
    preset = {"mantissa_preset": 1, "name": case, "model": {"family": "sdxl"},
              "adapter": {"type": "lora"}, "data": {"resolution": 128, "batch_size": 2, "caption_dropout": 0.1},
              "training": {"parts": ["unet"], "seed": 7, "steps": steps},
              "optimizer": {"type": "adamw", "learning_rate": 1e-3}, "output": {"name": "interop"}}
    for group, values in SETTINGS[case].items():
        preset[group] |= values
    path.write_text(json.dumps(preset))


def train(program, home, preset, out, *more):
    command = [program, "train", str(preset), "--base", "demo", "--images", "demo", "--out", str(out), "--json", *more]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "MANTISSA_HOME": str(home)})
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} exited {done.returncode}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [e for e in events if e["event"] == "step"]


class Trace:
    def __init__(self, path):
        with safe_open(path, "pt") as file:
            self.tensors = {k: file.get_tensor(k) for k in file.keys()}
            self.job = json.loads(file.metadata()["mantissa.job"])
        self.micro_steps = len([k for k in self.tensors if re.fullmatch(r"step\.\d+\.latents", k)])

    def setting(self, group, key, default):
        return self.job.get(group, {}).get(key, default)

    def step(self, number, name):
        return self.tensors.get(f"step.{number:04d}.{name}")

    def below(self, prefix):
        return {k.removeprefix(prefix): v for k, v in self.tensors.items() if k.startswith(prefix)}


def adapt(models, trace, dtype):
    """PEFT LoRA on the modules the trace names, with its values. {adapter tensor name: parameter}."""
    before = trace.below("adapter.before.")
    rslora = trace.setting("adapter", "scaling", "standard") == "rslora"
    named = {}
    for part, model in models.items():
        real = {name for name, _ in model.named_modules()}
        inner = {}  # the module's name in this program -> its path in the trace
        for key in before:
            if key.startswith(part + ".") and key.endswith(".lora_A.weight"):
                path = key.removesuffix(".lora_A.weight")
                name = path.removeprefix(part + ".")
                inner[name if name in real else name.removeprefix("text_model.")] = path
        if not inner:
            continue
        ranks = {name: before[path + ".lora_A.weight"].shape[0] for name, path in inner.items()}
        config = LoraConfig(r=8, lora_alpha=float(trace.setting("adapter", "alpha", 16)), use_rslora=rslora,
                            target_modules=list(inner), rank_pattern={"^" + re.escape(n): r for n, r in ranks.items()})
        inject_adapter_in_model(config, model)
        model.to(dtype)
        modules = dict(model.named_modules())
        for name, path in inner.items():
            for letter in "AB":
                weight = getattr(modules[name], f"lora_{letter}")["default"].weight
                weight.data.copy_(before[f"{path}.lora_{letter}.weight"].to(dtype))
                weight.requires_grad_(True)
                named[f"{path}.lora_{letter}.weight"] = weight
    assert set(named) == set(before), sorted(set(named) ^ set(before))[:4]
    return named


class Replay:
    def __init__(self, trace):
        unet, _, te1, te2 = mini_base.load_all()
        self.trace, self.dtype = trace, torch.float64
        self.models = {"unet": unet, "text_encoder": te1, "text_encoder_2": te2}
        self.named = adapt(self.models, trace, self.dtype)
        for model in self.models.values():
            model.to(self.dtype).train()
        said = trace.setting("training", "prediction", "auto")
        self.v = "v_pred" in mini_base.markers() if said == "auto" else said == "v"
        self.gamma = trace.setting("training", "min_snr_gamma", 0)
        self.huber_c = trace.setting("training", "huber_c", 0.1) if self.is_huber() else None
        self.accumulation = trace.setting("training", "gradient_accumulation", 1)
        optimizer = trace.job["optimizer"]
        rates = {g["part"]: g["learning_rate"] for g in optimizer.get("groups", []) if "learning_rate" in g}
        groups = {}
        for key, parameter in self.named.items():
            part = PARTS[key.split(".")[0]]
            group = groups.setdefault(part, {"params": [], "lr": rates.get(part, optimizer["learning_rate"])})
            group["params"].append(parameter)
        self.optimizer = torch.optim.AdamW(list(groups.values()), betas=optimizer.get("betas", (0.9, 0.999)),
                                           eps=optimizer.get("eps", 1e-8),
                                           weight_decay=optimizer.get("weight_decay", 0.01))

    def is_huber(self):
        return self.trace.setting("training", "loss", "mse") == "huber"

    def error(self, difference, signal, sigma):
        """Of each value: squared, or conditional_loss of sd-scripts with the schedule snr."""
        if self.huber_c is None:
            return difference**2
        width = (1 - self.huber_c) / (1 + sigma / signal) ** 2 + self.huber_c
        return 2 * width * ((difference**2 + width**2).sqrt() - width)

    def loss(self, number):
        """Loss, target and prediction of one micro-step."""
        cast = lambda name: self.trace.step(number, name).to(self.dtype)  # noqa: E731
        latents, noise, timesteps = cast("latents"), cast("noise"), self.trace.step(number, "timesteps")
        level = mini_base.alphas_cumprod()[timesteps].view(-1, 1, 1, 1)
        signal, sigma = level.sqrt().to(self.dtype), (1 - level).sqrt().to(self.dtype)
        target = signal * noise - sigma * latents if self.v else noise
        context, pooled = cast("context"), cast("pooled")
        if self.trace.step(number, "te1_ids") is not None:
            ids1, ids2 = (self.trace.step(number, name).long() for name in ("te1_ids", "te2_ids"))
            first = self.models["text_encoder"](ids1, output_hidden_states=True)
            second = self.models["text_encoder_2"](ids2, output_hidden_states=True)
            context = torch.cat([first.hidden_states[-2], second.hidden_states[-2]], -1)
            pooled = second.text_embeds
        prediction = self.models["unet"](
            signal * latents + sigma * noise, timesteps, encoder_hidden_states=context,
            added_cond_kwargs={"text_embeds": pooled, "time_ids": cast("time_ids")}).sample
        weight = torch.ones(len(timesteps), dtype=torch.float64)
        if self.gamma > 0:
            snr = (level / (1 - level)).flatten()
            weight = snr.clamp(max=self.gamma) / (snr + 1 if self.v else snr)
        loss = (weight.to(self.dtype) * self.error(prediction - target, signal, sigma).mean((1, 2, 3))).mean()
        return loss, target, prediction

    def step(self, number):
        """Forward and backward; at the end of an accumulation also clipping and AdamW. The values,
        and the gradients where there was an update."""
        loss, target, prediction = self.loss(number)
        (loss / self.accumulation).backward()
        values = {"loss": loss.detach(), "target": target, "prediction": prediction.detach()}
        if number % self.accumulation != 0:
            return values, {}
        # Weights that don't affect the loss (TE1's last layer) have no gradient here, and zero in a
        # trace.
        gradients = {k: torch.zeros_like(p) if p.grad is None else p.grad.clone() for k, p in self.named.items()}
        bound = self.trace.setting("training", "max_grad_norm", 1.0)
        if bound > 0:
            torch.nn.utils.clip_grad_norm_([p for p in self.named.values() if p.grad is not None], bound)
        for parameter in self.named.values():
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return values, gradients

    def adapter_error(self):
        """Of all tensors together, relative to how far they moved."""
        before, after = self.trace.below("adapter.before."), self.trace.below("adapter.after.")
        squares = lambda x: (x.double() ** 2).sum().item()
        return (sum(squares(after[k].double() - p.detach()) for k, p in self.named.items())
                / sum(squares(p.detach() - before[k].double()) for k, p in self.named.items())) ** 0.5


def norm_error(got, want):
    """Of all tensors together."""
    difference = sum(((got[k].double() - want[k].double()) ** 2).sum().item() for k in want)
    return (difference / sum((want[k].double() ** 2).sum().item() for k in want)) ** 0.5


def compare(trace):
    """The replay in float64, and the largest errors: over all steps, and of any gradient tensor in
    the first update."""
    exact = Replay(trace)
    worst = dict.fromkeys(("target", "prediction", "loss", "gradient", "first gradients"), 0.0)
    first = True
    for number in range(1, trace.micro_steps + 1):
        values, gradients = exact.step(number)
        for name, value in values.items():
            worst[name] = max(worst[name], mini_base.relative(trace.step(number, name), value))
        if gradients:
            traced = {k: trace.step(number, "grad." + k) for k in gradients}
            worst["gradient"] = max(worst["gradient"], norm_error(traced, gradients))
            if first:
                worst["first gradients"] = mini_base.gradient_error(traced, gradients)
            first = False
    return exact, worst


def write_last_state(trace, path):
    """The inputs of the first update, to repeat from the trace's final adapter."""
    accumulation = trace.setting("training", "gradient_accumulation", 1)
    names = [f"step.{n:04d}." for n in range(1, accumulation + 1)]
    tensors = {k: v for k, v in trace.tensors.items() if any(k.startswith(n) for n in names) and ".grad." not in k}
    tensors |= {f"adapter.before.{k}": v for k, v in trace.below("adapter.after.").items()}
    save_file(tensors, path)


def check_case(options, case, folder, failures):
    preset, trace_file, again_file = (folder / f"{case}{end}" for end in
                                      (".json", ".trace.safetensors", ".again.safetensors"))
    write_preset(preset, case, options.steps)
    steps = ["--trace-steps", str(options.steps)]
    first = train(options.program, folder / "home", preset, folder / f"{case}-run", "--trace", str(trace_file), *steps)
    trace = Trace(trace_file)
    failures.require(f"{case}: traced {options.steps} steps",
                     trace.micro_steps == options.steps * trace.setting("training", "gradient_accumulation", 1))
    replay, worst = compare(trace)
    print(f"     {case}: {len(replay.named)} tensors, {trace.micro_steps} micro-steps")
    for name, limit in (("target", 1e-5), ("prediction", 1e-4), ("loss", 1e-4), ("gradient", 1e-4),
                        ("first gradients", 1e-4)):
        failures.check(f"{case}: {name}", worst[name], limit)
    failures.check(f"{case}: adapter after", replay.adapter_error(), 1e-4)
    late, late_trace = folder / f"{case}.late.safetensors", folder / f"{case}.late-trace.safetensors"
    write_last_state(trace, late)
    train(options.program, folder / "home", preset, folder / f"{case}-late", "--replay", str(late), "--trace",
          str(late_trace), "--trace-steps", "1")
    _, worst = compare(Trace(late_trace))
    failures.check(f"{case}: gradients from adapter.after", worst["first gradients"], 1e-4)
    second = train(options.program, folder / "home", preset, folder / f"{case}-again", "--replay", str(trace_file),
                   "--trace", str(again_file), *steps)
    failures.require(f"{case}: --replay logs the same losses",
                     [e["loss"] for e in first] == [e["loss"] for e in second])
    again = Trace(again_file)
    different = [k for k in trace.tensors if k not in again.tensors or not torch.equal(trace.tensors[k], again.tensors[k])]
    failures.require(f"{case}: --replay is bit-identical", not different, ", ".join(different[:3]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(mini_base.ROOT / "build" / "bin" / "mantissa"))
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--cases", default=",".join(SETTINGS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    failures = mini_base.Failures()
    with tempfile.TemporaryDirectory() as folder:
        for case in options.cases.split(","):
            check_case(options, case, pathlib.Path(folder), failures)
    failures.exit()


if __name__ == "__main__":
    main()
