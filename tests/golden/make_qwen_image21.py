"""Writes the tiny Qwen-Image-2.1 models and their reference values.

    python tests/golden/make_qwen_image21.py     needs torch, diffusers, transformers, peft, tokenizers

As in make_models.py: seeded, float64 from the stored weights, written as F32. (diffusers computes timestep sinusoids
and norms of q and k and applies rotations in float32 for any model type; that is kept.)

Models, tests/golden/models/
  qwen_image_21/                  diffusers folder, F16: width 48 (3 heads of 16), 2 blocks; Qwen3-VL of width 24 and 3
                                  layers, with a vision tower; VAE of widths 4, 8, 8 (decoder 6, 12, 12) with 8
                                  channels; a byte-level BPE of 316 tokens
  qwen_image21_base.safetensors   F16, in ComfyUI's naming, `mantissa.config` metadata: width 40 (5 heads of 8), 1 block,
                                  feed-forwards twice as wide, text at the image's time; a VAE of widths 4, 8, 16, 16
                                  (decoder 6, ...) with 6 channels
  qwen_image21_bare.safetensors   the transformer alone in diffusers' naming, BF16, without a config: width 64 (2 heads
                                  of 32), 3 blocks

References, tests/golden/reference/
  <model>.safetensors
    latents [2,C,h,w]  timesteps [2] (of the pipeline: 1000 is noise)  text [2,tokens,D]  keys [2,tokens]: 0 for a
    token, -10000 for padding  lengths [2]: how many are no padding  prediction [2,C,h,w], of each sample alone
  qwen_image21_edit…              as of qwen_image21, with reference_1 and reference_2 [2,C,h,w] and places [2] I32, the
                                  tokens of the text before them
  qwen_image21_base_edit…         of qwen_image21_base, with one
  qwen_image21_edit_sample.safetensors
    noise [1,8,8,12], and with one and with two references: image.<n> [32,48,4] of the pipeline from 2 steps, in [0, 1];
    hidden.<n> [tokens,24], those of the text
  <model>_lora.safetensors, <model>_dora.safetensors
    noise target loss prediction, adapter.<tensor>, grad.<tensor> on attention and feed-forwards
  qwen_image21_text.safetensors   of the pipeline's prompts and a long one, all in one batch: ids.<n> [tokens] I32,
                                  hidden.<n> [tokens behind the system message,24]
  qwen_image_21_vae.safetensors, qwen_image21_base_vae.safetensors
    image [1,3,H,W]  moments [1,2C,h,w]  latents [1,C,h,w]  decoded [1,3,H,W]
  qwen_image21_sampling.safetensors   sigmas.<n>.<tokens> [n + 1] of the pipeline's schedule for n steps and an image of
                                      so many tokens; turbo.<tokens>: of Turbo's grid
  keys/qwen_image21.tsv, keys/qwen_image21_vae.tsv   names and shapes of the released model, blocks of one kind once
"""

import json
import re
import types

import numpy as np
import torch
from diffusers import (AutoencoderKLQwenImage21, FlowMatchEulerDiscreteScheduler, QwenImage21Pipeline,
                       QwenImage21Transformer2DModel)
from diffusers.image_processor import VaeImageProcessor
from diffusers.modular_pipelines.qwenimage21 import before_denoise, encoders
from PIL import Image
from transformers import PreTrainedTokenizerFast, Qwen3VLConfig, Qwen3VLForConditionalGeneration
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

from make_anima import make
from make_models import HERE, MODELS, normal, seeded, tensors_of, unsettle, write_numpy, write_reference
from make_z_image import PROMPTS, train_tokenizer, write_part
from transformer_references import references, write_keys, write_pipeline

TARGETS = r"transformer_blocks\.\d+\.(attn\.(to_q|to_k|to_v|to_out\.0)|img_mlp\.(gate_layer|proj|out))"
STACKS = ("transformer_blocks.",)
LONG = "a red cat and a blue dog, a green bird and a white mouse on the grass: " * 2
SCHEDULER = {"shift": 1.0, "use_dynamic_shifting": True, "base_shift": 0.5, "max_shift": 0.9, "base_image_seq_len": 256,
             "max_image_seq_len": 8192, "shift_terminal": 0.02, "time_shift_type": "exponential",
             "invert_sigmas": False, "stochastic_sampling": False, "use_beta_sigmas": False,
             "use_exponential_sigmas": False, "use_karras_sigmas": False}
