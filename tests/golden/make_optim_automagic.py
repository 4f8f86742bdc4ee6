"""Writes tests/golden/optim/automagic.safetensors: Automagic, written from its formulas in float64.

Needs torch, numpy, safetensors. As make_optim.py; the rate of every element, with the update's sign
of the step before, and the factored second moment are float64, parameters are rounded to float32
after each step. `automagic` begins near the highest rate, `automagic.low` at the usual 1e-6. AI
Toolkit's own class, with its rates in float32 instead of 8 bits, ends within 9e-7 of both.
"""
import pathlib

import torch
from safetensors.torch import save_file

from optim_trace import SMALL, trace

torch.set_num_threads(1)
STEP, LEAST, MOST = 1e-6, 1e-7, 1e-3
out = {}


class Automagic:
    def __init__(self, params, start, beta2, decay):
        self.params, self.beta2, self.decay = params, beta2, decay
        self.rates = [torch.full_like(p, start, dtype=torch.float64) for p in params]
        self.positive = [torch.zeros_like(p, dtype=torch.bool) for p in params]
        self.means = [{} for _ in params]

    def average(self, means, name, now):
        means[name] = self.beta2 * means.get(name, 0.0) + (1.0 - self.beta2) * now
        return means[name]

    def direction(self, g, means):
        squares = g * g + 1e-30
        if g.ndim == 1:
            u = g / self.average(means, "square", squares).sqrt()
        else:
            row = self.average(means, "row", squares.mean(1))
            col = self.average(means, "col", squares.mean(0))
            u = g / (row[:, None] * col[None, :] / row.mean()).sqrt()
        return u / max(1.0, float((u * u).mean().sqrt()))

    def step(self):
        for i, p in enumerate(self.params):
            u = self.direction(p.grad.double(), self.means[i])
            agrees = (u > 0) == self.positive[i]
            self.positive[i] = u > 0
            rate = self.rates[i] + torch.where(agrees, STEP, -STEP)
            self.rates[i] = rate.clamp(LEAST, MOST)
            before = p.data.double()
            p.data = (before - self.rates[i] * (u + self.decay * before)).float()


trace(out, "automagic", SMALL, lambda p: Automagic(p, 9.5e-4, 0.99, 0.02), 0.5, 1.0)
trace(out, "automagic.low", SMALL, lambda p: Automagic(p, 1e-6, 0.99, 0.02), 0.5, 0.3,
      spread=2.0**-7)

save_file(out, pathlib.Path(__file__).parent / "optim" / "automagic.safetensors")
print(sum(t.numel() * t.element_size() for t in out.values()), "bytes")
