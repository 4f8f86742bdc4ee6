"""Writes samplers.json: end states of diffusers' schedulers on a fixed synthetic model.

Each case starts from x = z * init_noise_sigma with z[k] = sin(1.7 k + 0.3) * 1.5 and uses the model
f(x, t) = 0.3 x cos(t / 1000) + 0.1 on the scaled input. Ancestral noise of step i is
n[k] = cos(0.9 k + 1.1 i). Run: python make_samplers.py  (diffusers 0.42, torch).
"""
import json
import pathlib

import numpy as np
import torch
from diffusers import (DDIMScheduler, DPMSolverMultistepScheduler,
                       EulerAncestralDiscreteScheduler, EulerDiscreteScheduler, HeunDiscreteScheduler)
import diffusers.schedulers.scheduling_euler_ancestral_discrete as ancestral

torch.set_num_threads(1)
N = 12
BASE = dict(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear",
            num_train_timesteps=1000)


def exact_tables(scheduler, zero_snr):
    """diffusers builds its tables in fp32 (1-abar is off by 4e-5 at t=0); give it fp64 ones."""
    root = np.linspace(BASE["beta_start"] ** 0.5, BASE["beta_end"] ** 0.5, 1000)
    bar = np.cumprod(1.0 - root ** 2)
    if zero_snr:
        s = np.sqrt(bar)
        bar = ((s - s[-1]) * s[0] / (s[0] - s[-1])) ** 2
        bar[-1] = 0.0 if isinstance(scheduler, DDIMScheduler) else 2.0 ** -24
    bar = torch.from_numpy(bar)
    scheduler.alphas_cumprod = bar
    if hasattr(scheduler, "final_alpha_cumprod"):
        scheduler.final_alpha_cumprod = bar[0]
    if hasattr(scheduler, "lambda_t"):
        scheduler.alpha_t = bar.sqrt()
        scheduler.sigma_t = (1 - bar).sqrt()
        scheduler.lambda_t = scheduler.alpha_t.log() - scheduler.sigma_t.log()
        scheduler.sigmas = ((1 - bar) / bar).sqrt()


def run(kind, prediction, spacing, steps, zero_snr):
    common = dict(BASE, prediction_type=prediction, timestep_spacing=spacing, steps_offset=1,
                  rescale_betas_zero_snr=zero_snr)
    if kind == "euler":
        s = EulerDiscreteScheduler(**common)
    elif kind == "euler_a":
        s = EulerAncestralDiscreteScheduler(**common)
    elif kind == "heun":
        s = HeunDiscreteScheduler(**{k: v for k, v in common.items() if k != "rescale_betas_zero_snr"})
    elif kind == "ddim":
        s = DDIMScheduler(**common, clip_sample=False, set_alpha_to_one=False)
    elif kind == "dpmpp_2m_karras":
        s = DPMSolverMultistepScheduler(**common, use_karras_sigmas=True)
    else:
        raise ValueError(kind)
    exact_tables(s, zero_snr)
    s.set_timesteps(steps)
    k = torch.arange(N, dtype=torch.float64)
    x = (torch.sin(1.7 * k + 0.3) * 1.5 * float(s.init_noise_sigma)).to(torch.float32)
    current = {"step": 0}

    def noise(shape, **kwargs):
        return torch.cos(0.9 * k + 1.1 * current["step"]).to(torch.float32)

    ancestral.randn_tensor = noise
    for i, t in enumerate(s.timesteps):
        current["step"] = i
        u = s.scale_model_input(x, t)
        tt = float(t)
        out = (0.3 * u.double() * np.cos(tt / 1000) + 0.1).to(torch.float32)
        x = s.step(out, t, x).prev_sample
    return dict(kind=kind, prediction=prediction, spacing=spacing, steps=steps, zero_snr=zero_snr,
                init=float(s.init_noise_sigma), timesteps=[round(float(t), 4) for t in s.timesteps],
                x=[float("%.9g" % v) for v in x])


cases = []
for kind in ["euler", "euler_a", "ddim", "dpmpp_2m_karras", "heun"]:
    for prediction in ["epsilon", "v_prediction"]:
        spacings = ["leading"] if kind.startswith("dpm") else ["linspace", "leading", "trailing"]
        for spacing in spacings:
            for steps in [5, 10, 20, 30]:  # 30 does not divide 1000: rounding matters
                cases.append(run(kind, prediction, spacing, steps, False))
    if kind != "heun":  # diffusers' has no such option
        cases.append(run(kind, "v_prediction", "trailing", 10, True))
lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases)
(pathlib.Path(__file__).parent / "samplers.json").write_text("[\n" + lines + "\n]\n")
print(len(cases), "cases")
