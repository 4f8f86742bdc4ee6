"""Writes tests/golden/optim/averages.safetensors: schedule-free optimizers and Muon.

Needs torch, numpy, safetensors, schedulefree, prodigy-plus-schedule-free. As make_optim.py, and
<run>.x [samples, elements]: the averages that schedule-free optimizers save.

Two of them are compared without roundings of their own that are none of the method's: Muon's
iteration in float64 instead of bfloat16, and Prodigy's sums over every element in the gradients' type
instead of every eleventh in bfloat16.
"""
import pathlib

import torch
import torch.optim._muon as muon
from prodigyplus import ProdigyPlusScheduleFree
from safetensors.torch import save_file
from schedulefree import AdamWScheduleFree

from optim_trace import SMALL, trace

torch.set_num_threads(1)
out = {}


def average(optimizer, use):
    optimizer.eval()
    use()
    optimizer.train()


def schedule_free(params):
    optimizer = AdamWScheduleFree(params, lr=1e-2, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.02,
                                  warmup_steps=30, foreach=False)
    optimizer.train()
    return optimizer


class WholeProdigy(ProdigyPlusScheduleFree):
    def get_sliced_tensor(self, tensor, slice_p=1):
        return tensor.ravel()

    def initialise_state(self, p, group):
        state = super().initialise_state(p, group)
        for name in ("p0", "s"):
            state[name] = state[name].float()
        return state


class Muon:
    """Matrices by Muon, the rest by AdamW."""

    def __init__(self, params, scaling):
        settings = {"lr": 1e-2, "weight_decay": 0.02}
        self.both = [muon.Muon([p for p in params if p.ndim == 2], momentum=0.9,
                               adjust_lr_fn=scaling, **settings),
                     torch.optim.AdamW([p for p in params if p.ndim != 2], betas=(0.9, 0.99),
                                       eps=1e-8, **settings)]

    def step(self):
        for optimizer in self.both:
            optimizer.step()


def exact_iteration(grad, coefficients, steps, eps):
    a, b, c = coefficients
    x = grad.double()
    x = x.T if x.size(0) > x.size(1) else x
    x = x / x.norm().clamp(min=eps)
    for _ in range(steps):
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    return (x.T if grad.size(0) > grad.size(1) else x).float()


muon._zeropower_via_newtonschulz = exact_iteration
trace(out, "adamwschedulefree", SMALL, schedule_free, 0.5, 1.0, average=average)
trace(out, "prodigyschedulefree", SMALL,
      lambda p: WholeProdigy(p, lr=1.0, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.02,
                             factored=False),
      0.5, 0.1, spread=2.0**-13, probe=lambda o: o.param_groups[0]["d"], average=average)
TALL = [(24, 40), (37,), (19, 8)]
for scaling, name in (("match_rms_adamw", "muon"), ("original", "muon.original")):
    trace(out, name, TALL, lambda p: Muon(p, scaling), 0.5, 1.0)

save_file(out, pathlib.Path(__file__).parent / "optim" / "averages.safetensors")
print(sum(t.numel() * t.element_size() for t in out.values()), "bytes")