TOWER = dict(depth=2, hidden_size=8, intermediate_size=8, num_heads=1, out_hidden_size=24, patch_size=4,
             temporal_patch_size=2, spatial_merge_size=2, num_position_embeddings=9, deepstack_visual_indexes=[0])
EDIT = "make the cat red"
EDITED = [((96, 32), 7), ((64, 64), 8)]  # sizes that the pipeline leaves at a resolution of 64, and seeds
TURBO = [1.0, 0.978453, 0.95418, 0.926626, 0.89508, 0.845148, 0.704534, 0.414568]


def transformer_config(heads, axes, layers, channels, text, **others):
    return dict(patch_size=1, in_channels=channels, out_channels=channels, num_layers=layers,
                attention_head_dim=sum(axes), num_attention_heads=heads, context_in_dim=text, mlp_ratio=3,
                axes_dims_rope=axes, eps=1e-6, causal_condition=True) | others


def vae_config(base, decoder, channels, multipliers, blocks, temporal):
    generator = seeded(channels)
    return dict(base_dim=base, decoder_base_dim=decoder, z_dim=channels, dim_mult=multipliers, num_res_blocks=blocks,
                attn_scales=[], temperal_downsample=temporal, dropout=0.0, is_residual=True, in_channels=4,
                out_channels=4, patch_size=None, scale_factor_temporal=2 ** sum(temporal),
                scale_factor_spatial=2 ** (len(multipliers) - 1),
                latents_mean=[round(x, 3) for x in torch.randn(channels, generator=generator).tolist()],
                latents_std=[round(x, 3) for x in (0.5 + torch.rand(channels, generator=generator)).tolist()])


def make_transformer(config, seed, storage):
    """The text's norm stores its factors less 1."""
    torch.manual_seed(seed)
    model = unsettle(QwenImage21Transformer2DModel(**config), seed, storage)
    with torch.no_grad():
        model.txt_in.text_norm.weight.copy_((model.txt_in.text_norm.weight - 1).to(storage).double())
    return model


def comfyui_names(arrays):
    """The gate and the entry of a feed-forward are one tensor."""
    out = {}
    for name, value in arrays.items():
        if name.endswith("img_mlp.gate_layer.weight"):
            entry = arrays[name.replace("gate_layer", "proj")]
            name, value = name.replace("gate_layer", "gate_up"), np.concatenate([value, entry])
        if not name.endswith("img_mlp.proj.weight"):
            out["model.diffusion_model." + name] = value
    return out


def original_vae(name, blocks):
    """Wan 2.2's names; `blocks`: in a level of the encoder, one more in the decoder's."""
    half, _, rest = name.partition(".")
    if half not in ("encoder", "decoder"):
        return {"quant_conv": "conv1", "post_quant_conv": "conv2"}[half] + "." + rest
    for new, old in {"conv_in": "conv1", "norm_out": "head.0", "conv_out": "head.2", "mid_block.resnets.0": "middle.0",
                     "mid_block.resnets.1": "middle.2", "mid_block.attentions.0": "middle.1",
                     "conv_shortcut": "shortcut"}.items():
        rest = rest.replace(new, old)
    parts = rest.split(".")
    if parts[0] in ("down_blocks", "up_blocks"):
        stack = "downsamples" if parts[0] == "down_blocks" else "upsamples"
        sampler = parts[2] != "resnets"
        index = str(blocks + (half == "decoder")) if sampler else parts[3]
        parts = [stack, parts[1], stack, index, *parts[3 if sampler else 4:]]
    if parts[0] != "conv1":
        inside = {"norm1": "residual.0", "conv1": "residual.2", "norm2": "residual.3", "conv2": "residual.6"}
        parts = [inside.get(x, x) for x in parts]
    return ".".join([half, *parts])


