"""Writes blocks of GGUF's packed types and their values by the gguf package.

    python tests/golden/make_gguf.py                        needs gguf, numpy, safetensors
    python tests/golden/make_gguf.py --blocks 1000000 FOLDER

  reference/gguf_blocks.safetensors   for each type <name>.blocks [blocks, bytes] U8 and <name>.values
                                      [blocks, values] F32: random bytes, with scales that are finite
  models/gguf_q.gguf                  the transformer of tests/golden/models/z_image_base.safetensors: matrices whose
                                      rows fill blocks in Q8_0, fused projections too but flattened, as ComfyUI's
                                      converter does where rows don't; others in F16, vectors in F32
  models/gguf_b.gguf, gguf_b.json     the UNet of models/b, under original names without their prefix, with its matrices in
                                      Q8_0 and Q5_1 by turns, and a base model of that and the other parts of models/b
  models/gguf_t5.gguf         the T5 of models/flux1 under llama.cpp's names, its matrices as those of gguf_q.gguf
  models/gguf_qwen3.gguf      the Qwen3 of models/z_image in the same way

With --blocks only the first, of so many blocks of each type, for tests/interop/gguf_blocks.py.
"""

import argparse
import json
import pathlib
import sys

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf.quants import dequantize, quantize
from safetensors.numpy import load_file, save_file

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "resources" / "demo"))
import drawn  # noqa: E402
import ldm_names  # noqa: E402

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
    drawn.pack(path)


def finish(writer, path):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    drawn.pack(path)


def write_model():
    path = HERE / "models" / "gguf_q.gguf"
    writer = gguf.GGUFWriter(path, "lumina2")
    writer.add_string("general.name", "a tiny transformer")
    for name, values in load_file(drawn.whole(HERE / "models" / "z_image_base.safetensors")).items():
        name = name.removeprefix("model.diffusion_model.")
        if name.endswith("qkv.weight"):
            writer.add_array(f"comfy.gguf.orig_shape.{name}", [int(d) for d in values.shape])
            writer.add_tensor(name, quantize(values.astype(np.float32).reshape(1, -1), Type.Q8_0), raw_dtype=Type.Q8_0)
        elif values.ndim == 2 and values.shape[1] % 32 == 0:
            writer.add_tensor(name, quantize(values.astype(np.float32), Type.Q8_0), raw_dtype=Type.Q8_0)
        else:
            writer.add_tensor(name, values.astype(np.float32) if values.ndim == 1 else values)
    finish(writer, path)


def write_sdxl():
    folder = HERE / "models" / "b"
    parts = {"unet": "unet", "te1": "text_encoder", "te2": "text_encoder_2", "vae": "vae"}
    config = {part: json.loads((folder / name / "config.json").read_text()) for part, name in parts.items()}
    config["scheduler"] = json.loads((folder / "scheduler" / "scheduler_config.json").read_text())
    path = HERE / "models" / "gguf_b.gguf"
    writer = gguf.GGUFWriter(path, "sdxl")
    writer.add_string("mantissa.config", json.dumps(config))
    matrices = 0
    unet = config["unet"]
    tensors = ldm_names.unet(load_file(drawn.whole(folder / "unet" / "diffusion_pytorch_model.safetensors")),
                             unet["layers_per_block"], ["CrossAttn" in kind for kind in unet["down_block_types"]])
    for name, values in tensors.items():
        name = name.removeprefix("model.diffusion_model.")
        if values.ndim == 2 and name.endswith(".weight") and values.shape[1] % 32 == 0:
            kind = (Type.Q8_0, Type.Q5_1)[matrices % 2]
            matrices += 1
            writer.add_tensor(name, quantize(values.astype(np.float32), kind), raw_dtype=kind)
        else:
            writer.add_tensor(name, values)
    finish(writer, path)
    files = {"mantissa_base": 1, "denoiser": "gguf_b.gguf"}
    for part in ("te1", "te2", "vae"):
        weights = "diffusion_pytorch_model" if part == "vae" else "model"
        files[part] = f"b/{parts[part]}/{weights}.safetensors"
    files |= {"te1_tokenizer": "b/tokenizer", "te2_tokenizer": "b/tokenizer_2"}
    (HERE / "models" / "gguf_b.json").write_text(json.dumps(files, indent=1) + "\n")


def write_encoder(arch, folder, name):
    path = HERE / "models" / name
    writer = gguf.GGUFWriter(path, gguf.MODEL_ARCH_NAMES[arch])
    names = gguf.get_tensor_name_map(arch, 99)
    tensors = load_file(drawn.whole(HERE / "models" / folder / "model.safetensors"))
    for name, values in tensors.items():
        name = names.get_name(name, try_suffixes=(".weight",))
        if values.ndim == 2 and values.shape[1] % 32 == 0:
            writer.add_tensor(name, quantize(values.astype(np.float32), Type.Q8_0), raw_dtype=Type.Q8_0)
        else:
            writer.add_tensor(name, values.astype(np.float32) if values.ndim == 1 else values)
    finish(writer, path)


def write_encoders():
    write_encoder(gguf.MODEL_ARCH.T5ENCODER, "flux1/text_encoder_2", "gguf_t5.gguf")
    write_encoder(gguf.MODEL_ARCH.QWEN3, "z_image/text_encoder", "gguf_qwen3.gguf")


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
    write_sdxl()
    write_encoders()


if __name__ == "__main__":
    main()
