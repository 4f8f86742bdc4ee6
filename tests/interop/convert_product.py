"""A LoHa or LoKr that LyCORIS wrote must load into PEFT as `mantissa convert --format peft` writes it.

    python tests/interop/convert_product.py [--program build/bin/mantissa]

Converts the LoHas and LoKrs of tests/golden/foreign, opens each folder with PeftModel.from_pretrained
and compares what PEFT adds to each weight with the factors of the original file. Fails on any
warning about keys, on a layer that isn't adapted, and on another change.
"""

import argparse
import copy
import pathlib
import subprocess
import tempfile
import warnings

import torch
from peft import PeftModel
from peft.tuners.lycoris_utils import LycorisLayer
from safetensors.torch import load_file

import mini_base
from mini_base import ROOT

FOREIGN = ROOT / "tests" / "golden" / "foreign"
BASE = ROOT / "resources" / "demo" / "mini-sdxl.safetensors"


def change(file, module, shape):
    """What LyCORIS adds to a weight, by the tensors' own definition."""
    name = "lycoris_" + module.replace(".", "_") + "."
    t = {key[len(name):]: value.double() for key, value in file.items() if key.startswith(name)}
    if "hada_w1_a" in t:
        scale = t["alpha"] / t["hada_w1_b"].shape[0]
        return scale * ((t["hada_w1_a"] @ t["hada_w1_b"]) * (t["hada_w2_a"] @ t["hada_w2_b"])).reshape(shape)
    if "lokr_w2" in t:  # without a scale
        return torch.kron(t["lokr_w1"], t["lokr_w2"].flatten(1)).reshape(shape)
    scale = t["alpha"] / t["lokr_w2_b"].shape[0]
    return scale * torch.kron(t["lokr_w1"], t["lokr_w2_a"] @ t["lokr_w2_b"]).reshape(shape)


def check(failures, program, unet, name, folder):
    source = FOREIGN / name / "adapter.safetensors"
    subprocess.run([program, "convert", source, "--base", BASE, "--format", "peft", "--out", folder],
                   check=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        adapted = PeftModel.from_pretrained(copy.deepcopy(unet), folder / "unet")
    keys = [str(w.message) for w in caught if "key" in str(w.message)]
    file = load_file(source)
    layers = {n.removeprefix("base_model.model."): m for n, m in adapted.named_modules()
              if isinstance(m, LycorisLayer)}
    modules = {key.split(".")[0] for key in file}
    failures.require(f"{name}: every layer is adapted", len(layers) == len(modules),
                     f"{len(layers)} of {len(modules)}")
    failures.require(f"{name}: no key is missing", not keys, "; ".join(keys))
    for module, layer in layers.items():
        got = layer.get_delta_weight("default").double()
        want = change(file, module, got.shape)
        off = float((got - want).norm() / want.norm())
        failures.require(f"{name}: {module}", off < 1e-5, f"off by {off:.1e}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / "build" / "bin" / "mantissa"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    failures = mini_base.Failures()
    unet = mini_base.load_all()[0]
    with tempfile.TemporaryDirectory() as folder:
        for name in ("lycoris-loha", "lycoris-lokr", "lycoris-lokr-whole"):
            check(failures, options.program, unet, name, pathlib.Path(folder) / name)
    failures.exit()


if __name__ == "__main__":
    main()