def predict(model, inputs):
    """As the pipeline calls it, for each sample alone. What the encoder makes of an image's slots isn't read."""
    rows = []
    for i, length in enumerate(inputs["lengths"].tolist()):
        images = [v[i:i + 1] for k, v in sorted(inputs.items()) if k.startswith("reference_")]
        images.append(inputs["latents"][i:i + 1])
        _, c, h, w = images[-1].shape
        text, mask, begin = [], [], 0
        for image, place in zip(images, [*inputs.get("places", torch.tensor([])).tolist(), int(length)]):
            slots = image.shape[2] * image.shape[3] // 4
            words = inputs["text"][i:i + 1, int(begin):int(place)]
            text += [words, words.new_full((1, slots, words.shape[2]), 3.0)]
            mask += [torch.zeros(1, words.shape[1]), torch.ones(1, slots)]
            begin = place
        out = model(hidden_states=torch.cat([x.flatten(2).transpose(1, 2) for x in images], 1),
                    encoder_hidden_states=torch.cat(text[:-1], 1), timestep=inputs["timesteps"][i:i + 1] / 1000,
                    img_shapes=[[(1, *x.shape[2:]) for x in images]], img_mask=torch.cat(mask, 1).bool(),
                    return_dict=False)[0]
        rows.append(out[:, -h * w:].transpose(1, 2).reshape(1, c, h, w))
    return torch.cat(rows)


def write_references(name, model, config, size, tokens, lengths, seed, edited=()):
    """`edited`: of each reference the tokens of the text before it and its sides."""
    text = normal(2, tokens, config["context_in_dim"], seed=seed + 1)
    keys = torch.zeros(2, tokens).double()
    for row, length in zip(keys, lengths):
        row[length:] = -10000
    inputs = dict(latents=normal(2, config["in_channels"], *size, seed=seed),
                  timesteps=torch.tensor([984.375, 125.0]).double(), text=text, keys=keys,
                  lengths=torch.tensor(lengths).double())
    for i, (place, *sides) in enumerate(edited):
        inputs[f"reference_{i + 1}"] = normal(2, config["in_channels"], *sides, seed=seed + 10 + i)
    if edited:
        inputs["places"] = torch.tensor([x[0] for x in edited], dtype=torch.int32)
    references(name, model, inputs, predict, TARGETS, seed)


class Batch(types.SimpleNamespace):
    def to(self, device):
        return self


