"""tests/golden/statistics.bin: statistics of 2048 values in each storage format, by PyTorch's own
rounding.

fp32 x[2048]; then for each format fp16, bf16, e4m3, e5m2 and each scale 1 and max|x| / format max:
73 float64 numbers: zeros, non_finite, underflow, subnormal, overflow, amax, scaled_amax, signal,
noise, 64 histogram bins from 2^-40 up.
"""

import pathlib

import numpy
import torch

torch.set_num_threads(1)
FORMATS = [torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2]

rng = numpy.random.default_rng(7)
x = (rng.standard_normal(2048) * 2.0 ** rng.integers(-44, 24, 2048)).astype(numpy.float32)
x[::97] = 0
x[5], x[600], x[1201] = numpy.nan, numpy.inf, -numpy.inf
x[7] = 65519.9
x[8] = 65520.0  # the first that fp16 rounds beyond its range
x[9] = 2.0**-25  # half of fp16's smallest: to even, zero

parts = [x.tobytes()]
for format in FORMATS:
    info = torch.finfo(format)
    finite = torch.from_numpy(x[numpy.isfinite(x)])
    for scale in (1.0, float(numpy.float32(finite.abs().max().item()) / numpy.float32(info.max))):
        scale = numpy.float32(scale)
        y = finite.abs() * float(numpy.float32(1) / scale)
        # Rounded without an upper limit: there the spacing is that of the topmost binade.
        top = 2.0 ** torch.floor(torch.log2(torch.tensor(info.max)))
        fits = y < 2 * top
        rounded = torch.where(fits & (y <= info.max), y.to(format).float(), y)
        spacing = top * info.eps
        rounded = torch.where(y > info.max, torch.round(y.double() / spacing) * spacing, rounded)
        kept = rounded.clamp(max=info.max).float()
        error = finite.abs().double() - (kept * float(scale)).double()
        used = finite != 0
        bins = torch.floor(torch.log2(finite[used].abs().double())).clamp(-40, 23) + 40
        numbers = [
            (finite == 0).sum(),
            len(x) - len(finite),
            (used & (kept == 0)).sum(),
            ((kept != 0) & (kept < info.smallest_normal)).sum(),
            (rounded > info.max).sum(),
            finite.abs().max(),
            y.max(),
            (finite.double() ** 2).sum(),
            (error**2).sum(),
        ]
        numbers = [float(n) for n in numbers] + torch.bincount(bins.long(), minlength=64).tolist()
        parts.append(numpy.array(numbers, dtype=numpy.float64).tobytes())
pathlib.Path(__file__).with_name("statistics.bin").write_bytes(b"".join(parts))
