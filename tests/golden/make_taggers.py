#!/usr/bin/env python3
"""Tiny taggers with random weights and their logits by timm, in float64: a vision transformer without
a class token, one with it and registers, and EVA-02. An image prepared by Pillow as the taggers'
authors do.

    python tests/golden/make_taggers.py        (timm 1.0.31, torch, Pillow, safetensors)
"""
import json
import pathlib

import numpy as np
import timm
import torch
from PIL import Image
from safetensors.torch import save_file

import drawn

HERE = pathlib.Path(__file__).parent / "taggers"

COMMON = dict(in_chans=3, num_classes=9)
MODELS = {
    "vit": ("vit_base_patch16_224", dict(
        img_size=40, patch_size=8, embed_dim=24, depth=2, num_heads=3, mlp_ratio=3, class_token=False,
        fc_norm=False, global_pool="avg", act_layer="gelu_tanh")),
    "vit_registers": ("vit_base_patch16_224", dict(
        img_size=32, patch_size=8, embed_dim=32, depth=1, num_heads=4, class_token=True, reg_tokens=2,
        no_embed_class=True, global_pool="token")),
    "eva02": ("eva02_base_patch14_224", dict(
        img_size=42, patch_size=6, embed_dim=48, depth=2, num_heads=4, mlp_ratio=4 * 2 / 3,
        qkv_fused=False, swiglu_mlp=True, scale_mlp=True, use_rot_pos_emb=True, ref_feat_shape=(5, 5),
        global_pool="avg")),
}


def random_weights(model: torch.nn.Module, seed: int) -> dict[str, torch.Tensor]:
    """BF16 weights, drawn."""
    draws = drawn.Draws(seed)
    state = {}
    for name, value in model.state_dict().items():
        is_factor = name.endswith("norm.weight") or ".norm" in name and name.endswith(".weight")
        scale = 0.25 if value.dim() == 1 else 1.0 / max(1, value[0].numel())**0.5
        state[name] = draws.normal(value.shape, scale, 1.0 if is_factor else 0.0, torch.bfloat16)
    model.load_state_dict(state)
    return state


def picture(width: int, height: int, seed: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    coarse = generator.integers(0, 256, (7, 9, 3), dtype=np.uint8)
    return np.asarray(Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC))


def prepared(pixels: np.ndarray, side: int) -> np.ndarray:
    height, width = pixels.shape[:2]
    longer = max(width, height)
    canvas = Image.new("RGB", (longer, longer), (255, 255, 255))
    canvas.paste(Image.fromarray(pixels), ((longer - width) // 2, (longer - height) // 2))
    return np.asarray(canvas.resize((side, side), Image.Resampling.BICUBIC))


def main() -> None:
    for seed, (name, (architecture, arguments)) in enumerate(MODELS.items()):
        folder = HERE / name
        folder.mkdir(parents=True, exist_ok=True)
        model = timm.create_model(architecture, pretrained=False, **COMMON, **arguments).eval()
        state = random_weights(model, seed + 1)
        save_file(state, folder / "model.safetensors", {"format": "pt"})
        drawn.pack(folder / "model.safetensors")
        kept = {k: v for k, v in arguments.items() if k in (
            "img_size", "act_layer", "class_token", "fc_norm", "global_pool", "num_heads",
            "ref_feat_shape", "no_embed_class", "reg_tokens")}
        config = {"architecture": architecture, "num_classes": COMMON["num_classes"],
                  "global_pool": arguments["global_pool"], "model_args": kept,
                  "pretrained_cfg": {"mean": [0.5, 0.5, 0.5], "std": [0.5, 0.5, 0.5],
                                     "interpolation": "bicubic"}}
        (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
        rows = ["tag_id,name,category,count", "1,general,9,10", "2,sensitive,9,5", "3,1girl,0,9",
                "4,long_hair,0,8", "5,^_^,0,7", '6,"smile, (object)",0,6', "7,hat,0,5",
                "8,hatsune_miku,4,4", "9,outdoors,0,3"]
        (folder / "selected_tags.csv").write_text("\n".join(rows) + "\n")
        pixels = picture(61, 45, seed)
        side = arguments["img_size"]
        square = prepared(pixels, side)
        values = torch.from_numpy(square.astype(np.float64) / 255).permute(2, 0, 1)[None]
        values = ((values - 0.5) / 0.5)[:, [2, 1, 0]]
        with torch.no_grad():
            logits = model.double()(values)[0]
        save_file({"pixels": torch.from_numpy(pixels.copy()), "square": torch.from_numpy(square.copy()),
                   "logits": logits}, folder / "expected.safetensors")


if __name__ == "__main__":
    main()