class Processor:
    """What the pipeline asks of the model's processor; images as they are, without bounds of their sizes."""

    def __init__(self, tokenizer):
        self.tokenizer = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<|endoftext|>")

    def apply_chat_template(self, messages, tokenize, return_dict):
        assert tokenize and not return_dict
        text = messages[0]["content"][0]["text"]
        return [self.tokenizer.encode(f"<|im_start|>system\n{text}<|im_end|>\n")]

    def __call__(self, text, padding, padding_side, return_tensors, images=()):
        seen = {}
        if images:
            settings = dict(size={"shortest_edge": 1, "longest_edge": 2 ** 20}, patch_size=TOWER["patch_size"],
                            merge_size=TOWER["spatial_merge_size"], temporal_patch_size=TOWER["temporal_patch_size"],
                            image_mean=[0.5] * 3, image_std=[0.5] * 3)
            made = Qwen2VLImageProcessorPil(**settings)(images=images, return_tensors="pt")
            seen = dict(pixel_values=made["pixel_values"].double(), image_grid_thw=made["image_grid_thw"])
            slots = iter((made["image_grid_thw"].prod(1) // TOWER["spatial_merge_size"] ** 2).tolist())
            text = [re.sub(r"<\|image_pad\|>", lambda match: match[0] * next(slots), x) for x in text]
        found = self.tokenizer(text, padding=padding, padding_side=padding_side, return_tensors=return_tensors)
        ids = found["input_ids"]
        return Batch(input_ids=ids, attention_mask=found["attention_mask"],
                     mm_token_type_ids=(ids == self.tokenizer.encode("<|image_pad|>")[0]).int(), **seen)


def text_reference(tokenizer, model):
    out, processor, prompts = {}, Processor(tokenizer), [*PROMPTS, LONG]
    with torch.no_grad():
        states, mask, _ = encoders.get_qwenimage21_prompt_embeds(model, processor, prompts)
    for i, prompt in enumerate(prompts):
        chat = (f"<|im_start|>system\n{encoders.QWENIMAGE21_SYSTEM_PROMPT}<|im_end|>\n<|im_start|>user\n"
                f"{prompt or ' '}<|im_end|>\n<|im_start|>assistant\n")
        hidden = states[i, mask[i].bool()]
        out |= {f"ids.{i}": torch.tensor(processor.tokenizer.encode(chat)).int(), f"hidden.{i}": hidden}
    write_reference("qwen_image21_text.safetensors", out)


def make_text_encoder(folder):
    tokenizer = train_tokenizer(folder / "processor")
    text = dict(vocab_size=tokenizer.get_vocab_size(), hidden_size=24, intermediate_size=40, num_hidden_layers=3,
                num_attention_heads=2, num_key_value_heads=1, head_dim=8, rms_norm_eps=1e-6, hidden_act="silu",
                attention_bias=False, max_position_embeddings=2048, tie_word_embeddings=False,
                rope_parameters={"rope_type": "default", "rope_theta": 5000000.0, "mrope_section": [2, 1, 1],
                                 "mrope_interleaved": True})
    image = tokenizer.token_to_id("<|image_pad|>")
    config = Qwen3VLConfig(text_config=text, vision_config=TOWER, tie_word_embeddings=False, image_token_id=image,
                           video_token_id=image + 1, vision_start_token_id=tokenizer.token_to_id("<|vision_start|>"),
                           vision_end_token_id=tokenizer.token_to_id("<|vision_end|>"))
    torch.manual_seed(951)
    model = unsettle(Qwen3VLForConditionalGeneration(config), 951, torch.float16)
    write_numpy(folder / "text_encoder" / "model.safetensors", tensors_of(model, torch.float16), torch.float16,
                {"format": "pt"})
    model.config.save_pretrained(folder / "text_encoder")
    text_reference(tokenizer, model)
    return Processor(tokenizer), model


def vae_references(name, model, config, seed):
    """Of opaque images; the clamp behind the decoder is no part of the network."""
    factor = 2 ** (len(config["dim_mult"]) - 1)
    image = torch.tanh(normal(1, 3, 3 * factor, 4 * factor, seed=seed))
    latents = normal(1, config["z_dim"], 3, 4, seed=seed + 1)
    with torch.no_grad():
        opaque = torch.cat([image, torch.ones_like(image[:, :1])], 1)
        moments = model._encode(opaque.unsqueeze(2)).squeeze(2)
        model.clear_cache()
        decoded = model.decoder(model.post_quant_conv(latents.unsqueeze(2)), feat_cache=model._feat_map,
                                feat_idx=model._conv_idx, first_chunk=True).squeeze(2)
        assert torch.equal(decoded.clamp(-1, 1), model.decode(latents.unsqueeze(2)).sample.squeeze(2))
    write_reference(f"{name}_vae.safetensors",
                    dict(image=image, moments=moments, latents=latents, decoded=decoded[:, :3]))
    print(name, "moments std", moments.std().item(), "decoded std", decoded.std().item())


def noise_image(width, height, seed):
    """As EditRun::draw of the tests."""
    values = []
    for _ in range(3 * width * height):
        seed = (seed * 1664525 + 1013904223) % 2 ** 32
        values.append(seed >> 24)
    return Image.fromarray(np.array(values, np.uint8).reshape(height, width, 3))


def edit_sample(pipeline):
    """The pipeline's own sample; its factor is that of the released autoencoder."""
    pipeline.vae_scale_factor = 4
    pipeline.image_processor = VaeImageProcessor(vae_scale_factor=4)
    pipeline.set_progress_bar_config(disable=True)
    images = [noise_image(*size, seed) for size, seed in EDITED]
    out = {"noise": normal(1, 8, 8, 12, seed=9590)}
    for count in (1, 2):
        made = pipeline(prompt=EDIT, image=images[:count], width=48, height=32, num_inference_steps=2,
                        output_resolution=64, use_kv_cache=False, output_type="pt",
                        latents=out["noise"].flatten(2).transpose(1, 2)).images
        states, _, slots = pipeline.encode_prompt(EDIT, images[:count])
        out |= {f"image.{count}": made[0].movedim(0, -1), f"hidden.{count}": states[0, ~slots[0]]}
    write_reference("qwen_image21_edit_sample.safetensors", out)


def make_folder():
    folder = MODELS / "qwen_image_21"
    config = transformer_config(3, [4, 6, 6], 2, 8, 24)
    transformer = make_transformer(config, 950, torch.float16)
    write_part(folder / "transformer", transformer, {"_class_name": "QwenImage21Transformer2DModel", **config},
               "diffusion_pytorch_model")
    processor, encoder = make_text_encoder(folder)
    vae = vae_config(4, 6, 8, [1, 2, 2], 1, [False, True])
    model = make(AutoencoderKLQwenImage21, vae, 952, torch.float16)
    write_part(folder / "vae", model, {"_class_name": "AutoencoderKLQwenImage21", **vae}, "diffusion_pytorch_model")
    vae_references("qwen_image_21", model, vae, 9520)
    write_pipeline(folder, SCHEDULER, {
        "_class_name": "QwenImage21Pipeline", "processor": ["transformers", "Qwen3VLProcessor"],
        "scheduler": ["diffusers", "FlowMatchEulerDiscreteScheduler"],
        "text_encoder": ["transformers", "Qwen3VLForConditionalGeneration"],
        "transformer": ["diffusers", "QwenImage21Transformer2DModel"], "vae": ["diffusers", "AutoencoderKLQwenImage21"]})
    write_references("qwen_image21", transformer, config, (4, 6), 9, (9, 6), 9500)
    write_references("qwen_image21_edit", transformer, config, (4, 2), 9, (9, 6), 9520, ((2, 2, 6), (5, 4, 2)))
    edit_sample(QwenImage21Pipeline(FlowMatchEulerDiscreteScheduler(num_train_timesteps=1000, **SCHEDULER),
                                    model, encoder, processor, transformer))


def make_files():
    config = transformer_config(5, [2, 4, 2], 1, 6, 20, mlp_ratio=2, eps=1e-5, causal_condition=False)
    vae = vae_config(4, 6, 6, [1, 2, 4, 4], 2, [True, True, False])
    model = make_transformer(config, 960, torch.float16)
    autoencoder = make(AutoencoderKLQwenImage21, vae, 961, torch.float16)
    arrays = comfyui_names(tensors_of(model, torch.float16))
    arrays |= {"vae." + original_vae(k, vae["num_res_blocks"]): v
               for k, v in tensors_of(autoencoder, torch.float16).items()}
    configs = {"unet": {"_class_name": "QwenImage21Transformer2DModel", **config},
               "vae": {"_class_name": "AutoencoderKLQwenImage21", **vae}}
    write_numpy(MODELS / "qwen_image21_base.safetensors", arrays, torch.float16,
                {"mantissa.config": json.dumps(configs)})
    write_references("qwen_image21_base", model, config, (6, 2), 7, (4, 7), 9600)
    write_references("qwen_image21_base_edit", model, config, (2, 2), 7, (4, 7), 9650, ((3, 6, 2),))
    vae_references("qwen_image21_base", autoencoder, vae, 9610)
    config = transformer_config(2, [4, 14, 14], 3, 4, 12)
    model = make_transformer(config, 970, torch.bfloat16)
    write_numpy(MODELS / "qwen_image21_bare.safetensors", tensors_of(model, torch.bfloat16), torch.bfloat16)
    write_references("qwen_image21_bare", model, config, (2, 4), 3, (3, 1), 9700)


def make_schedule():
    out = {}
    shift = before_denoise.calculate_shift
    for tokens, grids in ((24, {"sigmas.4": 4, "sigmas.40": 40, "turbo": TURBO}), (4096, {"sigmas.40": 40})):
        for name, grid in grids.items():
            scheduler = FlowMatchEulerDiscreteScheduler(num_train_timesteps=1000, **SCHEDULER)
            c = scheduler.config
            mu = shift(tokens, c.base_image_seq_len, c.max_image_seq_len, c.base_shift, c.max_shift)
            levels = grid if isinstance(grid, list) else np.linspace(1.0, 1 / grid, grid)
            before_denoise.retrieve_timesteps(scheduler, len(levels), "cpu", sigmas=levels, mu=mu)
            out[f"{name}.{tokens}"] = scheduler.sigmas
    write_reference("qwen_image21_sampling.safetensors", out)


def write_key_tables():
    with torch.device("meta"):
        write_keys("qwen_image21.tsv", QwenImage21Transformer2DModel(), STACKS)
        write_keys("qwen_image21_vae.tsv", AutoencoderKLQwenImage21(), ())


def main():
    make_folder()
    make_files()
    make_schedule()
    write_key_tables()


if __name__ == "__main__":
    main()
