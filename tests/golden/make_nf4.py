"""NF4 as bitsandbytes stores and decodes it on the CPU.

    python tests/golden/make_nf4.py                            needs bitsandbytes, torch, numpy, safetensors
    python tests/golden/make_nf4.py --blocks 50000 FOLDER

  nf4.bin                      a map of 256 fp32 numbers, then for each of some tensors, little-endian:
                                 int64 count, fp32 values
                                 codes, two a byte; fp32 scales of blocks of 64; the values they decode to, fp32
                                 doubly quantised: a byte for each block, fp32 scales of groups, the offset; the
                                 values they decode to with the same codes, fp32 and bf16
                               Values: normal, of several sizes, with blocks of one value, ties and tiny numbers;
                               no block is all zeros
  models/nf4.safetensors       the transformer of models/z_image_base.safetensors with its matrices in NF4, with
                               doubly quantised scales and plain ones by turns: a tensor's layout as in files of
                               diffusers
  reference/nf4_values.json    SHA-256 of the fp32 values of each of them by bitsandbytes

With --blocks only the first, nf4.bin in FOLDER with one tensor of so many blocks, for tests/interop/nf4_blocks.py.
"""

import argparse
import hashlib
import json
import pathlib

import bitsandbytes.functional as F
import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

import drawn

HERE = pathlib.Path(__file__).resolve().parent


def quantised(x, nested):
    return F.quantize_4bit(x, blocksize=64, quant_type="nf4", compress_statistics=nested)


def tensor_values(count, generator):
    """Values of every block on a scale of its own."""
    x = torch.randn(count, generator=generator)
    blocks = -(-count // 64)
    size = 10.0 ** (torch.rand(blocks, generator=generator) * 2 - 3)
    x = x * size.repeat_interleave(64)[:count]
    return torch.where(x == 0, torch.tensor(1e-3), x)


def add_special(x):
    """Ties between neighbouring codes, one value, neighbours of the largest, tiny and large numbers."""
    code = F.get_4bit_type("nf4", device="cpu").data
    ties = torch.cat([(code[1:] + code[:-1]) / 2, torch.tensor([1.0])])
    x[:16] = ties
    x[64:128] = 0.25
    x[128:192] = torch.linspace(-1, 1, 64)
    x[192:256] = torch.linspace(1e-30, 1e-28, 64)
    x[256:320] = 0
    x[290] = -3e-5


def write_tensor(out, x):
    codes, plain = quantised(x, False)
    _, state = quantised(x, True)
    out.write(np.int64(x.numel()).tobytes())
    out.write(x.numpy().tobytes())
    out.write(codes.numpy().tobytes())
    out.write(plain.absmax.numpy().tobytes())
    out.write(F.dequantize_4bit(codes, plain).numpy().tobytes())
    out.write(state.absmax.numpy().tobytes())
    out.write(state.state2.absmax.numpy().tobytes())
    out.write(np.float32(state.offset.item()).tobytes())
    out.write(F.dequantize_4bit(codes, state).numpy().tobytes())
    state.dtype = torch.bfloat16
    out.write(F.dequantize_4bit(codes, state).view(torch.int16).numpy().tobytes())


def write_values(path, counts, seed):
    generator = torch.Generator().manual_seed(seed)
    with open(path, "wb") as out:
        out.write(F.create_dynamic_map().numpy().tobytes())
        for count in counts:
            x = tensor_values(count, generator)
            if count > 400 and seed == 0:
                add_special(x)
            write_tensor(out, x)


def write_model():
    tensors, hashes = {}, {}
    matrices = 0
    original = drawn.whole(HERE / "models" / "z_image_base.safetensors")
    out = HERE / "models" / "nf4.safetensors"
    for name, x in load_file(original).items():
        if x.ndim != 2 or not name.endswith(".weight") or x.numel() < 64:
            tensors[name] = x
            continue
        codes, state = quantised(x.float(), matrices % 2 == 0)
        matrices += 1
        tensors[name] = codes
        tensors.update({f"{name}.{key}": part for key, part in state.as_dict(packed=True).items()})
        hashes[name] = hashlib.sha256(F.dequantize_4bit(codes, state).numpy().tobytes()).hexdigest()
    with safe_open(original, "pt") as opened:
        save_file(tensors, out, opened.metadata())
    drawn.pack(out)
    (HERE / "reference" / "nf4_values.json").write_text(json.dumps(hashes, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--blocks", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    options = parser.parse_args()
    if options.blocks:
        write_values(options.folder / "nf4.bin", [64 * options.blocks], options.seed)
        return
    write_values(HERE / "nf4.bin", [64 * 260 + 37, 1000, 65, 64, 2, 7], 0)
    write_model()


if __name__ == "__main__":
    main()
