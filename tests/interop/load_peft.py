"""A PEFT folder of text encoder adapters must load into CLIPTextModel with and without the level text_model.

    python tests/interop/load_peft.py [--program build/bin/mantissa]

Trains the demo's UNet and both text encoders with output.format peft and opens each part with
PeftModel.from_pretrained: text_encoder in CLIPTextModel of the installed transformers, and in a
model with the other layout (CLIPTextModelWithProjection keeps text_model); text_encoder_2 in its
own. Fails on a layer that isn't adapted, keeps its initial zeros, or has a scale other than the
file's, and on any warning about keys.
"""

import argparse
import copy
import json
import pathlib
import tempfile
import warnings

import torch
from peft import PeftModel
from peft.tuners.lora import LoraLayer
from transformers import CLIPTextModelWithProjection

import load_lora
import mini_base
from mini_base import ROOT


def check(failures, what, model, folder):
    config = json.loads((folder / "adapter_config.json").read_text())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        adapted = PeftModel.from_pretrained(copy.deepcopy(model), folder)
    layers = [m for m in adapted.modules() if isinstance(m, LoraLayer)]
    keys = [str(w.message) for w in caught if "key" in str(w.message)]
    failures.require(f"{what}: every layer is adapted", len(layers) == len(config["target_modules"]) > 0,
                     f"{len(layers)} of {len(config['target_modules'])}")
    failures.require(f"{what}: every layer's weights are loaded",
                     all(m.lora_B["default"].weight.abs().max() > 0 for m in layers))
    failures.require(f"{what}: scales", all(
        abs(m.scaling["default"] - config["lora_alpha"] / config["r"]) < 1e-6 for m in layers))
    failures.require(f"{what}: no key is missing", not keys, "; ".join(keys))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / "build" / "bin" / "mantissa"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    failures = mini_base.Failures()
    _, _, te1, te2 = mini_base.load_all()
    nested = CLIPTextModelWithProjection(te1.config)
    with tempfile.TemporaryDirectory() as name:
        folder = load_lora.train(options.program, pathlib.Path(name), "text", "peft").with_suffix("")
        check(failures, "text_encoder in CLIPTextModel", te1, folder / "text_encoder")
        check(failures, "text_encoder in a model with text_model", nested, folder / "text_encoder")
        check(failures, "text_encoder_2", te2, folder / "text_encoder_2")
    failures.exit()


if __name__ == "__main__":
    main()
