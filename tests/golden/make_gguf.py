"""Writes blocks of GGUF's packed types and their values by the gguf package.

    python tests/golden/make_gguf.py                        needs gguf, numpy, safetensors
    python tests/golden/make_gguf.py --blocks 1000000 FOLDER

  reference/gguf_blocks.safetensors   for each type <name>.blocks [blocks, bytes] U8 and <name>.values
                                      [blocks, values] F32: random bytes, with scales that are finite
  models/gguf_q.gguf                  the transformer of tests/golden/models/z_image_base.safetensors: matrices whose
                                      rows fill blocks in Q8_0, fused projections too but flattened, as ComfyUI's
                                      converter does where rows don't; others in F16, vectors in F32
  models/gguf_a.gguf                  models/a.safetensors whole, matrices whose rows fill blocks in Q8_0 and Q5_1 by turns

With --blocks only the first, of so many blocks of each type, for tests/interop/gguf_blocks.py.
"""

import argparse
import pathlib

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf.quants import dequantize, quantize
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

HERE = pathlib.Path(__file__).resolve().parent
# Type: places of the half-precision scales in a block.
SCALES = {Type.Q4_0: [0], Type.Q4_1: [0, 2], Type.Q5_0: [0], Type.Q5_1: [0, 2], Type.Q8_0: [0], Type.Q2_K: [80, 82],
          Type.Q3_K: [108], Type.Q4_K: [0, 2], Type.Q5_K: [0, 2], Type.Q6_K: [208]}


def random_blocks(kind, count, rng):
    values, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = rng.integers(0, 256, (count, size), dtype=np.uint8)
    for at in SCALES[kind]:
        scales = (rng.standard_normal(count) * 10.0 ** rng.integers(-6, 3, count)).astype(np.float16)
        scales[rng.integers(0, count, count // 16)] = 0
        blocks[:, at:at + 2] = scales.view(np.uint8).reshape(count, 2)
    return blocks, dequantize(blocks, kind).reshape(count, values)


def write_blocks(path, count, seed):
    rng = np.random.default_rng(seed)
    tensors = {}
    for kind in SCALES:
        tensors[f"{kind.name}.blocks"], tensors[f"{kind.name}.values"] = random_blocks(kind, count, rng)
    save_file(tensors, path)


def write_model():
    writer = gguf.GGUFWriter(HERE / "models" / "gguf_q.gguf", "lumina2")
    writer.add_string("general.name", "a tiny transformer")
    for name, values in load_file(HERE / "models" / "z_image_base.safetensors").items():
        name = name.removeprefix("model.diffusion_model.")
        if name.endswith("qkv.weight"):
            writer.add_array(f"comfy.gguf.orig_shape.{name}", [int(d) for d in values.shape])
            writer.add_tensor(name, quantize(values.astype(np.float32).reshape(1, -1), Type.Q8_0), raw_dtype=Type.Q8_0)
        elif values.ndim == 2 and values.shape[1] % 32 == 0:
            writer.add_tensor(name, quantize(values.astype(np.float32), Type.Q8_0), raw_dtype=Type.Q8_0)
        else:
            writer.add_tensor(name, values.astype(np.float32) if values.ndim == 1 else values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_whole_model():
    original = HERE / "models" / "a.safetensors"
    writer = gguf.GGUFWriter(HERE / "models" / "gguf_a.gguf", "sdxl")
    with safe_open(original, "np") as opened:
        for key, text in opened.metadata().items():
            writer.add_string(key, text)
    matrices = 0
    for name, values in load_file(original).items():
        if values.ndim == 2 and name.endswith(".weight") and "embedding" not in name and values.shape[1] % 32 == 0:
            kind = (Type.Q8_0, Type.Q5_1)[matrices % 2]
            matrices += 1
            writer.add_tensor(name, quantize(values.astype(np.float32), kind), raw_dtype=kind)
        else:
            writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--blocks", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    options = parser.parse_args()
    if options.blocks:
        write_blocks(options.folder / "blocks.safetensors", options.blocks, options.seed)
        return
    write_blocks(HERE / "reference" / "gguf_blocks.safetensors", 12, 0)
    write_model()
    write_whole_model()


if __name__ == "__main__":
    main()
