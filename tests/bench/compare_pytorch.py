"""Mantissa and PyTorch on the same work, on the same cores, in one run.

    cmake -S . -B build -DMANTISSA_BENCH=ON && ninja -C build mantissa_bench
    python tests/bench/compare_pytorch.py [--bench build/bin/mantissa_bench] [--threads 2]
           [--steps 20] [--rounds 2] [--workloads unet2,unet4,block,block_dora] [--compile]

A LoRA training step (rank 16 on attention; forward, backward, clipping, AdamW) and an inference
forward, FP32: the mini UNet of the demo at batch 2 and 4, and one SDXL-width transformer block;
block_dora is that block with DoRA, and with both in the list the cost of DoRA over LoRA is printed.
Weights, inputs and adapters are those that `mantissa_bench --dump` writes. First a gate: loss and
every gradient must agree to 1e-4. Then both programs alternate (A B B A, `--rounds` times, so that
each has as many early and late turns) and the median step of each is printed as a Markdown table,
with the fastest step: the two ratios differ if other programs used the cores. PyTorch: PEFT layers,
fused AdamW, its best of contiguous and channels_last; --compile adds a row with torch.compile.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "interop"))
import torch  # noqa: E402
from diffusers.models.attention import BasicTransformerBlock  # noqa: E402
from peft import LoraConfig, inject_adapter_in_model  # noqa: E402
from safetensors.torch import load_file  # noqa: E402

import mini_base  # noqa: E402

BLOCK = "down_blocks.1.attentions.0.transformer_blocks.0."
ATTENTION = ["to_q", "to_k", "to_v", "to_out.0"]


class Torch:
    """One workload in PyTorch, from a dump."""

    def __init__(self, name, dump, memory_format, compiled):
        self.value = load_file(dump)
        self.is_block = name.startswith("block")
        if self.is_block:
            self.model = BasicTransformerBlock(640, 10, 64, cross_attention_dim=2048)
            weights = {k.removeprefix("weight." + BLOCK): v for k, v in self.value.items() if k.startswith("weight.")}
            self.model.load_state_dict(weights)
            self.prefix = "unet." + BLOCK
        else:
            self.model = mini_base.load_unet()
            self.prefix = "unet."
        self.model.requires_grad_(False).train()
        self.model = inject_adapter_in_model(LoraConfig(r=16, lora_alpha=16, target_modules=ATTENTION,
                                                        use_dora=name == "block_dora"), self.model)
        self.named = {}
        for key, parameter in self.model.named_parameters():
            if "lora_" in key:
                short = key.replace(".default", "").replace("magnitude_vector.weight", "magnitude_vector")
                self.named[self.prefix + short] = parameter
                parameter.requires_grad_(True)
        given = {k.removeprefix("adapter.") for k in self.value if k.startswith("adapter.")}
        if given != set(self.named):
            sys.exit(f"{name}: the two programs adapt different modules: {sorted(given ^ set(self.named))[:4]}")
        with torch.no_grad():
            for key, parameter in self.named.items():
                parameter.copy_(self.value["adapter." + key])
        self.inputs = {k.removeprefix("input."): v for k, v in self.value.items() if k.startswith("input.")}
        for key in () if self.is_block else ("latents", "noise"):
            self.inputs[key] = self.inputs[key].permute(0, 3, 1, 2).contiguous(memory_format=memory_format)
        self.model.to(memory_format=memory_format)
        if self.is_block:
            self.inputs["x"].requires_grad_(True)
        self.run = torch.compile(self.forward) if compiled else self.forward
        self.optimizer = torch.optim.AdamW(self.named.values(), lr=1e-4, weight_decay=0.01, fused=True)

    def forward(self, x):
        i = self.inputs
        if self.is_block:
            return self.model(x, encoder_hidden_states=i["context"])
        return self.model(x, i["timesteps"], encoder_hidden_states=i["context"],
                          added_cond_kwargs={"text_embeds": i["pooled"], "time_ids": i["time_ids"]}).sample

    def loss(self):
        i = self.inputs
        if self.is_block:
            i["x"].grad = None
            return torch.nn.functional.mse_loss(self.run(i["x"]), i["target"])
        noisy = i["signal"].view(-1, 1, 1, 1) * i["latents"] + i["sigma"].view(-1, 1, 1, 1) * i["noise"]
        return torch.nn.functional.mse_loss(self.run(noisy), i["noise"])

    def train_step(self):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.named.values(), 1.0)
        self.optimizer.step()
        return loss.item()

    def infer(self):
        with torch.inference_mode():
            return self.run(self.inputs["x" if self.is_block else "latents"])

    def gate(self):
        """Largest relative error of the loss and of the gradients against Mantissa's."""
        loss = self.loss()
        loss.backward()
        error = mini_base.gradient_error({k: p.grad for k, p in self.named.items()},
                                         {k: self.value["grad." + k] for k in self.named})
        self.optimizer.zero_grad(set_to_none=True)
        return abs(loss.item() / self.value["loss"].item() - 1), error

    def measure(self, steps, warmup):
        times = {}
        for kind, work in (("train", self.train_step), ("infer", self.infer)):
            taken = []
            for i in range(warmup + steps):
                start = time.perf_counter()
                work()
                taken.append(time.perf_counter() - start)
            times[kind] = taken[warmup:]
        return times


