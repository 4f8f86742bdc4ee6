"""Writes tests/golden/optim/traces.safetensors: optimizers and the loss scaler of other programs.

Needs torch, transformers, numpy, safetensors, bitsandbytes, prodigyopt, lion-pytorch, came-pytorch.

Gradients are not stored: both sides compute them from a hash of element and step, and from the
parameter (tests/engine/optim/trace.h). Of every run a few elements are stored every 20th step:

<run>.p [samples, elements], <run>.d (prodigy) [samples]; elements are 0, n/E, 2n/E, …
scaler.<groups>.<plain|clip>: .scale [changes, 2] (the first step that has it, the scale), .p
[samples, groups·4] every 100th step, .steps [groups] really taken.
"""
import math
import pathlib

import torch
from bitsandbytes.optim import AdamW8bit, Lion8bit
from came_pytorch import CAME
from lion_pytorch import Lion
from prodigyopt import Prodigy
from safetensors.torch import save_file
from transformers.optimization import Adafactor

from optim_trace import LARGE, SMALL, gradient, start, trace

torch.set_num_threads(1)
out = {}

trace(out, "adamw", SMALL, lambda p: torch.optim.AdamW(p, lr=1e-2, betas=(0.9, 0.99), eps=1e-8,
                                                       weight_decay=0.02), 0.5, 1.0)


def decay(optimizer, params, step):
    """torch's SGD couples its decay; this is the decoupled one."""
    for p in params:
        p.data.mul_(1.0 - 1e-2 * 0.02)


trace(out, "sgd", SMALL, lambda p: torch.optim.SGD(p, lr=1e-2, momentum=0.9), 0.5, 1.0, decay)
trace(out, "lion", SMALL, lambda p: Lion(p, lr=1e-3, betas=(0.9, 0.99), weight_decay=0.02), 0.0, 1.0)
trace(out, "adafactor", SMALL,
      lambda p: Adafactor(p, lr=1e-2, eps=(1e-30, 1e-3), clip_threshold=1.0, decay_rate=-0.8,
                          beta1=None, weight_decay=0.02, scale_parameter=False,
                          relative_step=False, warmup_init=False), 0.5, 1.0)
# The first steps are of 1e-6: near 1 they would be lost in the parameters' rounding.
trace(out, "prodigy", SMALL, lambda p: Prodigy(p, lr=1.0, betas=(0.9, 0.99), eps=1e-8,
                                          weight_decay=0.02), 0.5, 0.1, spread=2.0**-13,
      probe=lambda o: o.param_groups[0]["d"])
trace(out, "came", SMALL, lambda p: CAME(p, lr=1e-2, betas=(0.9, 0.99, 0.9999), eps=(1e-30, 1e-16),
                                    weight_decay=0.02), 0.5, 1.0)
trace(out, "adamw8bit", LARGE, lambda p: AdamW8bit(p, lr=1e-2, betas=(0.9, 0.99), eps=1e-8,
                                              weight_decay=0.0), 0.5, 1.0)
trace(out, "lion8bit", LARGE, lambda p: Lion8bit(p, lr=1e-3, betas=(0.9, 0.99), weight_decay=0.0), 0.0,
      1.0)

# -- the loss scaler ------------------------------------------------------------------------------
SCALER_STEPS = 2300
OVERFLOWS = {17: [0], 18: [1], 19: [0, 1, 2], 90: [2], 91: [2], 140: [0, 2], 2150: [1]}
RATES = [1e-2, 3e-3, 1e-3]


def scaler_trace(groups, clip):
    name = f"scaler.{groups}.{'clip' if clip else 'plain'}"
    params = [torch.nn.Parameter(start(4 * groups)[4 * g:4 * g + 4].clone()) for g in range(groups)]
    optimizers = [torch.optim.AdamW([p], lr=RATES[g], betas=(0.9, 0.99), eps=1e-8,
                                    weight_decay=0.02) for g, p in enumerate(params)]
    scaler = torch.amp.GradScaler("cpu", init_scale=65536.0, growth_interval=2000)
    scaler.scale(torch.zeros(1))
    scales, samples, steps = [], [], [0] * groups
    for step in range(SCALER_STEPS):
        if not scales or scales[-1][1] != scaler.get_scale():
            scales.append((step, scaler.get_scale()))
        now = torch.cat([p.detach() for p in params])
        g = torch.from_numpy(gradient(now.numpy(), step, 0.5, 1.0)) * scaler.get_scale()
        for k, p in enumerate(params):
            p.grad = g[4 * k:4 * k + 4].clone()
            if k in OVERFLOWS.get(step, []):
                p.grad[step % 4] = math.inf if step % 2 else math.nan
        found = []
        for o in optimizers:
            scaler.unscale_(o)
            found.append(any(float(f) for f in
                             scaler._per_optimizer_states[id(o)]["found_inf_per_device"].values()))
        if clip and not any(found):
            torch.nn.utils.clip_grad_norm_(params, clip)
        for k, o in enumerate(optimizers):
            if clip and any(found):
                continue  # the norm is shared
            scaler.step(o)
            steps[k] += not found[k]
        scaler.update()
        if step % 100 == 99:
            samples.append(torch.cat([p.detach() for p in params]))
    out[name + ".scale"] = torch.tensor(scales, dtype=torch.float64)
    out[name + ".p"] = torch.stack(samples)
    out[name + ".steps"] = torch.tensor(steps, dtype=torch.int64)
    print(name, steps, scales)


for groups in (1, 2, 3):
    scaler_trace(groups, None)
    scaler_trace(groups, 0.5)

folder = pathlib.Path(__file__).parent / "optim"
folder.mkdir(exist_ok=True)
save_file(out, folder / "traces.safetensors")
print(sum(t.numel() * t.element_size() for t in out.values()), "bytes")
