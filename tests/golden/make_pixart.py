"""Writes the tiny PixArt models, the tiny T5 and their reference values.

    python tests/golden/make_pixart.py     needs torch, diffusers, transformers, peft, sentencepiece

As in make_models.py: seeded, float64 from the stored weights, written as F32.

Models, tests/golden/models/
  pixart/                   diffusers folder, F16: a PixArt-alpha-1024 (conditioned on resolution
  and aspect ratio) of
                            width 24 (2 heads of 12), 2 blocks; T5 of width 32 with 3 heads of 8; VAE 8,16,16;
                            tokenizer/spiece.model with 96 pieces.
  pixart_sigma.safetensors  PixArt-Sigma of width 32 (4 heads of 8), the transformer alone in its authors'
                            naming, F16, `mantissa.config` metadata.

References, tests/golden/reference/
  pixart.safetensors
    t5.ids [3,40] I32   t5.hidden [3,40,32]
    latents [2,4,8,12]  timesteps [2]  text [2,40,32]  text_ids [2,40] I32 (where the masks come from)
    sizes [2,3] (height, width, height/width)  prediction [2,8,8,12]
    training: noise target loss, adapter.<tensor>, grad.<tensor>: LoRA on attention and feed-forward of the
    transformer (unet.) and of the T5 (text_encoder.), text from text_ids; prediction_lora
  pixart_sigma.safetensors  the same without sizes, T5 and training of it
  pixart_tokens.json        {"prompts": [...], "ids": [[...]]} of the tokenizer, without end and padding
"""

import io
import json

import numpy as np
import sentencepiece
import torch
from diffusers import AutoencoderKL, PixArtTransformer2DModel
from transformers import T5Config, T5EncoderModel

from make_models import (MODELS, REFERENCE, adapt, normal, tensors_of, unsettle, vae_config, write_numpy,
                         write_reference)

TOKENS = 40
LINEAR_BETAS = dict(beta_start=0.0001, beta_end=0.02, beta_schedule="linear", num_train_timesteps=1000)
PROMPTS = ["a photo of a red cat", "the blue dog sits, 2 birds fly: why?", "", "  Naïve   CAFÉ ring  "]
ATTENTION = ["to_q", "to_k", "to_v", "to_out.0"]
T5_TARGETS = ["q", "k", "v", "o", "wi_0", "wi_1", "wo"]


def train_tokenizer():
    sentences = ["a photo of a red cat", "the blue dog sits on the green grass", "two birds fly over the sea",
                 "a ring and a square in the red light", "why does the cat sit there", "café naïve 2 3 4 5"] * 20
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences), model_writer=model, vocab_size=96, model_type="unigram",
        pad_id=0, eos_id=1, unk_id=2, bos_id=-1, hard_vocab_limit=False, num_threads=1, minloglevel=2)
    folder = MODELS / "pixart" / "tokenizer"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spiece.model").write_bytes(model.getvalue())
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    ids = [processor.encode(p) for p in PROMPTS]
    (REFERENCE / "pixart_tokens.json").write_text(json.dumps({"prompts": PROMPTS, "ids": ids}, ensure_ascii=False)
                                                  + "\n", encoding="utf-8")
    return processor


def padded_ids(processor, prompts):
    rows = [processor.encode(p) + [1] for p in prompts]
    return torch.tensor([r + [0] * (TOKENS - len(r)) for r in rows], dtype=torch.int32)


def pixart_config(heads, dim, captions, sample_size, scale, additional):
    return dict(num_attention_heads=heads, attention_head_dim=dim, in_channels=4, out_channels=8, num_layers=2,
                cross_attention_dim=heads * dim, caption_channels=captions, sample_size=sample_size,
                interpolation_scale=scale, use_additional_conditions=additional, attention_bias=True, patch_size=2,
                activation_fn="gelu-approximate", norm_type="ada_norm_single", norm_elementwise_affine=False,
                norm_eps=1e-6)


