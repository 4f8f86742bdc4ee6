"""Files by `mantissa quantise`: comfy-kitchen, which ComfyUI reads them with, must find the weights in them.

    python tests/interop/quantised_files.py [--program build/bin/mantissa] [--base resources/demo/mini-sdxl.safetensors]

Needs comfy-kitchen, torch, safetensors and packaging. Writes the base model in each type and decodes every quantised
weight by its comfy_quant tensor. Fails if one is further from the base model's weight than that type's rounding.
"""

import argparse
import json
import math
import pathlib
import subprocess
import tempfile

import torch
from comfy_kitchen.tensor import TensorCoreMXFP8Layout, TensorCoreNVFP4Layout, TensorWiseINT8Layout
from safetensors.torch import load_file

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Least signal to rounding noise, in dB.
LEAST = {"fp8_e4m3": 28, "int8": 30, "int8_convrot": 35, "mxfp8": 29, "nvfp4": 17}


def decoded(tensors, module):
    codes, scale = tensors[f"{module}.weight"], tensors[f"{module}.weight_scale"]
    text = json.loads(bytes(tensors[f"{module}.comfy_quant"].tolist()))
    shape = tuple(codes.shape)
    if text["format"] == "float8_e4m3fn":
        return codes.float() * scale
    if text["format"] == "int8_tensorwise":
        params = TensorWiseINT8Layout.Params(scale=scale, orig_dtype=torch.float32, orig_shape=shape, is_weight=True,
                                             convrot=text.get("convrot", False),
                                             convrot_groupsize=text.get("convrot_groupsize", 256))
        return TensorWiseINT8Layout.dequantize(codes, params)
    if text["format"] == "mxfp8":
        params = TensorCoreMXFP8Layout.Params(scale=scale.view(torch.float8_e8m0fnu), orig_dtype=torch.float32,
                                              orig_shape=shape)
        return TensorCoreMXFP8Layout.dequantize(codes, params)
    params = TensorCoreNVFP4Layout.Params(scale=tensors[f"{module}.weight_scale_2"], block_scale=scale,
                                          orig_dtype=torch.float32, orig_shape=(shape[0], shape[1] * 2))
    return TensorCoreNVFP4Layout.dequantize(codes, params)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bin/mantissa")
    parser.add_argument("--base", type=pathlib.Path, default=ROOT / "resources/demo/mini-sdxl.safetensors")
    options = parser.parse_args()
    original = load_file(options.base)
    with tempfile.TemporaryDirectory() as folder:
        for name, least in LEAST.items():
            out = f"{folder}/{name}.safetensors"
            subprocess.run([options.program, "quantise", "--base", options.base, "--weights", name, "--out", out],
                           check=True, stdout=subprocess.DEVNULL)
            tensors = load_file(out)
            modules = [key.removesuffix(".comfy_quant") for key in tensors if key.endswith(".comfy_quant")]
            found = []
            for module in modules:
                exact = original[f"{module}.weight"].float()
                noise = (decoded(tensors, module) - exact).square().sum()
                found.append(10 * math.log10(exact.square().sum() / noise))
            found.sort()
            print(f"{name}: {len(found)} weights, {found[len(found) // 2]:.1f} dB in the median, at least {found[0]:.1f}")
            assert found[0] >= least, f"{name}: {found[0]:.1f} dB, below {least}"


if __name__ == "__main__":
    main()
