"""Codes of PyTorch for numbers of every size: tests/golden/quant.bin.

2048 fp32 numbers, then their E4M3FN and their E5M2 codes after clamping to the format's range, then
the fp32 scales and the int8 codes of 32 rows of 64: scale = max|x| / 127, code = x / scale, rounded
to even.
"""
import pathlib

import numpy as np
import torch

rng = np.random.default_rng(1)
size = np.exp2(rng.uniform(-20, 17, 1900)).astype(np.float32)
x = size * rng.choice(np.array([-1, 1], np.float32), size.shape)
# Ties between neighbouring codes, the borders of the ranges, zeros.
ties = [k * 2.0**-10 for k in range(-18, 19)] + [k * 2.0**-17 for k in range(-14, 15)]
ties += [1 + k / 16 for k in range(33)] + [447, 448, 464, 465, 480, 57344, 61440, 61441, 1e38]
ties += [-v for v in ties[-9:]] + [0.0, -0.0]
x = np.concatenate([x, np.array(ties, np.float32)])
x = np.concatenate([x, np.ones(2048 - len(x), np.float32)])
with open(pathlib.Path(__file__).parent / "quant.bin", "wb") as f:
    f.write(x.tobytes())
    for dtype, most in ((torch.float8_e4m3fn, 448), (torch.float8_e5m2, 57344)):
        codes = torch.from_numpy(x).clamp(-most, most).to(dtype)
        f.write(codes.view(torch.uint8).numpy().tobytes())
    rows = torch.from_numpy(x).reshape(32, 64)
    scale = rows.abs().amax(1, keepdim=True) / 127
    f.write(scale.numpy().tobytes())
    codes = (rows * (1 / scale)).round().clamp(-127, 127).to(torch.int8)
    f.write(codes.numpy().tobytes())
