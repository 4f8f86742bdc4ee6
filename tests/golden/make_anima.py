"""Writes the tiny Anima models and their reference values.

    python tests/golden/make_anima.py     needs torch, diffusers, transformers, peft, tokenizers, sentencepiece

As in make_models.py: seeded, float64 from the stored weights, written as F32. (diffusers computes timestep sinusoids
and applies rotations in float32 for any model type; that is kept.)

Models, tests/golden/models/
  anima/                   diffusers folder, F16: transformer of width 48 (3 heads of 16), 3 blocks; text conditioner
                           of width 32 (2 heads of 16), 2 blocks, between Qwen3 of width 40 with 3 layers and texts of
                           width 24; VAE of widths 8, 16, 16 with 4 channels; a byte-level BPE and PixArt's unigram
  anima_base.safetensors   F16, in the authors' naming, `mantissa.config` metadata: width 60 (5 heads of 12), 2 blocks,
                           feed-forwards 2.5 times as wide, another RoPE; text conditioner of width 20 (1 head),
                           1 block; a VAE of widths 6, 12 with 6 channels
  anima_bare.safetensors   the transformer alone in diffusers' naming, BF16, without a config: width 40 (2 heads of
                           20), 1 block, 8 channels, without the channel for padding

References, tests/golden/reference/
  <model>.safetensors
    latents [2,C,h,w]  timesteps [2] (of the pipeline: 1000 is noise)  text [2,tokens,D]  prediction [2,C,h,w]
  <model>_lora.safetensors, <model>_dora.safetensors
    noise target loss prediction, adapter.<tensor>, grad.<tensor> on attention and feed-forwards
  anima_text.safetensors   of the pipeline's prompts: te1.<n>, te2.<n> [tokens] I32, context.<n> [32,24], the first
                           tokens only; and of a LoRA of the text conditioner: target [3,512,24], loss,
                           adapter.<tensor>, grad.<tensor>
  anima_vae.safetensors, anima_base_vae.safetensors
    image [1,3,H,W]  moments [1,2C,h,w]  latents [1,C,h,w]  decoded [1,3,H,W]
  keys/anima.tsv           names and shapes of the released model, blocks of one kind once
"""

import json
import types

import sentencepiece
import torch
from diffusers import AnimaTextConditioner, AutoencoderKLQwenImage, CosmosTransformer3DModel
from diffusers.models.transformers import transformer_cosmos
from transformers import Qwen3Config, Qwen3Model

from make_models import HERE, MODELS, normal, seeded, tensors_of, unsettle, write_numpy, write_reference
from make_z_image import PROMPTS, train_tokenizer, write_part
from transformer_references import ALPHA, RANK, adapt, key_rows, references, with_gradients, write_pipeline

TOKENS = 512
T5_END = 1
TARGETS = r".*\.(attn1|attn2)\.(to_q|to_k|to_v|to_out\.0)|.*\.ff\.net\.(0\.proj|2)"
TEXT_TARGETS = r"blocks\..*\.(q_proj|k_proj|v_proj|o_proj)|blocks\..*\.mlp\.(0|2)"
STACKS = ("transformer_blocks.", "blocks.")


def nearest(mask, size, interpolation):
    return torch.nn.functional.interpolate(mask, size, mode="nearest")


# All that the transformer uses of torchvision.
transformer_cosmos.transforms = types.SimpleNamespace(
    functional=types.SimpleNamespace(resize=nearest), InterpolationMode=types.SimpleNamespace(NEAREST="nearest"))


def transformer_config(heads, head_dim, layers, channels, text, **others):
    return dict(in_channels=channels, out_channels=channels, num_attention_heads=heads, attention_head_dim=head_dim,
                num_layers=layers, mlp_ratio=4.0, text_embed_dim=text, adaln_lora_dim=8, max_size=[128, 240, 240],
                patch_size=[1, 2, 2], rope_scale=[1.0, 4.0, 4.0], concat_padding_mask=True,
                extra_pos_embed_type=None) | others


def conditioner_config(source, target, width, layers, heads, vocab, ratio):
    return dict(source_dim=source, target_dim=target, model_dim=width, num_layers=layers, num_attention_heads=heads,
                mlp_ratio=ratio, target_vocab_size=vocab, use_self_attention=True, use_layer_norm=False,
                min_sequence_length=TOKENS)


