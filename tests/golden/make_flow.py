"""Writes flow.json: rectified flow as in diffusers (diffusers 0.42, torch).

`samples`: end states of FlowMatchEulerDiscreteScheduler, of FlowMatchHeunDiscreteScheduler at Euler's levels, and of
DPMSolverMultistepScheduler on flow sigmas, on the synthetic model of make_samplers.py. Steps begin at linspace(1, 1/n, n), as every
pipeline of a flow model passes it. `sigmas`: those of dynamic shifts of either kind, by the image's
tokens. `shares`: draws of u mapped by mode, and normal ones by logit_normal, in doubles.
Run: python make_flow.py
"""
import json
import math
import pathlib

import torch
from diffusers import (DPMSolverMultistepScheduler, FlowMatchEulerDiscreteScheduler,
                       FlowMatchHeunDiscreteScheduler)
from diffusers.training_utils import compute_density_for_timestep_sampling

torch.set_num_threads(1)
N = 12


def calculate_shift(tokens, base=256, most=4096, low=0.5, high=1.15):
    """As in the pipelines: mu of an image by its number of tokens."""
    slope = (high - low) / (most - base)
    return tokens * slope + low - slope * base


def end_state(scheduler, told):
    k = torch.arange(N, dtype=torch.float64)
    x = (torch.sin(1.7 * k + 0.3) * 1.5).to(torch.float32)
    for t, exact in zip(scheduler.timesteps, told):
        out = (0.3 * x.double() * math.cos(exact / 1000) + 0.1).to(torch.float32)
        x = scheduler.step(out, t, x).prev_sample
    return [float("%.9g" % v) for v in x]


def euler(steps, shift=1.0, tokens=None):
    s = FlowMatchEulerDiscreteScheduler(shift=shift, use_dynamic_shifting=tokens is not None)
    sigmas = torch.linspace(1.0, 1 / steps, steps).tolist()
    s.set_timesteps(sigmas=sigmas, mu=calculate_shift(tokens) if tokens else None)
    told = [float(t) for t in s.timesteps]
    return dict(kind="euler", steps=steps, shift=shift, tokens=tokens or 0, timesteps=told,
                x=end_state(s, told))


def dpm(steps, shift):
    s = DPMSolverMultistepScheduler(use_flow_sigmas=True, prediction_type="flow_prediction",
                                    flow_shift=shift, euler_at_final=False,
                                    lower_order_final=True)
    s.set_timesteps(steps)
    told = [float(sigma) * 1000 for sigma in s.sigmas[:-1]]  # its timesteps are truncated to
                                                             # integers
    return dict(kind="dpmpp_2m_karras", steps=steps, shift=shift, tokens=0, timesteps=told,
                x=end_state(s, told))


def heun(steps, shift):
    """At Euler's levels: the scheduler's own end at 1/1000, whatever the number of steps."""
    s = FlowMatchHeunDiscreteScheduler(shift=shift)
    s.set_timesteps(steps)
    t = torch.linspace(1.0, 1 / steps, steps, dtype=torch.float64)
    sigmas = shift * t / (1 + (shift - 1) * t)
    told = torch.cat([sigmas[:1], sigmas[1:].repeat_interleave(2)]) * 1000
    s.sigmas = torch.cat([sigmas[:1], sigmas[1:].repeat_interleave(2), torch.zeros(1)])
    s.timesteps = told
    return dict(kind="heun", steps=steps, shift=shift, tokens=0, timesteps=told.tolist(),
                x=end_state(s, told.tolist()))


def dynamic_sigmas():
    rows = []
    for kind in ("exponential", "linear"):
        for most, tokens in ((4096, 64), (4096, 1024), (6400, 4096), (6400, 9216)):
            s = FlowMatchEulerDiscreteScheduler(
                use_dynamic_shifting=True, time_shift_type=kind, max_image_seq_len=most)
            mu = calculate_shift(tokens, most=most)
            s.set_timesteps(sigmas=torch.linspace(1.0, 1 / 7, 7).tolist(), mu=mu)
            config = {k: v for k, v in s.config.items() if not k.startswith("_")}
            rows.append(dict(config=config, tokens=tokens, sigmas=s.sigmas.tolist()))
    return rows


def shares():
    rows = []
    v = torch.linspace(0.0, 0.999, 28, dtype=torch.float64)
    torch.rand = lambda size, **_: v
    for scale in (0.5, 1.29):
        u = compute_density_for_timestep_sampling("mode", len(v), mode_scale=scale)
        rows.append(dict(kind="mode", scale=scale, v=v.tolist(), u=u.tolist()))
    z = torch.linspace(-6.0, 6.0, 25, dtype=torch.float64)
    torch.normal = lambda mean, std, size, **_: mean + std * z
    for mean, std in ((0.0, 1.0), (0.5, 2.0)):
        u = compute_density_for_timestep_sampling("logit_normal", len(z), mean, std)
        rows.append(dict(kind="logit_normal", mean=mean, std=std, z=z.tolist(), u=u.tolist()))
    return rows


samples = [euler(n, shift) for n in (1, 4, 10, 28) for shift in (1.0, 3.0)]
samples += [euler(n, tokens=t) for n in (4, 20) for t in (256, 1024, 4096)]
samples += [dpm(n, shift) for n in (2, 5, 20) for shift in (1.0, 3.0)]
samples += [heun(n, shift) for n in (1, 2, 7, 20) for shift in (1.0, 3.0)]
out = pathlib.Path(__file__).with_name("flow.json")
out.write_text(json.dumps(dict(samples=samples, sigmas=dynamic_sigmas(), shares=shares()), indent=0))
