"""Writes lr_schedules.json: factors on the learning rate of diffusers' and transformers' schedules.

    python tests/golden/make_lr_schedules.py        needs torch, diffusers, transformers

Each case has our settings of the schedule, the run's steps, and the library's factor at a few steps,
from the function that its LambdaLR is given. Steps of the warm-up are left out: it begins at zero
there, at its first share here.
"""

import json
import pathlib

import diffusers.optimization as d
import torch
import transformers.optimization as t

STEPS = 120
RATE = 2e-4

# Function, its arguments, our settings.
CASES = [
    (d.get_linear_schedule_with_warmup, dict(num_warmup_steps=0), dict(type="linear")),
    (d.get_cosine_schedule_with_warmup, dict(num_warmup_steps=10), dict(type="cosine", warmup_steps=10)),
    (d.get_cosine_schedule_with_warmup, dict(num_warmup_steps=7, num_cycles=2.25),
     dict(type="cosine_waves", warmup_steps=7, cycles=2.25)),
    (d.get_cosine_with_hard_restarts_schedule_with_warmup, dict(num_warmup_steps=5, num_cycles=1),
     dict(type="cosine_restarts", warmup_steps=5, cycles=1)),
    (d.get_cosine_with_hard_restarts_schedule_with_warmup, dict(num_warmup_steps=0, num_cycles=4),
     dict(type="cosine_restarts", cycles=4)),
    (d.get_cosine_with_hard_restarts_schedule_with_warmup, dict(num_warmup_steps=20, num_cycles=3),
     dict(type="cosine_restarts", warmup_steps=20, cycles=3)),
    (d.get_polynomial_decay_schedule_with_warmup, dict(num_warmup_steps=0, power=1.0),
     dict(type="polynomial", power=1, min_factor=1e-7 / RATE)),
    (d.get_polynomial_decay_schedule_with_warmup, dict(num_warmup_steps=13, power=2.5, lr_end=2e-5),
     dict(type="polynomial", warmup_steps=13, power=2.5, min_factor=0.1)),
    (t.get_cosine_with_min_lr_schedule_with_warmup, dict(num_warmup_steps=9, min_lr_rate=0.2),
     dict(type="cosine", warmup_steps=9, min_factor=0.2)),
    (t.get_cosine_with_min_lr_schedule_with_warmup, dict(num_warmup_steps=0, num_cycles=1.5, min_lr_rate=0.05),
     dict(type="cosine_waves", cycles=1.5, min_factor=0.05)),
    (t.get_inverse_sqrt_schedule, dict(num_warmup_steps=8, timescale=30),
     dict(type="inverse_sqrt", warmup_steps=8, timescale=30)),
    (t.get_inverse_sqrt_schedule, dict(num_warmup_steps=0), dict(type="inverse_sqrt", timescale=10000)),
    (t.get_wsd_schedule, dict(num_warmup_steps=10, num_decay_steps=40, min_lr_ratio=0.1),
     dict(type="cosine", warmup_steps=10, decay_steps=40, min_factor=0.1)),
    (t.get_wsd_schedule, dict(num_warmup_steps=0, num_decay_steps=30, decay_type="linear"),
     dict(type="linear", decay_steps=30)),
]


def factors(function, arguments):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=RATE)
    if "num_training_steps" in function.__code__.co_varnames[: function.__code__.co_argcount]:
        arguments = dict(arguments, num_training_steps=STEPS)
    factor = function(optimizer, **arguments).lr_lambdas[0]
    first = arguments["num_warmup_steps"]
    steps = sorted({first, first + 1, *range(first, STEPS, 7), STEPS - 1, STEPS})
    return [[step, factor(step)] for step in steps]


cases = [
    dict(name=f"{function.__name__} {arguments}", schedule=settings, steps=STEPS, factors=factors(function, arguments))
    for function, arguments, settings in CASES
]
out = pathlib.Path(__file__).parent / "lr_schedules.json"
out.write_text(json.dumps(cases, indent=1) + "\n")
