"""Writes the tiny Krea 2 models and their reference values.

    python tests/golden/make_krea2.py     needs torch, diffusers, transformers, peft, tokenizers

As in make_models.py: seeded, float64 from the stored weights, written as F32. (diffusers computes timestep sinusoids
and norms and applies rotations in float32 for any model type; that is kept.)

Models, tests/golden/models/
  krea2/                   diffusers folder, F16: width 48 (3 heads of 16, 1 for keys), 2 blocks; fusion of 12 states of
                           width 8 (2 heads); Qwen3-VL of width 8 and 36 layers, with a vision tower whose tokens
                           are squares of 8 pixels; VAE of widths 8, 16 with 4 channels; a byte-level BPE of 316 tokens
  krea2_base.safetensors   the transformer alone in its authors' naming, F16, `mantissa.config` metadata: width 40
                           (5 heads of 8, all with their own keys), 3 blocks, 1 and 3 blocks of fusion of 3 states of
                           width 12 (3 heads, 1 for keys), θ 100
  krea2_bare.safetensors   the transformer alone in diffusers' naming, BF16, without a config: width 64 (2 heads of 32,
                           2 for keys), 1 block, 2 and 1 blocks of fusion of 5 states of width 20 (1 head)

References, tests/golden/reference/
  <model>.safetensors
    latents [2,C,h,w]  timesteps [2] (of the pipeline: 1000 is noise)  text [2,tokens,states·width]
    keys [2,tokens]: 0 for a token, -10000 for padding  prediction [2,C,h,w]
  krea2_edit…              as of krea2, with reference_1 and reference_2 [2,C,h,w]: predictions of diffusers' modules by
                           AI Toolkit's rule for edits, references behind the image, at time 0
  krea2_bare_edit…         of krea2_bare, with one
  <model>_lora.safetensors, <model>_dora.safetensors
    noise target loss prediction, adapter.<tensor>, grad.<tensor> on attention and feed-forwards
  krea2_text.safetensors   of the pipeline's prompts: ids.<n>, real.<n> [tokens] I32, hidden.<n> [64,96], of the first
                           40 and the last 24 tokens that are passed on
  krea2_edit_text.safetensors   of AI Toolkit's template with one and with two images: ids.<n> [tokens] I32, without those
                           of images; count.<n> [1] I32 of all that are passed on; hidden.<n>, every seventh of them.
                           sizes [n,4] I32: width, height, and rows and columns of tokens of 32 pixels
  keys/krea2.tsv           names and shapes of the released transformer, blocks of one kind once
"""

import json
import math

import numpy as np
import torch
from diffusers import AutoencoderKLQwenImage, Krea2Pipeline, Krea2Transformer2DModel
from PIL import Image
from transformers import Qwen3VLConfig, Qwen3VLModel
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil, smart_resize

from make_anima import make, vae_config
from make_models import MODELS, normal, tensors_of, write_numpy, write_reference
from make_z_image import PROMPTS, train_tokenizer, write_part
from transformer_references import largest_deviation, references, write_keys, write_pipeline

TARGETS = r"transformer_blocks\.\d+\.(attn\.(to_q|to_k|to_v|to_gate|to_out\.0)|ff\.(gate|up|down))"
STACKS = ("transformer_blocks.", "text_fusion.layerwise_blocks.", "text_fusion.refiner_blocks.")
PREFIX = ("<|im_start|>system\nDescribe the image by detailing the color, shape, size, texture, quantity, text, "
          "spatial relationships of the objects and background:<|im_end|>\n<|im_start|>user\n")
SUFFIX = "<|im_end|>\n<|im_start|>assistant\n"
TOKENS, STATES = 512, (2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35)
PATCH, MERGE, FRAMES = 4, 2, 2
SIDE = PATCH * MERGE  # pixels of a token's side, 32 in the released model
EDIT = "make the cat red"
SEEN = [((96, 64), 7), ((64, 64), 8)]  # sizes that are seen as they are, and seeds
SIZES = [(1024, 1024), (1024, 768), (1184, 880), (1920, 544), (384, 384), (400, 369), (512, 288), (256, 256), (16, 16),
         (100, 40), (640, 64), (4096, 256), (6144, 64), (48, 3104), (880, 16), (333, 777)]


def transformer_config(heads, keys, axes, layers, channels, text, fusion, **others):
    """text: states, their width, heads and key heads; fusion: blocks across states and across tokens."""
    return dict(in_channels=4 * channels, num_layers=layers, attention_head_dim=sum(axes), num_attention_heads=heads,
                num_key_value_heads=keys, intermediate_size=72, timestep_embed_dim=32, text_hidden_dim=text[1],
                num_text_layers=text[0], text_num_attention_heads=text[2], text_num_key_value_heads=text[3],
                text_intermediate_size=28, num_layerwise_text_blocks=fusion[0], num_refiner_text_blocks=fusion[1],
                axes_dims_rope=axes, rope_theta=1000.0, norm_eps=1e-5) | others


