"""What the scripts of optimizer traces share: tests/engine/optim/trace.h has the same in C++."""
import math

import numpy as np
import torch

STEPS, EVERY, ELEMENTS = 220, 20, 32
SMALL = [(24, 40), (37,), (8, 9)]
LARGE = [(70, 64), (24, 40)]


def uniform(index, salt):
    """In [-1/2, 1/2), of 32 bits."""
    mask = np.uint64(0xFFFFFFFF)
    x = (index.astype(np.uint64) * np.uint64(2654435761) + np.uint64(salt) * np.uint64(40503)
         + np.uint64(12345)) & mask
    for shift, factor in ((15, 2246822519), (13, 3266489917)):
        x ^= x >> np.uint64(shift)
        x = (x * np.uint64(factor)) & mask
    x ^= x >> np.uint64(16)
    return x.astype(np.float64) / 2.0**32 - 0.5


def start(n):
    return torch.tensor(2.0 * uniform(np.arange(n), 1000001), dtype=torch.float32)


def gradient(p, step, pull, noise):
    """pull·a·(p - t) + noise·u, rounded once; a in [1/2, 3/2), t in [-1, 1)."""
    index = np.arange(p.size)
    a = 1.0 + uniform(index, 1000002)
    t = 2.0 * uniform(index, 1000003)
    return (pull * a * (p.astype(np.float64) - t) + noise * uniform(index, step)).astype(np.float32)


def trace(out, name, shapes, make, pull, noise, before=None, probe=None, spread=1.0, average=None):
    """Tensors of `shapes`, consecutive as in one flat buffer. `average` calls its function while the
    optimizer's average replaces the parameters."""
    flat = start(sum(math.prod(s) for s in shapes)) * spread
    params, at = [], 0
    for shape in shapes:
        n = math.prod(shape)
        params.append(torch.nn.Parameter(flat[at:at + n].reshape(shape).clone()))
        at += n
    optimizer = make(params)
    picks = [i * at // ELEMENTS for i in range(ELEMENTS)]
    samples, probes, averages = [], [], []
    for step in range(STEPS):
        now = torch.cat([p.detach().reshape(-1) for p in params])
        g = torch.from_numpy(gradient(now.numpy(), step, pull, noise))
        at = 0
        for p in params:
            p.grad = g[at:at + p.numel()].reshape(p.shape).clone()
            at += p.numel()
        if before:
            before(optimizer, params, step)
        optimizer.step()
        if step % EVERY == EVERY - 1:
            now = torch.cat([p.detach().reshape(-1) for p in params])
            samples.append(now[picks])
            if average:
                average(optimizer, lambda: averages.append(
                    torch.cat([p.detach().reshape(-1) for p in params])[picks].clone()))
            if probe:
                probes.append(probe(optimizer))
    out[name + ".p"] = torch.stack(samples)
    if average:
        out[name + ".x"] = torch.stack(averages)
    if probe:
        out[name + ".d"] = torch.tensor(probes, dtype=torch.float64)
    print(name, "moved", float((now - flat).abs().mean()))
