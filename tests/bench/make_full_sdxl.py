"""A full-size SDXL checkpoint with random weights, in the single-file layout: the true 2,515 names
and shapes (3,468,837,868 values), so that memory and speed can be measured without a download.

    python tests/bench/make_full_sdxl.py OUT.safetensors [--dtype bf16] [--seed 1]

Matrices and kernels are normal with variance 1/fan-in, which keeps activations finite; norms are 1,
biases small. One tensor is in memory for each processor. Needs numpy.
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import struct

import numpy as np

KEYS = pathlib.Path(__file__).resolve().parent.parent / "golden" / "keys"
TABLES = ("sdxl_unet", "vae", "te1_clip_l", "te2_openclip_bigg")
POSITION_IDS = "conditioner.embedders.0.transformer.text_model.embeddings.position_ids"
DTYPES = {"bf16": ("BF16", 2), "f16": ("F16", 2), "f32": ("F32", 4)}


def tensors():
    """(name, shape) of every float tensor of the file."""
    for table in TABLES:
        for line in (KEYS / f"{table}.tsv").read_text().splitlines()[1:]:
            name, _, shape = line.split("\t")[:3]
            yield name, tuple(int(d) for d in shape.split(",")) if shape else ()


def spread(name, shape):
    """(mean, standard deviation) of a tensor's values."""
    if name.endswith("logit_scale"):
        return math.log(100), 0.0
    if "embedding" in name:
        return 0.0, 0.02
    if len(shape) >= 2:
        return 0.0, 1 / math.sqrt(math.prod(shape[1:]))
    return (0.0, 0.01) if name.endswith("bias") else (1.0, 0.02)


def encoded(values, dtype):
    if dtype == "bf16":
        bits = values.view(np.uint32)
        return ((bits + (0x7FFF + ((bits >> 16) & 1))) >> 16).astype("<u2")
    return values.astype("<f2" if dtype == "f16" else "<f4")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--dtype", choices=DTYPES, default="bf16")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    label, size = DTYPES[options.dtype]
    listed = list(tensors())
    header, end = {}, 0
    header[POSITION_IDS] = {"dtype": "I64", "shape": [1, 77], "data_offsets": [0, 616]}
    end = 616
    for name, shape in listed:
        count = math.prod(shape) * size
        header[name] = {"dtype": label, "shape": list(shape), "data_offsets": [end, end + count]}
        end += count
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(options.out, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.write(np.arange(77, dtype="<i8").tobytes())
        file.flush()
        first = 8 + len(text)

        def draw(numbered):  # numpy draws without Python's lock
            number, (name, shape) = numbered
            mean, deviation = spread(name, shape)
            generator = np.random.Generator(np.random.PCG64((options.seed, number)))
            values = generator.standard_normal(math.prod(shape), dtype=np.float32)
            values *= np.float32(deviation)
            values += np.float32(mean)
            left, place = memoryview(encoded(values, options.dtype)).cast("B"), first + header[name]["data_offsets"][0]
            while left:
                written = os.pwrite(file.fileno(), left, place)
                left, place = left[written:], place + written

        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            list(pool.map(draw, enumerate(listed)))
    values = sum(math.prod(shape) for _, shape in listed)
    print(f"{options.out}: {len(listed) + 1} tensors, {values:,} values, {end + 8 + len(text):,} bytes")


if __name__ == "__main__":
    main()