def forward(model, latents, timesteps, text, mask, sizes):
    added = {"resolution": None, "aspect_ratio": None}
    if sizes is not None:
        added = {"resolution": sizes[:, :2], "aspect_ratio": sizes[:, 2:]}
    return model(latents, encoder_hidden_states=text, timestep=timesteps, added_cond_kwargs=added,
                 encoder_attention_mask=mask).sample


def mask_of(ids):
    return (ids != 0).double()


def original_names(arrays):
    """The authors' names, with q, k, v fused."""
    top = {"pos_embed.proj": "x_embedder.proj", "adaln_single.linear": "t_block.1", "proj_out": "final_layer.linear",
           "adaln_single.emb.timestep_embedder.linear_1": "t_embedder.mlp.0",
           "adaln_single.emb.timestep_embedder.linear_2": "t_embedder.mlp.2",
           "caption_projection.linear_1": "y_embedder.y_proj.fc1",
           "caption_projection.linear_2": "y_embedder.y_proj.fc2"}
    block = {"attn1.to_out.0": "attn.proj", "attn2.to_q": "cross_attn.q_linear", "attn2.to_out.0": "cross_attn.proj",
             "ff.net.0.proj": "mlp.fc1", "ff.net.2": "mlp.fc2"}
    out, fused = {}, {}
    for name, value in arrays.items():
        if name == "scale_shift_table":
            out["final_layer.scale_shift_table"] = value
        elif name.startswith("transformer_blocks."):
            head, tail = "blocks." + name.split(".")[1] + ".", name.split(".", 2)[2]
            module, _, kind = tail.rpartition(".")
            if module in ("attn1.to_q", "attn1.to_k", "attn1.to_v", "attn2.to_k", "attn2.to_v"):
                target = "attn.qkv" if module.startswith("attn1") else "cross_attn.kv_linear"
                fused.setdefault(f"{head}{target}.{kind}", {})[module[-1]] = value
            else:
                out[head + (f"{block[module]}.{kind}" if module else tail)] = value
        else:
            module, _, kind = name.rpartition(".")
            out[f"{top[module]}.{kind}"] = value
    for name, parts in fused.items():
        out[name] = np.concatenate([parts[k] for k in "qkv" if k in parts])
    width = arrays["pos_embed.proj.weight"].shape[0]
    out["pos_embed"] = np.zeros((1, 64, width), np.float16)
    out["y_embedder.y_embedding"] = np.zeros((TOKENS, 32), np.float16)
    return out