def make_transformer(config, seed, storage):
    """Norms store their factors less 1."""
    model = make(Krea2Transformer2DModel, config, seed, storage)
    with torch.no_grad():
        for name, p in model.named_parameters():
            if "norm" in name and p.ndim == 1:
                p.copy_((p - 1).to(storage).double())
    return model


def original_names(arrays):
    top = {"img_in": "first", "time_embed.linear_1": "tmlp.0", "time_embed.linear_2": "tmlp.2",
           "time_mod_proj": "tproj.1", "txt_in.norm.weight": "txtmlp.0.scale", "txt_in.linear_1": "txtmlp.1",
           "txt_in.linear_2": "txtmlp.3", "text_fusion.": "txtfusion.", "transformer_blocks.": "blocks.",
           "final_layer.linear": "last.linear", "final_layer.norm.weight": "last.norm.scale",
           "final_layer.scale_shift_table": "last.modulation.lin"}
    block = {".attn.to_q": ".attn.wq", ".attn.to_k": ".attn.wk", ".attn.to_v": ".attn.wv", ".attn.to_out.0": ".attn.wo",
             ".attn.to_gate": ".attn.gate", ".attn.norm_q.weight": ".attn.qknorm.qnorm.scale",
             ".attn.norm_k.weight": ".attn.qknorm.knorm.scale", ".ff.": ".mlp.", ".norm1.weight": ".prenorm.scale",
             ".norm2.weight": ".postnorm.scale", ".scale_shift_table": ".mod.lin"}
    out = {}
    for name, value in arrays.items():
        flat = name.startswith("transformer_blocks.") and name.endswith("scale_shift_table")
        for new, old in (top | block).items():
            if name.startswith(new) or new.startswith("."):
                name = name.replace(new, old)
        out["model.diffusion_model." + name] = value.reshape(-1) if flat else value
    return out


