"""Writes two tiny SDXL models with every unusual option of diffusers and transformers configs, as
saved by them.

    python tests/golden/make_unusual.py        needs torch, diffusers, transformers 5, safetensors

  models/d/   Saved by save_pretrained with variant="fp16" and in shards: files *.fp16-00001-of-0000n.safetensors and
              index.fp16.json. UNet like SSD-1B's: nested transformer_layers_per_block with 0, an
              asymmetric up half (reverse_transformer_layers_per_block), UNetMidBlock2D, lists for
              cross_attention_dim and sample_size. VAE without quant_conv and post_quant_conv, with
              latents_mean and latents_std. CLIPTextModel without the level text_model,
              CLIPTextModelWithProjection with it. Tokenizers as tokenizer.json alone.
  models/e/   A UNet alone with mid_block_type null and a depth of 0.
  reference/d.safetensors, e.safetensors   as make_models.py; d: also vae.normalised, the latents as StableDiffusionXL's
              pipelines scale them. d_tokens.json as b_tokens.json.

Each config.json is written by the library, so that every field it writes is tested.
"""

import json
import pathlib
import shutil
import sys

import torch
from diffusers import AutoencoderKL, DDPMScheduler, UNet2DConditionModel
from transformers import CLIPTextModel, CLIPTextModelWithProjection, CLIPTokenizer

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import make_models as mm  # noqa: E402

MEAN, STD = [-1.57, 0.25, 1.2, -0.5], [8.4, 5.9, 4.3, 5.1]
PROMPTS = ["a photo of a cat", "the red ring, IN 2024: naïve café 👍", ""]


def unet_d():
    config = mm.unet_config((8, 16, 32), (False, True, True), [1, [0, 2], [1, 2]], [1, 2, 2], 2, 48, 24, 16, 16, 4)
    return config | dict(reverse_transformer_layers_per_block=[[2, 0, 1], [1, 1, 0], 1], mid_block_type="UNetMidBlock2D",
                         cross_attention_dim=[32, 48, 48], sample_size=[16, 12])


def save(model, folder, **kwargs):
    model.half().save_pretrained(folder, **kwargs)
    model.double()
    for path in folder.glob("*.safetensors"):
        mm.drawn.pack(path)


def main():
    half = torch.float16
    folder = mm.MODELS / "d"
    shutil.rmtree(folder, ignore_errors=True)
    vocab = len(mm.small_tokenizer()[0])
    parts = {
        "unet": mm.unsettle(UNet2DConditionModel(**unet_d()), 700, half),
        "vae": mm.unsettle(AutoencoderKL(**mm.vae_config((8, 16, 16), 2, 64, 4), use_quant_conv=False,
                                         use_post_quant_conv=False, latents_mean=MEAN, latents_std=STD), 701, half),
        "text_encoder": mm.unsettle(CLIPTextModel(mm.clip_config(16, 4, 2, "quick_gelu", vocab, vocab - 1, 16)), 702,
                                    half),
        "text_encoder_2": mm.unsettle(CLIPTextModelWithProjection(mm.clip_config(32, 3, 2, "gelu", vocab, 0, 24)), 703,
                                      half)}
    for name, part in parts.items():
        size = 2 * sum(p.numel() for p in part.parameters())
        save(part, folder / name, variant="fp16" if name != "text_encoder_2" else None,
             max_shard_size=size // 2 if name != "text_encoder" else "5GB")
    scheduler = DDPMScheduler(**(mm.BETAS | dict(num_train_timesteps=800, steps_offset=1)))
    scheduler.save_pretrained(folder / "scheduler")
    rows = {}
    for name, te, pad in (("tokenizer", "te1", "<|endoftext|>"), ("tokenizer_2", "te2", "!")):
        made = CLIPTokenizer.from_pretrained(mm.MODELS / "b" / name, pad_token=pad, model_max_length=77)
        made.save_pretrained(folder / name)
        made = CLIPTokenizer.from_pretrained(folder / name)
        rows[te] = made(PROMPTS, padding="max_length", max_length=77, truncation=True).input_ids
    (mm.REFERENCE / "d_tokens.json").write_text(json.dumps({"prompts": PROMPTS, **rows}, ensure_ascii=False) + "\n",
                                                encoding="utf-8")
    references(parts, rows)
    flat()


def unet_references(unet, inputs):
    steps = torch.tensor([999.0, 0.0, 500.0][: len(inputs["timesteps"])]).double()
    return {f"unet.{k}": v for k, v in inputs.items()} | {
        "unet.prediction": mm.forward(unet, **inputs), "unet.integer_timesteps": steps,
        "unet.prediction_integer_steps": mm.forward(unet, **{**inputs, "timesteps": steps})}


def inputs_for(context, pooled, seed):
    rows = [[128, 160, 0, 0, 128, 160], [900, 1200, 16, 40, 512, 768]]
    return dict(latents=mm.normal(2, 4, 8, 12, seed=seed), timesteps=torch.tensor([17.0, 640.0]).double(),
                context=mm.normal(2, 9, context, seed=seed + 1), pooled=mm.normal(2, pooled, seed=seed + 2),
                time_ids=torch.tensor(rows).double())


def references(parts, rows):
    out = unet_references(parts["unet"], inputs_for(48, 24, 7000))
    vae, te1, te2 = parts["vae"], parts["text_encoder"], parts["text_encoder_2"]
    image = torch.tanh(mm.normal(1, 3, 32, 48, seed=7100))
    moments = vae._encode(image)
    latents = mm.normal(1, 4, *moments.shape[2:], seed=7101)
    mean, std = (torch.tensor(v).double().view(1, 4, 1, 1) for v in (MEAN, STD))
    out |= {"vae.image": image, "vae.moments": moments, "vae.latents": latents,
            "vae.decoded": vae.decode(latents).sample,
            "vae.normalised": (latents - mean) * vae.config.scaling_factor / std}
    ids1, ids2 = (torch.tensor(rows[te], dtype=torch.int32) for te in ("te1", "te2"))
    hidden1 = te1(ids1.long(), output_hidden_states=True).hidden_states[-2]
    second = te2(ids2.long(), output_hidden_states=True)
    out |= {"te1.ids": ids1, "te2.ids": ids2, "te1.hidden": hidden1, "te2.hidden": second.hidden_states[-2],
            "te2.pooled": second.text_embeds}
    mm.write_reference("d.safetensors", out)


def flat():
    config = mm.unet_config((8, 16), (True, True), [1, 0], [2, 2], 1, 24, 16, 8, 8, 4) | dict(mid_block_type=None)
    unet = mm.unsettle(UNet2DConditionModel(**config), 710, torch.float16)
    shutil.rmtree(mm.MODELS / "e", ignore_errors=True)
    save(unet, mm.MODELS / "e" / "unet")
    mm.write_reference("e.safetensors", unet_references(unet, inputs_for(24, 16, 7200)))


if __name__ == "__main__":
    main()