def write_part(folder, model, config, file):
    write_numpy(folder / f"{file}.safetensors",
                {k: v for k, v in tensors_of(model, torch.float16).items()
                 if k not in ("pos_embed.pos_embed", "encoder.embed_tokens.weight")},
                torch.float16, {"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")


def make_alpha():
    torch.manual_seed(400)
    config = pixart_config(2, 12, 32, 16, 2, True)
    transformer = unsettle(PixArtTransformer2DModel(**config), 400, torch.float16)
    text_config = dict(vocab_size=112, d_model=32, d_kv=8, num_heads=3, d_ff=48, num_layers=2,
                       feed_forward_proj="gated-gelu", relative_attention_num_buckets=32,
                       relative_attention_max_distance=128, layer_norm_epsilon=1e-6, pad_token_id=0, eos_token_id=1,
                       dropout_rate=0.0)
    text = unsettle(T5EncoderModel(T5Config(**text_config)), 401, torch.float16)
    vae = {**vae_config((8, 16, 16), 1, 64, 4), "scaling_factor": 0.18215}
    folder = MODELS / "pixart"
    write_part(folder / "transformer", transformer, {"_class_name": "PixArtTransformer2DModel", **config},
               "diffusion_pytorch_model")
    write_part(folder / "text_encoder", text, {"model_type": "t5", **text_config}, "model")
    write_part(folder / "vae", unsettle(AutoencoderKL(**vae), 402, torch.float16),
               {"_class_name": "AutoencoderKL", **vae}, "diffusion_pytorch_model")
    (folder / "scheduler").mkdir(exist_ok=True)
    scheduler = dict(_class_name="DPMSolverMultistepScheduler", **LINEAR_BETAS, prediction_type="epsilon",
                     timestep_spacing="linspace", steps_offset=0)
    (folder / "scheduler" / "scheduler_config.json").write_text(json.dumps(scheduler, indent=1) + "\n")
    return transformer, text


def make_sigma():
    torch.manual_seed(500)
    config = pixart_config(4, 8, 32, 16, 1, False)
    transformer = unsettle(PixArtTransformer2DModel(**config), 500, torch.float16)
    arrays = {k: v for k, v in tensors_of(transformer, torch.float16).items() if k != "pos_embed.pos_embed"}
    write_numpy(MODELS / "pixart_sigma.safetensors", original_names(arrays), torch.float16,
                {"mantissa.config": json.dumps({"unet": {"_class_name": "PixArtTransformer2DModel", **config}})})
    return transformer


def noised(latents, noise, timesteps):
    betas = torch.linspace(1e-4, 0.02, 1000, dtype=torch.float64)
    level = torch.cumprod(1 - betas, 0)[timesteps.long()].view(-1, 1, 1, 1)
    return level.sqrt() * latents + (1 - level).sqrt() * noise


def references(name, transformer, text_model, processor, sizes, seed):
    text_ids = padded_ids(processor, PROMPTS[:2])
    mask = mask_of(text_ids)
    inputs = dict(latents=normal(2, 4, 8, 12, seed=seed), timesteps=torch.tensor([17.0, 640.0]).double(),
                  text=normal(2, TOKENS, 32, seed=seed + 1))
    out = {**inputs, "text_ids": text_ids}
    if sizes is not None:
        out["sizes"] = sizes
    with torch.no_grad():
        out["prediction"] = forward(transformer, **inputs, mask=mask, sizes=sizes)
        if text_model is not None:
            ids = padded_ids(processor, PROMPTS[:3])
            out["t5.ids"] = ids
            out["t5.hidden"] = text_model(ids.long(), attention_mask=mask_of(ids)).last_hidden_state
    adapted, named = adapt("unet", transformer, ATTENTION + ["ff.net.0.proj", "ff.net.2"], 4, 2, 6, seed + 2)
    text = inputs["text"]
    if text_model is not None:
        adapted_text, named_text = adapt_t5(text_model, seed + 3)
        named |= named_text
        text = adapted_text(text_ids.long(), mask)
    noise = normal(2, 4, 8, 12, seed=seed + 4)
    predicted = forward(adapted, noised(inputs["latents"], noise, inputs["timesteps"]), inputs["timesteps"], text,
                        mask, sizes)[:, :4]
    loss = torch.nn.functional.mse_loss(predicted, noise)
    loss.backward()
    out |= dict(noise=noise, target=noise, loss=loss, prediction_lora=predicted)
    out |= {f"adapter.{k}": v for k, v in named.items()} | {f"grad.{k}": v.grad for k, v in named.items()}
    write_reference(f"{name}.safetensors", out, rank=4, conv_rank=2, alpha=6)
    print(name, "loss", loss.item(), "prediction std", out["prediction"].std().item())


def adapt_t5(model, seed):
    wrapped, named = adapt("text_model_t5", model, T5_TARGETS, 4, 2, 6, seed)
    named = {k.replace("text_model_t5.", "text_encoder."): v for k, v in named.items()}
    return (lambda ids, mask: wrapped.base_model.model(ids, attention_mask=mask).last_hidden_state), named


def main():
    REFERENCE.mkdir(parents=True, exist_ok=True)
    processor = train_tokenizer()
    sizes = torch.tensor([[1024.0, 1024.0, 1.0], [832.0, 1216.0, 832 / 1216]]).double()
    transformer, text = make_alpha()
    references("pixart", transformer, text, processor, sizes, 8000)
    references("pixart_sigma", make_sigma(), None, processor, None, 9000)


if __name__ == "__main__":
    main()