def pack(latents):
    b, c, h, w = latents.shape
    return latents.view(b, c, h // 2, 2, w // 2, 2).permute(0, 2, 4, 1, 3, 5).reshape(b, h * w // 4, 4 * c)


def modulation(model, timesteps, kind):
    return model.time_mod_proj(torch.nn.functional.gelu(model.time_embed(timesteps, dtype=kind), approximate="tanh"))


def edit(model, image, references, text, timesteps, positions, mask):
    """Krea2Transformer2DModel.forward with references behind the image: the n-th is at n on the first axis, in its own
    rows and columns, and modulated as at time 0. Blocks take a modulation for each token too."""
    for n, reference in enumerate(references):
        _, _, h, w = reference.shape
        own = Krea2Pipeline.prepare_position_ids(0, h // 2, w // 2, "cpu")
        own[:, 0] = n + 1
        positions = torch.cat([positions, own])
    added = torch.cat([pack(x) for x in references], 1)
    before, behind = text.shape[1] + image.shape[1], added.shape[1]
    all_keys = torch.cat([mask, mask.new_ones(len(mask), image.shape[1] + behind)], 1)[:, None, None]
    text = model.txt_in(model.text_fusion(text, attention_mask=mask[:, None, None]))
    hidden = torch.cat([text, model.img_in(torch.cat([image, added], 1))], 1)
    times = torch.cat([modulation(model, timesteps, image.dtype).expand(-1, before, -1),
                       modulation(model, torch.zeros_like(timesteps), image.dtype).expand(-1, behind, -1)], 1)
    turns = model.rotary_emb(positions)
    for block in model.transformer_blocks:
        hidden = block(hidden, times, turns, all_keys)
    return model.final_layer(hidden[:, text.shape[1]:before], model.time_embed(timesteps, dtype=image.dtype))


def predict(model, inputs):
    """As Krea2Pipeline calls it."""
    latents = inputs["latents"]
    b, c, h, w = latents.shape
    states = model.config.num_text_layers
    text = inputs["text"].unflatten(-1, (states, -1))
    positions = Krea2Pipeline.prepare_position_ids(text.shape[1], h // 2, w // 2, "cpu")
    references = [v for k, v in sorted(inputs.items()) if k.startswith("reference_")]
    timesteps, mask = inputs["timesteps"] / 1000, inputs["keys"] == 0
    if references:
        out = edit(model, pack(latents), references, text, timesteps, positions, mask)
    else:
        out = model(hidden_states=pack(latents), encoder_hidden_states=text, timestep=timesteps, position_ids=positions,
                    encoder_attention_mask=mask, return_dict=False)[0]
    return out.view(b, h // 2, w // 2, c, 2, 2).permute(0, 3, 1, 4, 2, 5).reshape(b, c, h, w)


def make_inputs(config, height, width, tokens, lengths, seed):
    keys = torch.zeros(2, tokens).double()
    for row, length in zip(keys, lengths):
        row[length:-1] = -10000  # padding comes before the end
    return dict(latents=normal(2, config["in_channels"] // 4, height, width, seed=seed),
                timesteps=torch.tensor([981.5, 127.0]).double(), keys=keys,
                text=normal(2, tokens, config["num_text_layers"] * config["text_hidden_dim"], seed=seed + 1))


def write_references(name, model, config, size, tokens, lengths, seed, edited=()):
    """`edited`: the sides of each reference."""
    inputs = make_inputs(config, *size, tokens, lengths, seed)
    for i, sides in enumerate(edited):
        inputs[f"reference_{i + 1}"] = normal(2, config["in_channels"] // 4, *sides, seed=seed + 10 + i)
    references(name, model, inputs, predict, TARGETS, seed)


def noise_image(width, height, seed):
    """As EditRun::draw of the tests."""
    values = []
    for _ in range(3 * width * height):
        seed = (seed * 1664525 + 1013904223) % 2 ** 32
        values.append(seed >> 24)
    return Image.fromarray(np.array(values, np.uint8).reshape(height, width, 3))


def seen_size(width, height):
    """AI Toolkit's size of an image before Qwen3-VL's own processor, and that processor's."""
    scale = min(1.0, math.sqrt(384 * 384 / (height * width)))
    sides = [max(round(side * scale), 28) for side in (height, width)]
    return [side // 32 for side in smart_resize(*sides, factor=32, min_pixels=65536, max_pixels=16777216)]


def edit_text_states(tokenizer, model):
    out = {"sizes": torch.tensor([[*size, *seen_size(*size)] for size in SIZES], dtype=torch.int32)}
    pad = tokenizer.token_to_id("<|image_pad|>")
    images = [noise_image(*size, seed) for size, seed in SEEN]
    see = Qwen2VLImageProcessorPil(size={"shortest_edge": 64 * SIDE ** 2, "longest_edge": 2 ** 24}, patch_size=PATCH,
                                   merge_size=MERGE, temporal_patch_size=FRAMES, image_mean=[0.5] * 3,
                                   image_std=[0.5] * 3)
    for count in (1, 2):
        made = see(images=images[:count], return_tensors="pt")
        shown = [f"Picture {i + 1}: <|vision_start|>" + "<|image_pad|>" * (grid.prod() // MERGE ** 2) + "<|vision_end|>"
                 for i, grid in enumerate(made["image_grid_thw"])]
        ids = tokenizer.encode(PREFIX + "".join(shown) + EDIT + SUFFIX).ids
        with torch.no_grad():
            states = model(input_ids=torch.tensor([ids]), attention_mask=torch.ones(1, len(ids)),
                           mm_token_type_ids=(torch.tensor([ids]) == pad).int(), output_hidden_states=True,
                           pixel_values=made["pixel_values"].double(), image_grid_thw=made["image_grid_thw"]).hidden_states
        hidden = torch.cat([states[k][0, len(tokenizer.encode(PREFIX).ids):] for k in STATES], dim=-1)
        out |= {f"ids.{count}": torch.tensor([x for x in ids if x != pad]).int(), f"hidden.{count}": hidden[::7],
                f"count.{count}": torch.tensor([len(hidden)]).int()}
    write_reference("krea2_edit_text.safetensors", out)


def text_states(tokenizer, model):
    out = {}
    start, padding = len(tokenizer.encode(PREFIX).ids), tokenizer.token_to_id("<|endoftext|>")
    end = tokenizer.encode(SUFFIX).ids
    for i, prompt in enumerate(PROMPTS):
        ids = tokenizer.encode(PREFIX + prompt).ids
        fill = start + TOKENS - len(end) - len(ids)
        real = torch.tensor([[1] * len(ids) + [0] * fill + [1] * len(end)])
        ids = torch.tensor([ids + [padding] * fill + end])
        positions = (real.cumsum(-1) - 1).clamp(min=0).unsqueeze(0).expand(3, -1, -1)
        with torch.no_grad():
            states = model(input_ids=ids, attention_mask=real.bool(), position_ids=positions,
                           output_hidden_states=True).hidden_states
        hidden = torch.cat([states[k][0, start:] for k in STATES], dim=-1)
        out |= {f"ids.{i}": ids[0].int(), f"real.{i}": real[0].int(),
                f"hidden.{i}": torch.cat([hidden[:40], hidden[-24:]])}
    return out


def make_text_encoder(folder):
    tokenizer = train_tokenizer(folder / "tokenizer")
    text = dict(vocab_size=tokenizer.get_vocab_size(), hidden_size=8, intermediate_size=16, num_hidden_layers=36,
                num_attention_heads=2, num_key_value_heads=1, head_dim=8, rms_norm_eps=1e-6, hidden_act="silu",
                attention_bias=False, max_position_embeddings=2048, tie_word_embeddings=True,
                rope_parameters={"rope_type": "default", "rope_theta": 5000000.0, "mrope_section": [2, 1, 1],
                                 "mrope_interleaved": True})
    vision = dict(depth=2, hidden_size=8, intermediate_size=8, num_heads=1, out_hidden_size=8, patch_size=PATCH,
                  temporal_patch_size=FRAMES, spatial_merge_size=MERGE, num_position_embeddings=9,
                  deepstack_visual_indexes=[0])
    image = tokenizer.token_to_id("<|image_pad|>")
    config = Qwen3VLConfig(text_config=text, vision_config=vision, tie_word_embeddings=True, image_token_id=image,
                           video_token_id=image + 1, vision_start_token_id=tokenizer.token_to_id("<|vision_start|>"),
                           vision_end_token_id=tokenizer.token_to_id("<|vision_end|>"))
    model = make(Qwen3VLModel, {"config": config}, 801, torch.float16)
    write_numpy(folder / "text_encoder" / "model.safetensors", tensors_of(model, torch.float16), torch.float16,
                {"format": "pt"})
    model.config.save_pretrained(folder / "text_encoder")
    exact = text_states(tokenizer, model)
    write_reference("krea2_text.safetensors", exact)
    edit_text_states(tokenizer, model)
    rounded = text_states(tokenizer, model.float())
    for i in range(len(PROMPTS)):
        print("prompt", i, "in FP32:", largest_deviation(rounded[f"hidden.{i}"], exact[f"hidden.{i}"]))


def make_folder():
    folder = MODELS / "krea2"
    config = transformer_config(3, 1, [4, 6, 6], 2, 4, (12, 8, 2, 1), (1, 2))
    transformer = make_transformer(config, 800, torch.float16)
    write_part(folder / "transformer", transformer, {"_class_name": "Krea2Transformer2DModel", **config},
               "diffusion_pytorch_model")
    make_text_encoder(folder)
    vae = vae_config(8, 4, [1, 2], 1, [False])
    write_part(folder / "vae", make(AutoencoderKLQwenImage, vae, 802, torch.float16),
               {"_class_name": "AutoencoderKLQwenImage", **vae}, "diffusion_pytorch_model")
    write_pipeline(folder, {
        "shift": 1.0, "use_dynamic_shifting": True, "base_shift": 0.5, "max_shift": 1.15, "base_image_seq_len": 256,
        "max_image_seq_len": 6400, "time_shift_type": "exponential"}, {
        "_class_name": "Krea2Pipeline", "is_distilled": False, "patch_size": 2,
        "text_encoder_select_layers": list(STATES), "scheduler": ["diffusers", "FlowMatchEulerDiscreteScheduler"],
        "text_encoder": ["transformers", "Qwen3VLModel"], "tokenizer": ["transformers", "Qwen2Tokenizer"],
        "transformer": ["diffusers", "Krea2Transformer2DModel"], "vae": ["diffusers", "AutoencoderKLQwenImage"]})
    write_references("krea2", transformer, config, (8, 12), 9, (8, 5), 8000)
    write_references("krea2_edit", transformer, config, (4, 6), 9, (8, 5), 8050, ((6, 2), (4, 8)))


def make_files():
    config = transformer_config(5, 5, [2, 2, 4], 3, 3, (3, 12, 3, 1), (1, 3), rope_theta=100.0, norm_eps=1e-4)
    model = make_transformer(config, 810, torch.float16)
    write_numpy(MODELS / "krea2_base.safetensors", original_names(tensors_of(model, torch.float16)), torch.float16,
                {"mantissa.config": json.dumps({"unet": {"_class_name": "Krea2Transformer2DModel", **config}})})
    write_references("krea2_base", model, config, (6, 4), 16, (3, 15), 8100)
    config = transformer_config(2, 2, [8, 12, 12], 1, 2, (5, 20, 1, 1), (2, 1))
    model = make_transformer(config, 820, torch.bfloat16)
    write_numpy(MODELS / "krea2_bare.safetensors", tensors_of(model, torch.bfloat16), torch.bfloat16)
    write_references("krea2_bare", model, config, (2, 6), 2, (1, 1), 8200)
    write_references("krea2_bare_edit", model, config, (4, 2), 5, (4, 3), 8250, ((2, 6),))


def main():
    make_folder()
    make_files()
    with torch.device("meta"):
        write_keys("krea2.tsv", Krea2Transformer2DModel(), STACKS)


if __name__ == "__main__":
    main()
