"""Makes resources/demo/mini-sdxl.safetensors, the demo's base model: SDXL's architecture, very small.

    bash packaging/fetch_vocab.sh build/share/mantissa/bpe_simple_vocab_16e6.txt.gz
    python resources/demo/make_mini_base.py          torch, diffusers, transformers, tokenizers, Pillow

One LDM-named file in F16 with the parts' configs as `mantissa.config` metadata. Everything starts from
seeds. The VAE learns to code the drawn scenes of scenes.py, then the UNet is shown the plain ones
(with captions through the seeded, frozen text encoders), a few minutes of one core each; the prints
of the demo's own images are kept from the UNet, so that there is something for the LoRA to teach.
Options: --vae-steps N --unet-steps N --keep FILE (state to continue from) --preview FILE.png
"""

import argparse
import gzip
import json
import math
import pathlib
import random
import sys
import time

import numpy as np
import torch
from diffusers import AutoencoderKL, EulerDiscreteScheduler, UNet2DConditionModel
from PIL import Image
from safetensors.torch import save_file
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection

import ldm_names
import scenes

HERE = pathlib.Path(__file__).resolve().parent
SCALE = 0.13025
SEED = 20240607

UNET = dict(sample_size=32, in_channels=4, out_channels=4, block_out_channels=[32, 48, 48],
            down_block_types=["DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"],
            up_block_types=["CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"],
            layers_per_block=1, transformer_layers_per_block=[1, 1, 2], attention_head_dim=[1, 3, 3],
            cross_attention_dim=32, norm_num_groups=8, use_linear_projection=True,
            addition_embed_type="text_time", addition_time_embed_dim=32,
            projection_class_embeddings_input_dim=16 + 6 * 32, flip_sin_to_cos=True, freq_shift=0)
VAE = dict(in_channels=3, out_channels=3, latent_channels=4, block_out_channels=[16, 24, 32],
           down_block_types=["DownEncoderBlock2D"] * 3, up_block_types=["UpDecoderBlock2D"] * 3,
           layers_per_block=1, norm_num_groups=8, sample_size=128, scaling_factor=SCALE)
CLIP = dict(vocab_size=49408, hidden_size=16, intermediate_size=64, num_attention_heads=2,
            num_hidden_layers=3, max_position_embeddings=77, projection_dim=16, layer_norm_eps=1e-5,
            bos_token_id=49406, eos_token_id=49407)
TE1 = dict(CLIP, hidden_act="quick_gelu", pad_token_id=49407)
TE2 = dict(CLIP, hidden_act="gelu", pad_token_id=0)


def tokenizer(path=HERE.parent.parent / "build/share/mantissa/bpe_simple_vocab_16e6.txt.gz"):
    """CLIP's tokenizer from the merges table (see packaging/fetch_vocab.sh)."""
    lines = gzip.open(path, "rt", encoding="utf-8").read().split("\n")[1:48895]
    printable = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    symbols = [chr(b) for b in printable] + [chr(256 + i) for i in range(256 - len(printable))]
    words = symbols + [s + "</w>" for s in symbols] + [m.replace(" ", "") for m in lines]
    words += ["<|startoftext|>", "<|endoftext|>"]
    clip = Tokenizer(models.BPE(vocab={w: i for i, w in enumerate(words)},
                                merges=[tuple(m.split(" ")) for m in lines], end_of_word_suffix="</w>"))
    clip.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    clip.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"),
                              behavior="removed", invert=True),
         pre_tokenizers.ByteLevel(add_prefix_space=False)])

    def ids(texts, pad):
        rows = [[49406] + clip.encode(t).ids[:75] + [49407] for t in texts]
        return torch.tensor([r + [pad] * (77 - len(r)) for r in rows])

    return ids


def text_encoders():
    """Seeded, never trained: wide embeddings keep words apart, the file's rounding is theirs from the start."""
    torch.manual_seed(SEED)
    te1, te2 = CLIPTextModel(CLIPTextConfig(**TE1)), CLIPTextModelWithProjection(CLIPTextConfig(**TE2))
    for model in (te1, te2):
        for name, p in model.named_parameters():
            if "token_embedding" in name:
                p.data = torch.round(torch.randn_like(p) * 4) / 4
            elif "position_embedding" in name:
                p.data = torch.randn_like(p) * 0.5
            elif p.ndim == 2:
                p.data = torch.randn_like(p) * 0.7 / math.sqrt(p.shape[1])
            p.data = p.data.half().float()
        model.eval().requires_grad_(False)
    return te1, te2


def encode_text(ids, te1, te2, texts):
    hidden1 = te1(ids(texts, 49407), output_hidden_states=True).hidden_states[-2]
    out = te2(ids(texts, 0), output_hidden_states=True)
    return torch.cat([hidden1, out.hidden_states[-2]], dim=-1), out.text_embeds