def vae_config(base, channels, multipliers, blocks, temporal):
    generator = seeded(base)
    return dict(base_dim=base, z_dim=channels, dim_mult=multipliers, num_res_blocks=blocks, attn_scales=[],
                temperal_downsample=temporal, dropout=0.0, input_channels=3,
                latents_mean=[round(x, 3) for x in torch.randn(channels, generator=generator).tolist()],
                latents_std=[round(x, 3) for x in (0.5 + torch.rand(channels, generator=generator)).tolist()])


def make(kind, config, seed, storage):
    torch.manual_seed(seed)
    model = unsettle(kind(**config), seed, storage)
    generator = seeded(seed + 1)
    with torch.no_grad():
        for name, p in sorted(model.named_parameters()):
            if name.endswith("gamma"):
                p.copy_((1 + 0.2 * torch.randn(p.shape, generator=generator)).to(storage).double())
    return model


def original_transformer(name):
    block = {"norm1.linear_": "adaln_modulation_self_attn.", "norm2.linear_": "adaln_modulation_cross_attn.",
             "norm3.linear_": "adaln_modulation_mlp.", "attn1.": "self_attn.", "attn2.": "cross_attn.",
             "to_q": "q_proj", "to_k": "k_proj", "to_v": "v_proj", "to_out.0": "output_proj", "norm_q": "q_norm",
             "norm_k": "k_norm", "ff.net.0.proj": "mlp.layer1", "ff.net.2": "mlp.layer2"}
    top = {"patch_embed.proj": "x_embedder.proj.1", "time_embed.t_embedder": "t_embedder.1",
           "time_embed.norm": "t_embedding_norm", "norm_out.linear_": "final_layer.adaln_modulation.",
           "proj_out": "final_layer.linear"}
    inside = name.startswith("transformer_blocks.")
    for new, old in (block if inside else top).items():
        name = name.replace(new, old)
    return name.replace("transformer_blocks.", "blocks.")


def original_vae(name, level_size):
    for new, old in {"post_quant_conv": "conv2", "quant_conv": "conv1", "conv_in": "conv1", "norm_out": "head.0",
                     "conv_out": "head.2", "norm1": "residual.0", "norm2": "residual.3", "conv_shortcut": "shortcut",
                     "mid_block.resnets.0": "middle.0", "mid_block.resnets.1": "middle.2",
                     "mid_block.attentions.0": "middle.1", "down_blocks": "downsamples"}.items():
        name = name.replace(new, old)
    parts = name.split(".")
    if "up_blocks" in parts:
        at = parts.index("up_blocks")
        block = level_size - 1 if parts[at + 2] == "upsamplers" else int(parts[at + 3])
        parts[at:at + 4] = ["upsamples", str(int(parts[at + 1]) * level_size + block)]
    if any(x in parts for x in ("upsamples", "downsamples", "middle")):
        parts = [{"conv1": "residual.2", "conv2": "residual.6"}.get(x, x) for x in parts]
    return ".".join(parts)


def predict(model, inputs):
    """As AnimaModularPipeline calls it."""
    mask = inputs["latents"].new_zeros(1, 1, *(8 * s for s in inputs["latents"].shape[2:]))
    return model(hidden_states=inputs["latents"].unsqueeze(2), timestep=inputs["timesteps"] / 1000,
                 encoder_hidden_states=inputs["text"], padding_mask=mask, return_dict=False)[0].squeeze(2)


def make_inputs(config, height, width, tokens, seed):
    return dict(latents=normal(2, config["in_channels"], height, width, seed=seed),
                timesteps=torch.tensor([981.5, 127.0]).double(),
                text=normal(2, tokens, config["text_embed_dim"], seed=seed + 1))


def write_references(name, model, config, size, tokens, seed):
    references(name, model, make_inputs(config, *size, tokens, seed), predict, TARGETS, seed)


