#!/usr/bin/env python3
"""Tiny Qwen3-VLs with random weights, what they say of images by transformers in float64, and images prepared by its
processors.

    python tests/golden/make_qwen3_vl.py        (torch, torchvision, transformers, tokenizers, Pillow, safetensors)

tests/golden/captioners/NAME, folders as transformers writes them:
  qwen3_vl_tied     BF16, two shards, embeddings tied; squares of 2 x 2 patches; two of three blocks go to the text
  qwen3_vl_head     F16, a head of its own, one frame to a patch, no squares of patches merged

NAME.safetensors beside each, for every image i and a question: pixels.i [h, w, 3] U8, patches.i [patches, values] U8
by Pillow's processor, as levels, rows.i and columns.i [1] I32, before.i and after.i: ids of the question around the
image's I32, answer.i: ids by greedy decoding I32, scores.i [tokens of the answer, vocabulary] F32. (transformers computes rotary
angles and the places of learned positions in float32 for any model type; that is kept.)
"""
import json
import pathlib

import numpy as np
import torch
from PIL import Image
from safetensors.torch import save_file
from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil
from transformers.models.qwen2_vl.image_processing_qwen2_vl import Qwen2VLImageProcessor

import drawn
from make_models import unsettle
from make_z_image import train_tokenizer

HERE = pathlib.Path(__file__).parent / "captioners"
PROMPT = "What does this image show?"
ANSWER = 8  # tokens
SIZES = [(61, 45), (20, 97), (64, 64)]  # width, height
BOUNDS = {"shortest_edge": 32 * 32, "longest_edge": 56 * 56}


def config(vision, text, tied):
    return Qwen3VLConfig(
        text_config=dict(vocab_size=316, rms_norm_eps=1e-6, max_position_embeddings=2048, tie_word_embeddings=tied,
                         attn_implementation="eager") | text,
        vision_config=dict(num_position_embeddings=25, in_channels=3) | vision,
        image_token_id=IMAGE, video_token_id=IMAGE + 1, vision_start_token_id=IMAGE - 3, vision_end_token_id=IMAGE - 2,
        tie_word_embeddings=tied, attn_implementation="eager")


IMAGE = 312
MODELS = {
    "qwen3_vl_tied": (
        dict(depth=3, hidden_size=24, intermediate_size=40, num_heads=3, patch_size=8, spatial_merge_size=2,
             temporal_patch_size=2, out_hidden_size=32, deepstack_visual_indexes=[0, 2]),
        dict(hidden_size=32, intermediate_size=56, num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=2,
             head_dim=16, rope_parameters=dict(rope_type="default", rope_theta=5e6, mrope_section=[4, 2, 2],
                                               mrope_interleaved=True)), True, torch.bfloat16),
    "qwen3_vl_head": (
        dict(depth=2, hidden_size=16, intermediate_size=24, num_heads=1, patch_size=8, spatial_merge_size=1,
             temporal_patch_size=1, out_hidden_size=24, deepstack_visual_indexes=[1]),
        dict(hidden_size=24, intermediate_size=40, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1,
             head_dim=12, rope_parameters=dict(rope_type="default", rope_theta=1e4, mrope_section=[2, 2, 2],
                                               mrope_interleaved=True)), False, torch.float16),
}


def picture(width, height, seed):
    generator = np.random.default_rng(seed)
    coarse = generator.integers(0, 256, (7, 9, 3), dtype=np.uint8)
    return np.asarray(Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC)).copy()


def write_tokenizer(folder):
    tokenizer = train_tokenizer(folder)
    assert tokenizer.token_to_id("<|image_pad|>") == IMAGE
    drawn.pack(folder / "tokenizer.json")
    return tokenizer


def write_weights(folder, model, storage, tied):
    state = {k: v.to(storage).contiguous() for k, v in model.state_dict().items()
             if not (tied and k == "lm_head.weight")}
    if not tied:
        save_file(state, folder / "model.safetensors", {"format": "pt"})
        drawn.pack(folder / "model.safetensors")
        return
    names, index = sorted(state), {"metadata": {}, "weight_map": {}}
    for number, part in enumerate((names[::2], names[1::2]), 1):
        file = f"model-{number:05}-of-00002.safetensors"
        save_file({k: state[k] for k in part}, folder / file, {"format": "pt"})
        drawn.pack(folder / file)
        index["weight_map"] |= {k: file for k in part}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=1) + "\n")


