"""Diffusers must accept every key of full-size SDXL adapter files.

    mkdir /tmp/keys && MANTISSA_INTEROP=/tmp/keys build/bin/engine_adapters_tests --gtest_filter='ConsumerRules*'
    python tests/interop/full_keys.py /tmp/keys

Each file goes through StableDiffusionXLPipeline.lora_state_dict and then, part by part, through
diffusers' conversion for PEFT, as in load_lora_weights; every key that comes out must name a Linear
or Conv2d of the real UNet or text encoders (created without weights) with matching shapes, and all
788 + 264 modules must be present. Of kohya-named DoRA files diffusers drops the magnitudes, with a
warning: they must come out as plain LoRA.
"""

import pathlib
import sys

import torch
from diffusers import StableDiffusionXLPipeline, UNet2DConditionModel
from diffusers.utils import (convert_state_dict_to_diffusers, convert_state_dict_to_peft,
                             convert_unet_state_dict_to_peft)
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench"))
import mini_base  # noqa: E402
from compare_full_sdxl import CONFIG  # noqa: E402


def real_modules():
    """{path: weight shape} of every Linear and Conv2d."""
    with torch.device("meta"):
        unet = UNet2DConditionModel(**CONFIG)
        te1 = CLIPTextModel(CLIPTextConfig(hidden_size=768, intermediate_size=3072, num_hidden_layers=12,
                                           num_attention_heads=12, projection_dim=768))
        te2 = CLIPTextModelWithProjection(CLIPTextConfig(
            hidden_size=1280, intermediate_size=5120, num_hidden_layers=32, num_attention_heads=20,
            hidden_act="gelu", projection_dim=1280))
    found = {}
    for prefix, model in (("unet", unet), ("text_encoder", te1), ("text_encoder_2", te2)):
        for name, module in model.named_modules():
            if isinstance(module, (torch.nn.Linear, torch.nn.Conv2d)):
                if prefix != "unet" and not name.startswith("text_model."):
                    name = "text_model." + name
                found[f"{prefix}.{name}"] = tuple(module.weight.shape)
    return unet.config, found


def for_peft(state):
    """Keys as PEFT gets them: kohya's files come out of lora_state_dict in diffusers' old names."""
    result = {}
    for part in ("unet", "text_encoder", "text_encoder_2"):
        own = {k.removeprefix(f"{part}."): v for k, v in state.items() if k.startswith(f"{part}.")}
        if part != "unet":
            own = convert_state_dict_to_peft(convert_state_dict_to_diffusers(own))
        elif not any("lora_A" in k for k in own):
            own = convert_unet_state_dict_to_peft(own)
        result |= {f"{part}.{k}": v for k, v in own.items()}
    if len(result) != len(state):
        raise SystemExit(f"{len(state)} tensors became {len(result)}")
    return result


def check(path, config, modules, failures):
    state, alphas = StableDiffusionXLPipeline.lora_state_dict(str(path), unet_config=config)[:2]
    state = for_peft(state)
    down, up, strangers = set(), set(), []
    for key, value in state.items():
        stem, _, half = key.rpartition(".lora_")
        shape = modules.get(stem)
        if half == "A.weight" and shape is not None and tuple(value.shape) == (1, *shape[1:]):
            down.add(stem)
        elif half == "B.weight" and shape is not None and tuple(value.shape) == (shape[0], 1, *[1] * (len(shape) - 2)):
            up.add(stem)
        elif half.startswith("magnitude_vector") and shape is not None:
            pass
        else:
            strangers.append(key)
    failures.require(f"{path.name}: every key names a module", not strangers, str(strangers[:4]))
    failures.require(f"{path.name}: all 1052 modules", down == up and len(down) == 788 + 264, f"{len(down)}, {len(up)}")
    if "kohya" in path.name:
        failures.require(f"{path.name}: an alpha for each module", len(alphas or {}) == 788 + 264, str(len(alphas or {})))


def main():
    failures = mini_base.Failures()
    config, modules = real_modules()
    files = sorted(pathlib.Path(sys.argv[1]).glob("full_*.safetensors"))
    failures.require("four files", len(files) == 4)
    for path in files:
        check(path, config, modules, failures)
    failures.exit()


if __name__ == "__main__":
    main()