def measure_mantissa(options, name):
    out = subprocess.run([options.bench, "--measure", name, "--threads", str(options.threads), "--steps",
                          str(options.steps), "--warmup", "5"], check=True, capture_output=True, text=True).stdout
    result = json.loads(out)
    return {"train": result["train_seconds"], "infer": result["infer_seconds"]}


def compare(options, name, folder):
    dump = folder / f"{name}.safetensors"
    subprocess.run([options.bench, "--dump", name, dump, "--threads", str(options.threads)], check=True)
    formats = {"PyTorch": (torch.contiguous_format, False)}
    if not name.startswith("block"):
        formats["PyTorch channels_last"] = (torch.channels_last, False)
    if options.compile:
        formats["PyTorch compiled"] = (torch.contiguous_format, True)
    programs = {label: Torch(name, dump, *how) for label, how in formats.items()}
    for label, program in programs.items():
        loss, gradients = program.gate()
        print(f"gate {name}, {label}: loss {loss:.1e}, gradients {gradients:.1e}", file=sys.stderr)
        if not (loss <= 1e-4 and gradients <= 1e-4):
            sys.exit("the programs don't compute the same thing: no comparison")
    turns = {"Mantissa": lambda: measure_mantissa(options, name)}
    turns |= {label: (lambda p=p: p.measure(options.steps, 5)) for label, p in programs.items()}
    times = {label: {"train": [], "infer": []} for label in turns}
    for _ in range(options.rounds):
        for label in [*turns, *reversed(turns)]:
            for kind, taken in turns[label]().items():
                times[label][kind] += taken
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", default=str(mini_base.ROOT / "build" / "bin" / "mantissa_bench"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--workloads", default="unet2,unet4,block,block_dora")
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    print(f"PyTorch {torch.__version__}, {options.threads} threads, load {os.getloadavg()[0]:.1f}\n", file=sys.stderr)
    print("| workload | program | training step, median (fastest) | ratio | inference, median (fastest) | ratio |")
    print("|---|---|---|---|---|---|")
    steps = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in options.workloads.split(","):
            times = compare(options, name, pathlib.Path(folder))
            steps[name] = {label: kinds["train"] for label, kinds in times.items()}
            for label, kinds in times.items():
                cells = []
                for kind, taken in kinds.items():
                    ours = times["Mantissa"][kind]
                    median, fastest = statistics.median(taken), min(taken)
                    cells += [f"{1e3 * median:.1f} ms ({1e3 * fastest:.1f})",
                              f"{median / statistics.median(ours):.2f} ({fastest / min(ours):.2f})"]
                print(f"| {name} | {label} | {' | '.join(cells)} |", flush=True)
    for label in steps.get("block", {}):
        if "block_dora" in steps:
            lora, dora = steps["block"][label], steps["block_dora"][label]
            print(f"\nDoRA over LoRA, {label}: {100 * (statistics.median(dora) / statistics.median(lora) - 1):+.1f} % "
                  f"(fastest steps {100 * (min(dora) / min(lora) - 1):+.1f} %)")


if __name__ == "__main__":
    main()