def vae_references(name, model, config, seed):
    """Of single images: the clamp behind the decoder is no part of the network."""
    factor = 2 ** (len(config["dim_mult"]) - 1)
    image = torch.tanh(normal(1, 3, 3 * factor, 4 * factor, seed=seed))
    latents = normal(1, config["z_dim"], 3, 4, seed=seed + 1)
    with torch.no_grad():
        moments = model._encode(image.unsqueeze(2)).squeeze(2)
        decoded = model.decoder(model.post_quant_conv(latents.unsqueeze(2))).squeeze(2)
        assert torch.equal(decoded.clamp(-1, 1), model.decode(latents.unsqueeze(2)).sample.squeeze(2))
    write_reference(f"{name}_vae.safetensors", dict(image=image, moments=moments, latents=latents, decoded=decoded))
    print(name, "moments std", moments.std().item(), "decoded std", decoded.std().item())


def padded(ids, tokens=TOKENS):
    real = [1] * len(ids) + [0] * (tokens - len(ids))
    return torch.tensor([ids + [0] * (tokens - len(ids))]), torch.tensor([real])


def read_prompts(tokenizer, unigram, text):
    """Of each prompt: Qwen3's ids and states, and T5's ids, as the pipeline has them."""
    rows = []
    for prompt in PROMPTS:
        ids = tokenizer.encode(prompt).ids
        mask = torch.ones(1, max(1, len(ids))).long() * bool(ids)
        with torch.no_grad():
            states = text(input_ids=torch.tensor([ids or [0]]), attention_mask=mask).last_hidden_state
        rows.append((ids, torch.nan_to_num(states) * mask.unsqueeze(-1), mask, unigram.encode(prompt) + [T5_END]))
    return rows


def text_reference(tokenizer, unigram, text, conditioner):
    rows, out = read_prompts(tokenizer, unigram, text), {}

    def contexts(model):
        return torch.cat([model(states, torch.tensor([t5]), torch.ones(1, len(t5)), mask)
                          for _, states, mask, t5 in rows])

    with torch.no_grad():
        context = contexts(conditioner)
    assert context.isfinite().all()
    for i, (ids, _, _, t5) in enumerate(rows):
        out |= {f"te1.{i}": torch.tensor(ids or [0]).int(), f"te2.{i}": torch.tensor(t5).int(),
                f"context.{i}": context[i, :32]}
    wrapped, named = adapt(conditioner, TEXT_TARGETS, False, 7303)
    target = torch.zeros_like(context)
    target[:, :32] = normal(len(rows), 32, context.shape[2], seed=7304)
    loss = torch.nn.functional.mse_loss(contexts(wrapped), target)
    loss.backward()
    named = {k.replace("unet.", "text_encoder_2."): v for k, v in named.items()}
    out |= {"target": target[:, :32], "loss": loss}
    write_reference("anima_text.safetensors", out | with_gradients(named), rank=RANK, alpha=ALPHA)
    wrapped.unload()


def make_text(folder):
    tokenizer = train_tokenizer(folder / "tokenizer")
    (folder / "t5_tokenizer").mkdir(exist_ok=True)
    (folder / "t5_tokenizer" / "spiece.model.same").write_text("../../pixart/tokenizer/spiece.model\n")
    unigram = sentencepiece.SentencePieceProcessor(model_file=str(MODELS / "pixart" / "tokenizer" / "spiece.model"))
    config = dict(vocab_size=tokenizer.get_vocab_size(), hidden_size=40, intermediate_size=72, num_hidden_layers=3,
                  num_attention_heads=4, num_key_value_heads=2, head_dim=8, rms_norm_eps=1e-6, rope_theta=1000000.0,
                  tie_word_embeddings=True, attention_bias=False, max_position_embeddings=1024, hidden_act="silu")
    torch.manual_seed(731)
    text = unsettle(Qwen3Model(Qwen3Config(**config)), 731, torch.float16)
    write_numpy(folder / "text_encoder" / "model.safetensors", tensors_of(text, torch.float16), torch.float16,
                {"format": "pt"})
    (folder / "text_encoder" / "config.json").write_text(
        json.dumps({"architectures": ["Qwen3Model"], "model_type": "qwen3", **config}, indent=1) + "\n")
    config = conditioner_config(40, 24, 32, 2, 2, unigram.get_piece_size() + 8, 2.0)
    conditioner = make(AnimaTextConditioner, config, 732, torch.float16)
    write_part(folder / "text_conditioner", conditioner, {"_class_name": "AnimaTextConditioner", **config},
               "diffusion_pytorch_model")
    text_reference(tokenizer, unigram, text, conditioner)