def pixels(image):
    return torch.from_numpy(np.asarray(image, dtype=np.float32)).permute(2, 0, 1) / 127.5 - 1


def train_vae(vae, steps):
    rng, started = random.Random(SEED), time.time()
    optimizer = torch.optim.AdamW(vae.parameters(), lr=3e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=steps)
    for step in range(steps):
        batch = []
        for _ in range(6):
            draw = scenes.plain_scene if rng.random() < 0.5 else scenes.print_scene
            image = pixels(draw(rng, 96, 96)[0])
            top, left = rng.randrange(33), rng.randrange(33)
            batch.append(image[:, top : top + 64, left : left + 64])
        batch = torch.stack(batch)
        posterior = vae.encode(batch).latent_dist
        decoded = vae.decode(posterior.sample()).sample
        edges = sum((torch.diff(decoded, dim=d) - torch.diff(batch, dim=d)).abs().mean() for d in (2, 3))
        loss = (decoded - batch).abs().mean() + 0.5 * edges + 2e-5 * posterior.kl().mean() / 256
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(vae.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 50 == 0 or step == steps - 1:
            print(f"vae {step} loss {loss.item():.4f} {time.time() - started:.0f} s", flush=True)


def settle_scale(vae):
    """Rescales so that latents times 0.13025 have unit variance, as SDXL's do; the images stay."""
    rng = random.Random(SEED + 1)
    batch = torch.stack([pixels(scenes.plain_scene(rng, 128, 128)[0]) for _ in range(8)]
                        + [pixels(scenes.print_scene(rng, 128, 128)[0]) for _ in range(4)])
    with torch.no_grad():
        mean = vae.encode(batch).latent_dist.mean
        shift = mean.mean(dim=(0, 2, 3))
        gain = 1 / (SCALE * mean.std(dim=(0, 2, 3)))
        quant, post = vae.quant_conv, vae.post_quant_conv
        # new z = gain * (z - shift), in the mean's rows; the log variance follows by 2 log gain
        quant.weight[:4] *= gain.view(4, 1, 1, 1)
        quant.bias[:4] = (quant.bias[:4] - shift) * gain
        quant.bias[4:] += 2 * gain.log()
        post.bias += (post.weight[:, :, 0, 0] @ shift)
        post.weight /= gain.view(1, 4, 1, 1)


def round_to_file(model):
    for p in model.parameters():
        p.data = p.data.half().float()
    return model.eval().requires_grad_(False)


def train_unet(unet, vae, ids, te1, te2, steps):
    rng, started = random.Random(SEED + 2), time.time()
    sizes = [(128, 128)] * 3 + [(160, 96), (96, 160)]
    pool = {size: [] for size in set(sizes)}  # drawn and encoded once, then shown many times
    with torch.no_grad():
        for size in sorted(pool):
            for _ in range(5):
                drawn = [scenes.plain_scene(rng, *size) for _ in range(24 if size == (128, 128) else 12)]
                latents = vae.encode(torch.stack([pixels(i) for i, _ in drawn])).latent_dist.mean * SCALE
                pool[size] += list(zip(latents, [caption for _, caption in drawn]))
        captions = sorted({c for group in pool.values() for _, c in group} | {""})
        context, pooled = encode_text(ids, te1, te2, captions)
    place = {c: i for i, c in enumerate(captions)}
    print(f"pool ready {time.time() - started:.0f} s", flush=True)
    levels = torch.cumprod(1 - torch.linspace(0.00085**0.5, 0.012**0.5, 1000, dtype=torch.float64) ** 2, 0).float()
    optimizer = torch.optim.AdamW(unet.parameters(), lr=2e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-3, total_steps=steps)
    average = {k: v.clone() for k, v in unet.state_dict().items()}
    torch.manual_seed(SEED + 3)
    running = 1.0
    for step in range(steps):
        width, height = rng.choice(sizes)
        chosen = [rng.choice(pool[width, height]) for _ in range(8)]
        latents = torch.stack([z for z, _ in chosen])
        rows = [place["" if rng.random() < 0.1 else c] for _, c in chosen]
        t, noise = torch.randint(0, 1000, (8,)), torch.randn_like(latents)
        level = levels[t].view(-1, 1, 1, 1)
        time_ids = torch.tensor([[height, width, 0, 0, height, width]] * 8).float()
        predicted = unet(level.sqrt() * latents + (1 - level).sqrt() * noise, t, context[rows],
                         added_cond_kwargs={"text_embeds": pooled[rows], "time_ids": time_ids}).sample
        loss = torch.nn.functional.mse_loss(predicted, noise)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(unet.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        decay = min(0.99, step / (step + 20))
        for name, value in unet.state_dict().items():
            average[name].lerp_(value, 1 - decay)
        running += 0.02 * (loss.item() - running)
        if step % 50 == 0 or step == steps - 1:
            print(f"unet {step} loss {running:.4f} {time.time() - started:.0f} s", flush=True)
    unet.load_state_dict(average)


def write(parts):
    configs = {"unet": {"_class_name": "UNet2DConditionModel", **UNET}, "vae": {"_class_name": "AutoencoderKL", **VAE},
               "te1": {"architectures": ["CLIPTextModel"], "model_type": "clip_text_model", **TE1},
               "te2": {"architectures": ["CLIPTextModelWithProjection"], "model_type": "clip_text_model", **TE2}}
    arrays = {name: {("" if name != "te1" or k.startswith("text_model.") else "text_model.") + k: v.half().numpy()
                     for k, v in part.state_dict().items()} for name, part in parts.items()}
    tensors = ldm_names.unet(arrays["unet"], UNET["layers_per_block"], [False, True, True])
    tensors |= ldm_names.vae(arrays["vae"], 3) | ldm_names.te1(arrays["te1"]) | ldm_names.te2(arrays["te2"])
    path = HERE / "mini-sdxl.safetensors"
    save_file({k: torch.from_numpy(np.ascontiguousarray(v).reshape(v.shape)) for k, v in sorted(tensors.items())}, path,
              metadata={"mantissa.config": json.dumps(configs), "modelspec.title": "Mantissa mini SDXL (demo base)",
                        "modelspec.architecture": "stable-diffusion-xl-v1-base", "modelspec.prediction_type": "epsilon"})
    path.chmod(0o644)
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, {len(tensors)} tensors")


def preview(path, parts, ids):
    texts = ["a red ball on grass, blue sky", "a white house on sand, night sky", "a green tree on snow, evening sky",
             "a yellow star on grass, night sky"]
    rng = random.Random(3)
    sheet = Image.new("RGB", (4 * 132, 3 * 132))
    unet, vae = parts["unet"], parts["vae"]
    context, pooled = encode_text(ids, parts["te1"], parts["te2"], [""] * 4 + texts)
    scheduler = EulerDiscreteScheduler(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear",
                                       timestep_spacing="leading", steps_offset=1)
    scheduler.set_timesteps(20)
    z = torch.randn(4, 4, 32, 32, generator=torch.Generator().manual_seed(5)) * scheduler.init_noise_sigma
    time_ids = torch.tensor([[128, 128, 0, 0, 128, 128]] * 8).float()
    for t in scheduler.timesteps:
        pair = scheduler.scale_model_input(torch.cat([z, z]), t)
        a, b = unet(pair, t, context, added_cond_kwargs={"text_embeds": pooled, "time_ids": time_ids}).sample.chunk(2)
        z = scheduler.step(a + 4.0 * (b - a), t, z, return_dict=False)[0]
    real = torch.stack([pixels(f(rng, 128, 128)[0]) for f in (scenes.plain_scene, scenes.print_scene) * 2])
    coded = vae.decode(vae.encode(real).latent_dist.mean).sample
    for row, images in enumerate((real, coded, vae.decode(z / SCALE).sample)):
        for column, image in enumerate(images):
            array = ((image.clamp(-1, 1) + 1) * 127.5).byte().permute(1, 2, 0).numpy()
            sheet.paste(Image.fromarray(array), (132 * column, 132 * row))
    sheet.save(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vae-steps", type=int, default=1000)
    parser.add_argument("--unet-steps", type=int, default=1500)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--preview", type=pathlib.Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    ids, (te1, te2) = tokenizer(), text_encoders()
    torch.manual_seed(SEED + 4)
    vae, unet = AutoencoderKL(**VAE), UNet2DConditionModel(**UNET)
    print(f"parameters: unet {unet.num_parameters():,} vae {vae.num_parameters():,}")
    if options.keep and options.keep.exists():
        vae.load_state_dict(torch.load(options.keep))
    else:
        train_vae(vae, options.vae_steps)
        settle_scale(vae)
        if options.keep:
            torch.save(vae.state_dict(), options.keep)
    round_to_file(vae)
    torch.manual_seed(SEED + 5)
    train_unet(unet, vae, ids, te1, te2, options.unet_steps)
    round_to_file(unet)
    parts = {"unet": unet, "vae": vae, "te1": te1, "te2": te2}
    write(parts)
    if options.preview:
        with torch.no_grad():
            preview(options.preview, parts, ids)


if __name__ == "__main__":
    sys.exit(main())
