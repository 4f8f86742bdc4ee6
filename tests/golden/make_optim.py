"""Writes tests/golden/optim/adamw.safetensors: 200 AdamW steps of PyTorch in float32, with a
non-finite gradient (skipped, as GradScaler skips) injected at some steps, for two groups with
learning rates of their own and a shared clip norm.

p0.<g>, grad.<step>.<g>, p.<step>.<g> (every 20th step), norms [steps], scale [steps].
"""
import pathlib

import torch
from safetensors.torch import save_file

STEPS, CLIP, SCALE0 = 200, 1.0, 65536.0
OVERFLOW = {17, 18, 90}
torch.manual_seed(7)
sizes, lrs = [257, 64], [1e-2, 3e-3]
params = [torch.nn.Parameter(torch.randn(n)) for n in sizes]
optims = [
    torch.optim.AdamW([p], lr=lr, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.02)
    for p, lr in zip(params, lrs)
]
out = {f"p0.{g}": p.detach().clone() for g, p in enumerate(params)}
scale, clean, scales, norms = SCALE0, 0, [], []
for step in range(STEPS):
    scales.append(scale)
    grads = [torch.randn(n) * (0.2 + 0.01 * step) + 0.05 * p.detach() for n, p in zip(sizes, params)]
    scaled = [g * scale for g in grads]
    if step in OVERFLOW:
        scaled[step % 2][3] = float("inf") if step != 18 else float("nan")
    for g, s in enumerate(scaled):
        out[f"grad.{step:03d}.{g}"] = s.clone()
    unscaled = [s * (1.0 / scale) for s in scaled]
    norm = torch.sqrt(sum((u.double() ** 2).sum() for u in unscaled)).item()
    norms.append(norm)
    if torch.isfinite(torch.tensor(norm)):
        factor = min(1.0, CLIP / (norm + 1e-6))
        for p, u, o in zip(params, unscaled, optims):
            p.grad = u * factor
            o.step()
        clean += 1
        if clean == 2000:
            scale, clean = min(scale * 2, 2.0**24), 0
    else:
        scale, clean = max(1.0, scale * 0.5), 0
    if step % 20 == 19:
        for g, p in enumerate(params):
            out[f"p.{step:03d}.{g}"] = p.detach().clone()
out["norms"] = torch.tensor(norms, dtype=torch.float64)
out["scales"] = torch.tensor(scales, dtype=torch.float64)
folder = pathlib.Path(__file__).parent / "optim"
folder.mkdir(exist_ok=True)
save_file(out, folder / "adamw.safetensors")
