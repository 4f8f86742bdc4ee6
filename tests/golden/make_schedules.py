"""Writes schedules.json: noise schedules and samplers of diffusers away from Stable Diffusion's usual values.

    python tests/golden/make_schedules.py        needs torch, diffusers

Each case has a config saved by diffusers and, for diffusers' scheduler of it: alphas_cumprod at a
few timesteps, the weights of min-SNR (gamma 5) there from diffusers.training_utils.compute_snr, and
for the samplers the timesteps and end state of `steps` steps on the synthetic model of
make_samplers.py. The sampler's tables are rebuilt in fp64 from the scheduler's own betas:
diffusers' are fp32.
"""

import json
import math
import pathlib

import diffusers
import torch
from diffusers.training_utils import compute_snr

torch.set_num_threads(1)
N = 12
SD = dict(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", steps_offset=1)
DDIM = dict(SD, clip_sample=False, set_alpha_to_one=False)


def curve(n):
    """Betas not from a formula of diffusers."""
    return [round(0.002 + 0.05 * math.sin(1.3 * i / n) ** 2, 6) for i in range(n)]


CASES = [
    ("EulerDiscreteScheduler", "euler", 30, dict(SD, num_train_timesteps=800, timestep_spacing="leading")),
    ("EulerDiscreteScheduler", "euler", 7, dict(SD, num_train_timesteps=2000, timestep_spacing="linspace")),
    ("EulerDiscreteScheduler", "euler", 30, dict(num_train_timesteps=1000)),  # all of its own defaults
    ("EulerDiscreteScheduler", "euler", 12, dict(SD, num_train_timesteps=500, timestep_spacing="trailing",
                                                 prediction_type="v_prediction", rescale_betas_zero_snr=True)),
    ("DDIMScheduler", "ddim", 30, dict(DDIM, num_train_timesteps=800, timestep_spacing="leading")),
    ("DDIMScheduler", "ddim", 11, dict(DDIM, num_train_timesteps=1200, timestep_spacing="trailing",
                                       prediction_type="v_prediction", rescale_betas_zero_snr=True)),
    ("DDIMScheduler", "ddim", 30, dict(DDIM, num_train_timesteps=2000, timestep_spacing="linspace",
                                       set_alpha_to_one=True, steps_offset=0)),
    ("DDIMScheduler", "ddim", 9, dict(DDIM, num_train_timesteps=60, trained_betas=curve(60),
                                      timestep_spacing="trailing")),
    ("DDIMScheduler", "ddim", 10, dict(DDIM, num_train_timesteps=400, beta_schedule="squaredcos_cap_v2")),
    ("DPMSolverMultistepScheduler", "dpmpp_2m_karras", 20, dict(SD, num_train_timesteps=800, use_karras_sigmas=True)),
    ("DDPMScheduler", None, 0, dict(SD, num_train_timesteps=600, beta_schedule="sigmoid")),
    ("DDPMScheduler", None, 0, dict(SD, num_train_timesteps=300, beta_schedule="laplace")),
    ("DDPMScheduler", None, 0, dict(num_train_timesteps=1000)),
    ("PNDMScheduler", None, 0, dict(SD, skip_prk_steps=True)),
    ("UniPCMultistepScheduler", None, 0, dict(num_train_timesteps=250)),
    ("LCMScheduler", None, 0, dict(num_train_timesteps=1000)),
    ("HeunDiscreteScheduler", None, 0, dict(num_train_timesteps=1000)),
]


def exact_tables(s, kind, config):
    """fp64 tables from the formula's betas, as in make_samplers.py."""
    n = config["num_train_timesteps"]
    if config.get("trained_betas"):
        betas = torch.tensor(config["trained_betas"], dtype=torch.float64)
    elif s.config.beta_schedule == "scaled_linear":
        betas = torch.linspace(s.config.beta_start**0.5, s.config.beta_end**0.5, n, dtype=torch.float64) ** 2
    elif s.config.beta_schedule == "linear":
        betas = torch.linspace(s.config.beta_start, s.config.beta_end, n, dtype=torch.float64)
    else:
        bar = [math.cos((i / n + 0.008) / 1.008 * math.pi / 2) ** 2 for i in range(n + 1)]
        betas = torch.tensor([min(1 - bar[i + 1] / bar[i], 0.999) for i in range(n)], dtype=torch.float64)
    bar = torch.cumprod(1 - betas, 0)
    if config.get("rescale_betas_zero_snr"):
        root = bar.sqrt()
        bar = ((root - root[-1]) * root[0] / (root[0] - root[-1])) ** 2
        bar[-1] = 0.0 if kind == "ddim" else 2.0**-24
    s.alphas_cumprod = bar
    if kind == "ddim":
        s.final_alpha_cumprod = torch.tensor(1.0).double() if s.config.set_alpha_to_one else bar[0]
    if kind == "dpmpp_2m_karras":
        s.alpha_t, s.sigma_t = bar.sqrt(), (1 - bar).sqrt()
        s.lambda_t = s.alpha_t.log() - s.sigma_t.log()
        s.sigmas = ((1 - bar) / bar).sqrt()


def sample(s, kind, steps, config):
    exact_tables(s, kind, config)
    s.set_timesteps(steps)
    k = torch.arange(N, dtype=torch.float64)
    x = (torch.sin(1.7 * k + 0.3) * 1.5 * float(s.init_noise_sigma)).to(torch.float32)
    for t in s.timesteps:
        u = s.scale_model_input(x, t)
        out = (0.3 * u.double() * math.cos(float(t) / 1000) + 0.1).to(torch.float32)
        x = s.step(out, t, x).prev_sample
    return dict(kind=kind, steps=steps, timesteps=[round(float(t), 4) for t in s.timesteps],
                x=[float("%.9g" % v) for v in x])


def case(name, kind, steps, config):
    make = getattr(diffusers, name)
    s = make(**config)
    saved = {k: v for k, v in json.loads(s.to_json_string()).items() if not k.startswith("_") or k == "_class_name"}
    saved = {k: v for k, v in saved.items() if v != -math.inf}  # no JSON: tests/engine/models/model_config_test.cpp
    n = s.config.num_train_timesteps
    at = sorted({0, 1, n // 7, n // 2, n - 2, n - 1})
    t = torch.tensor(at)
    weights = []
    if not s.config.get("rescale_betas_zero_snr"):
        snr = compute_snr(s, t)
        weights = [float("%.6g" % w) for w in torch.minimum(snr, torch.full_like(snr, 5.0)) / snr]
    result = dict(config=saved, at=at, alphas_cumprod=[float("%.7g" % a) for a in s.alphas_cumprod[t]],
                  min_snr=weights)
    if kind:
        result |= dict(sampling=sample(s, kind, steps, config))
    return result


# A newer diffusers may add fields: written ones must still be read. Omitted if class defaults
# apply.
lines = [json.dumps(case(*c), separators=(",", ":")) for c in CASES]
defaults = [json.dumps(case(name, kind, steps, config) | dict(config=dict(config, _class_name=name)),
                       separators=(",", ":")) for name, kind, steps, config in CASES]
path = pathlib.Path(__file__).parent / "schedules.json"
path.write_text("[\n" + ",\n".join(lines + defaults) + "\n]\n")
print(len(lines + defaults), "cases")