def answer(model, ids, kinds, patches, grid):
    """Greedily, the whole text each time: keys and values that are kept are the engine's matter."""
    scores, out = [], []
    for _ in range(ANSWER):
        with torch.no_grad():
            logits = model(input_ids=ids, mm_token_type_ids=kinds, pixel_values=patches, image_grid_thw=grid,
                           use_cache=False).logits[0, -1]
        scores.append(logits)
        out.append(int(logits.argmax()))
        ids = torch.cat([ids, torch.tensor([[out[-1]]])], 1)
        kinds = torch.cat([kinds, torch.zeros((1, 1), dtype=kinds.dtype)], 1)
    return torch.tensor(out, dtype=torch.int32), torch.stack(scores)


def ask(model, tokenizer, settings, pixels):
    """Of one image: its patches and what is said of it."""
    prepared = Qwen2VLImageProcessorPil(**settings)(images=[Image.fromarray(pixels)], return_tensors="pt")
    other = Qwen2VLImageProcessor(**settings)(images=[Image.fromarray(pixels)], return_tensors="pt")
    print("  torchvision's processor differs by", float((prepared["pixel_values"] - other["pixel_values"]).abs().max()))
    grid = prepared["image_grid_thw"]
    seen = int(grid.prod()) // settings["merge_size"] ** 2
    before = tokenizer.encode("<|im_start|>user\n<|vision_start|>").ids
    after = tokenizer.encode(f"<|vision_end|>{PROMPT}<|im_end|>\n<|im_start|>assistant\n").ids
    ids = torch.tensor([before + [IMAGE] * seen + after])
    said, scores = answer(model, ids, (ids == IMAGE).int(), prepared["pixel_values"].double(), grid)
    return dict(pixels=torch.from_numpy(pixels), patches=((prepared["pixel_values"] * 0.5 + 0.5) * 255).round().to(torch.uint8), rows=grid[0, 1:2].int(),
                columns=grid[0, 2:3].int(), before=torch.tensor(before, dtype=torch.int32),
                after=torch.tensor(after, dtype=torch.int32), answer=said, scores=scores.float())


def main():
    for seed, (name, (vision, text, tied, storage)) in enumerate(MODELS.items()):
        folder = HERE / name
        folder.mkdir(parents=True, exist_ok=True)
        tokenizer = write_tokenizer(folder)
        described = config(vision, text, tied)
        torch.manual_seed(seed)
        model = unsettle(Qwen3VLForConditionalGeneration(described), 8320 + seed, storage,
                         lambda k: 3 if "lm_head" in k else 1)
        whole = described.to_dict() | {"architectures": ["Qwen3VLForConditionalGeneration"]}
        (folder / "config.json").write_text(json.dumps(whole, indent=1) + "\n")
        write_weights(folder, model, storage, tied)
        settings = dict(size=BOUNDS, patch_size=vision["patch_size"], merge_size=vision["spatial_merge_size"],
                        temporal_patch_size=vision["temporal_patch_size"], image_mean=[0.5, 0.5, 0.5],
                        image_std=[0.5, 0.5, 0.5])
        (folder / "preprocessor_config.json").write_text(json.dumps(settings) + "\n")
        print(name)
        expected = {}
        for i, (width, height) in enumerate(SIZES):
            one = ask(model, tokenizer, settings, picture(width, height, 10 * seed + i))
            print("  said", one["answer"].tolist(), "rows", int(one["rows"]), "columns", int(one["columns"]))
            expected |= {f"{k}.{i}": v.contiguous() for k, v in one.items()}
        save_file(expected, HERE / f"{name}.safetensors")
        drawn.pack(HERE / f"{name}.safetensors")


if __name__ == "__main__":
    main()
