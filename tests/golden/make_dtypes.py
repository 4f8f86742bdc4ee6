"""Conversions of the narrow float types, from PyTorch: tests/golden/dtypes.bin.

For each of fp16, bf16, fp8 e4m3 and e5m2, all little-endian:
  decode: the float32 of every code, folded for the 16-bit types into one 64-bit FNV-1a hash per
          256 codes (NaN as 7fc00000), in full for the 8-bit types
  encode: float32 inputs and the code each gives: random bits, all midpoints between neighbours of
          the 8-bit types and a sample of those of the 16-bit types, and values around overflow
"""
import pathlib
import struct

import torch

HERE = pathlib.Path(__file__).parent
TYPES = ((torch.float16, 16), (torch.bfloat16, 16), (torch.float8_e4m3fn, 8),
         (torch.float8_e5m2, 8))


def bits_of(x):
    """Float32 bits, every NaN as one."""
    b = x.float().contiguous().view(torch.int32).to(torch.int64) & 0xFFFFFFFF
    return torch.where(x.float().isnan(), torch.tensor(0x7FC00000), b)


def codes_of(x, width):
    kind = torch.int16 if width == 16 else torch.uint8
    return x.contiguous().view(kind).to(torch.int64) & (2**width - 1)


def fnv(words):
    h = 0xCBF29CE484222325
    for w in words:
        for byte in struct.pack("<I", w):
            h = ((h ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return h


blob = bytearray()
for dtype, width in TYPES:
    if width == 16:
        codes = torch.arange(65536, dtype=torch.int32).to(torch.int16).view(dtype)
    else:
        codes = torch.arange(256, dtype=torch.int32).to(torch.uint8).view(dtype)
    decoded = bits_of(codes)
    if width == 16:
        for i in range(0, 65536, 256):
            blob += struct.pack("<Q", fnv(decoded[i:i + 256].tolist()))
    else:
        blob += struct.pack("<256I", *decoded.tolist())
    finite = codes.float()[codes.float().isfinite()].unique()
    middle = (finite[1:].double() + finite[:-1].double()) / 2
    if width == 16:
        middle = middle[:: 97]
    top = finite[-1]
    near = torch.stack([torch.nextafter(middle.float(), torch.tensor(s * torch.inf))
                        for s in (1, -1)]).reshape(-1)[:: 3]
    g = torch.Generator().manual_seed(1)
    random = torch.randint(-2**31, 2**31, (300,), generator=g).to(torch.int32).view(torch.float32)
    edge = torch.tensor([0.0, -0.0, torch.inf, -torch.inf, torch.nan])
    over = top * torch.tensor([1.0, 1.01, 1.03, 1.0625, 1.1, 1.25, 2.0, -1.01, -1.25])
    inputs = torch.cat((middle.float(), near, random, edge, over))
    inputs = inputs[~inputs.isnan()] if width == 8 else inputs
    encoded = inputs.to(dtype)
    codes = torch.where(encoded.float().isnan(), torch.tensor(-1), codes_of(encoded, width))
    blob += struct.pack("<I", len(inputs))
    for bits, code in zip(bits_of(inputs).tolist(), codes.tolist()):
        blob += struct.pack("<IH", bits, code & 0xFFFF)
(HERE / "dtypes.bin").write_bytes(blob)
print(len(blob), "bytes")
