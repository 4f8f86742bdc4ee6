"""MXFP8 and NVFP4 as comfy-kitchen makes and decodes them on the CPU, and torchao decodes them.

    python tests/golden/make_block_codes.py          needs comfy-kitchen, torchao, torch, numpy, safetensors
    python tests/golden/make_block_codes.py --blocks 50000 [--seed 1] FOLDER

  block_codes.bin                    for mxfp8, then nvfp4, little-endian: int64 rows and columns; fp32 values; the
                                     codes' bytes; a scale's byte for each block, row after row; the fp32 factor (1
                                     with mxfp8); the fp32 values they decode to
  models/block_scaled.safetensors    the names of models/z_image_base.safetensors with random matrices of 64 columns in
                                     MXFP8 and NVFP4 by turns, as ComfyUI saves them
  reference/block_scaled_values.json SHA-256 of the fp32 values of each of them by comfy-kitchen

With --blocks only the first, in FOLDER with so many blocks, for tests/interop/block_codes.py.
"""

import argparse
import hashlib
import json
import pathlib

import numpy as np
import torch
from comfy_kitchen.backends.eager import quantization as kitchen
from comfy_kitchen.float_utils import from_blocked
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torchao.prototype.mx_formats.mx_tensor import to_dtype
from torchao.prototype.mx_formats.nvfp4_tensor import NVFP4Tensor

import drawn

HERE = pathlib.Path(__file__).resolve().parent
BLOCK = {"mxfp8": 32, "nvfp4": 16}


def coded(x, name):
    """Codes, tiled scales, factor, values."""
    if name == "mxfp8":
        codes, scales = kitchen.quantize_mxfp8(x)
        return codes, scales, None, kitchen.dequantize_mxfp8(codes, scales, torch.float32)
    factor = x.abs().amax() / (448 * 6)
    codes, scales = kitchen.quantize_nvfp4(x, factor)
    return codes, scales, factor, kitchen.dequantize_nvfp4(codes, factor, scales, torch.float32)


def require_the_same_of_torchao(codes, scales, factor, values, name):
    if name == "mxfp8":
        other = to_dtype(codes, scales.view(torch.float8_e8m0fnu), torch.float8_e4m3fn, 32, torch.float32)
    else:
        swapped = codes << 4 | codes >> 4  # torchao has the first code in the lower half
        other = NVFP4Tensor(swapped, scales.view(torch.float8_e4m3fn), 16, torch.float32, factor).dequantize(torch.float32)
    # Where a scale is the least one, 2^-127, torchao has 0 or a subnormal.
    assert torch.equal(other, values), (name, (other - values).abs().max())


def values_of_blocks(rows, cols, block, generator):
    """Blocks of different sizes, by up to four decades."""
    x = torch.randn(rows, cols // block, block, generator=generator)
    size = 10.0 ** (torch.rand(rows, cols // block, 1, generator=generator) * 4 - 4)
    return (x * size).reshape(rows, cols)


def add_special(x, block):
    x[0, :block] = 0
    x[1, :block] = 0.25
    x[2, :block] = torch.linspace(-1, 1, block)
    x[3, :block] = torch.linspace(1e-30, 1e-28, block)
    x[4, :block] = torch.arange(block) * 0.25  # ties of E2M1 where the scale is 1
    x[4, block - 1] = 6.0
    x[5, :block] = -448.0


def write_values(path, rows, cols, seed, special):
    generator = torch.Generator().manual_seed(seed)
    with open(path, "wb") as out:
        for name, block in BLOCK.items():
            x = values_of_blocks(rows, cols, block, generator)
            if special:
                add_special(x, block)
            codes, tiled, factor, values = coded(x, name)
            scales = from_blocked(tiled.view(torch.uint8), rows, cols // block).contiguous()
            require_the_same_of_torchao(codes, scales, factor, values, name)
            out.write(np.array([rows, cols], np.int64).tobytes())
            for part in (x, codes.view(torch.uint8), scales, torch.tensor(1.0) if factor is None else factor, values):
                out.write(part.numpy().tobytes())


def write_model():
    tensors, hashes = {}, {}
    generator = torch.Generator().manual_seed(2)
    original = drawn.whole(HERE / "models" / "z_image_base.safetensors")
    out = HERE / "models" / "block_scaled.safetensors"
    matrices = 0
    for key, x in load_file(original).items():
        if x.ndim != 2 or not key.endswith(".weight"):
            tensors[key] = x
            continue
        name = list(BLOCK)[matrices % 2]
        matrices += 1
        codes, scales, factor, values = coded(torch.randn(min(x.shape[0], 160), 64, generator=generator), name)
        module = key.removesuffix(".weight")
        text = json.dumps({"format": name}).encode()
        tensors |= {key: codes, f"{module}.weight_scale": scales,
                    f"{module}.comfy_quant": torch.tensor(list(text), dtype=torch.uint8)}
        if factor is not None:
            tensors[f"{module}.weight_scale_2"] = factor
        hashes[key] = hashlib.sha256(values.numpy().tobytes()).hexdigest()
    with safe_open(original, "pt") as opened:
        save_file(tensors, out, opened.metadata())
    drawn.pack(out)
    (HERE / "reference" / "block_scaled_values.json").write_text(json.dumps(hashes, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--blocks", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    options = parser.parse_args()
    if options.blocks:
        write_values(options.folder / "block_codes.bin", -(-options.blocks // 32), 1024, options.seed, False)
        return
    write_values(HERE / "block_codes.bin", 8, 128, 0, True)
    write_model()


if __name__ == "__main__":
    main()