def make_folder():
    folder = MODELS / "anima"
    config = transformer_config(3, 16, 3, 4, 24)
    transformer = make(CosmosTransformer3DModel, config, 730, torch.float16)
    write_part(folder / "transformer", transformer, {"_class_name": "CosmosTransformer3DModel", **config},
               "diffusion_pytorch_model")
    make_text(folder)
    vae = vae_config(8, 4, [1, 2, 2], 1, [False, True])
    model = make(AutoencoderKLQwenImage, vae, 733, torch.float16)
    write_part(folder / "vae", model, {"_class_name": "AutoencoderKLQwenImage", **vae}, "diffusion_pytorch_model")
    vae_references("anima", model, vae, 7330)
    write_pipeline(folder, {"shift": 3.0, "use_dynamic_shifting": False}, {
        "_class_name": "AnimaModularPipeline", "scheduler": ["diffusers", "FlowMatchEulerDiscreteScheduler"],
        "t5_tokenizer": ["transformers", "T5TokenizerFast"], "text_conditioner": ["diffusers", "AnimaTextConditioner"],
        "text_encoder": ["transformers", "Qwen3Model"], "tokenizer": ["transformers", "Qwen2Tokenizer"],
        "transformer": ["diffusers", "CosmosTransformer3DModel"], "vae": ["diffusers", "AutoencoderKLQwenImage"]})
    write_references("anima", transformer, config, (6, 8), 9, 7300)


def make_files():
    config = transformer_config(5, 12, 2, 6, 20, mlp_ratio=2.5, rope_scale=[2.0, 3.0, 1.0])
    text, vae = conditioner_config(16, 20, 20, 1, 1, 48, 3.0), vae_config(6, 6, [1, 2], 2, [True])
    model = make(CosmosTransformer3DModel, config, 740, torch.float16)
    conditioner = make(AnimaTextConditioner, text, 741, torch.float16)
    autoencoder = make(AutoencoderKLQwenImage, vae, 742, torch.float16)
    arrays = {"net." + original_transformer(k): v for k, v in tensors_of(model, torch.float16).items()}
    arrays |= {"net.llm_adapter." + k: v for k, v in tensors_of(conditioner, torch.float16).items()}
    arrays |= {"first_stage_model." + original_vae(k, vae["num_res_blocks"] + 2): v
               for k, v in tensors_of(autoencoder, torch.float16).items()}
    arrays["net.pos_embedder.seq"] = arrays["net.t_embedding_norm.weight"].copy()
    configs = {"unet": {"_class_name": "CosmosTransformer3DModel", **config},
               "te2": {"_class_name": "AnimaTextConditioner", **text},
               "vae": {"_class_name": "AutoencoderKLQwenImage", **vae}}
    write_numpy(MODELS / "anima_base.safetensors", arrays, torch.float16, {"mantissa.config": json.dumps(configs)})
    write_references("anima_base", model, config, (10, 4), 16, 7400)
    vae_references("anima_base", autoencoder, vae, 7420)
    config = transformer_config(2, 20, 1, 8, 28, mlp_ratio=2.0, concat_padding_mask=False)
    model = make(CosmosTransformer3DModel, config, 750, torch.bfloat16)
    write_numpy(MODELS / "anima_bare.safetensors", tensors_of(model, torch.bfloat16), torch.bfloat16)
    write_references("anima_bare", model, config, (2, 6), 3, 7500)


def write_keys():
    released = dict(heads=16, head_dim=128, layers=28, channels=16, text=1024)
    rows = ["# part, diffusers name<TAB>shape; of each stack of blocks the first"]
    with torch.device("meta"):
        parts = {"unet": CosmosTransformer3DModel(**(transformer_config(**released) | {"adaln_lora_dim": 256})),
                 "te2": AnimaTextConditioner(), "vae": AutoencoderKLQwenImage()}
    for part, model in parts.items():
        rows += key_rows(model, STACKS, f"{part}.")
    (HERE / "keys" / "anima.tsv").write_text("\n".join(rows) + "\n")


def main():
    make_folder()
    make_files()
    write_keys()


if __name__ == "__main__":
    main()
