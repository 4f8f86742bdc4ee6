"""Writes a tiny SD 1.5 and reference values for the engine's tests.

    python tests/golden/make_sd15.py        needs torch, diffusers, transformers, peft, safetensors

Everything is seeded and computed in float64 from the stored F16 weights, as in make_models.py.

  models/sd15.safetensors   LDM single file (cond_stage_model.transformer., 1x1 convolutions as
                            projections, mantissa.config). UNet widths 8,16,32,32 with transformers
                            on all levels but the last, 2 heads, 1 layer per level; VAE 8,16; one
                            CLIP text encoder of 16, 3 layers.
  reference/sd15.safetensors
    unet.latents [2,4,16,8] unet.timesteps [2] unet.context [2,77,16] unet.prediction
    te.ids [3,77] I32; te.hidden: last hidden state with final norm; te.skip2: the one before it, normed
    vae.image [1,3,16,24] vae.moments, vae.latents, vae.decoded
    long.ids [1,3,77], long.hidden [1,227,16]: three pieces rejoined by kohya's rule
    lora.*: one forward and backward of a LoRA on attention, as in make_models.py
"""

import pathlib
import sys

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import make_models as mm  # noqa: E402
import ldm_names  # noqa: E402
from diffusers import AutoencoderKL, UNet2DConditionModel  # noqa: E402
from transformers import CLIPTextModel  # noqa: E402


def forward(unet, latents, timesteps, context):
    return unet(latents, timesteps, encoder_hidden_states=context).sample


def make_parts(seed, unet, vae, text, storage):
    """UNet, VAE and text encoder of these configurations, and the configurations for the file."""
    torch.manual_seed(seed)
    parts = {"unet": mm.unsettle(UNet2DConditionModel(**unet), seed, storage),
             "vae": mm.unsettle(AutoencoderKL(**vae), seed + 1, storage),
             "te1": mm.unsettle(CLIPTextModel(text), seed + 2, storage)}
    return parts, {"unet": {"_class_name": "UNet2DConditionModel", **unet},
                   "vae": {"_class_name": "AutoencoderKL", **vae}, "te1": mm.clip_json(text, "CLIPTextModel")}


def tiny():
    """The parts of sd15.safetensors and their configurations."""
    unet = dict(sample_size=16, in_channels=4, out_channels=4, block_out_channels=(8, 16, 32, 32),
                down_block_types=["CrossAttnDownBlock2D"] * 3 + ["DownBlock2D"],
                up_block_types=["UpBlock2D"] + ["CrossAttnUpBlock2D"] * 3, layers_per_block=1,
                attention_head_dim=2, cross_attention_dim=16, norm_num_groups=4, flip_sin_to_cos=True,
                freq_shift=0)
    vae = {**mm.vae_config((8, 16), 1, 16, 4), "scaling_factor": 0.18215}
    text = mm.clip_config(16, 3, 2, "quick_gelu", 100, 99, 16)
    return make_parts(400, unet, vae, text, torch.float16)


def main():
    half = torch.float16
    parts, configs = tiny()

    arrays = ldm_names.unet(mm.tensors_of(parts["unet"], half), 1, [True, True, True, False])
    arrays |= ldm_names.vae(mm.tensors_of(parts["vae"], half), 2)
    arrays |= {"cond_stage_model.transformer." + k: v for k, v in mm.tensors_of(parts["te1"], half).items()}
    import json
    mm.write_numpy(mm.MODELS / "sd15.safetensors", arrays, half, {"mantissa.config": json.dumps(configs)})

    out = {"unet.latents": mm.normal(2, 4, 16, 8, seed=4100), "unet.timesteps": torch.tensor([17.0, 640.0]).double(),
           "unet.context": mm.normal(2, 77, 16, seed=4101)}
    out["unet.prediction"] = forward(parts["unet"], out["unet.latents"], out["unet.timesteps"], out["unet.context"])
    image = torch.tanh(mm.normal(1, 3, 16, 24, seed=4102))
    latents = mm.normal(1, 4, 8, 12, seed=4103)
    out |= {"vae.image": image, "vae.moments": parts["vae"]._encode(image), "vae.latents": latents,
            "vae.decoded": parts["vae"].decode(latents).sample}

    te = parts["te1"]
    norm = (te.text_model if hasattr(te, "text_model") else te).final_layer_norm
    ids = mm.padded([[5, 17, 3, 42], list(range(1, 76)), []], 100, 99)
    states = te(ids.long(), output_hidden_states=True)
    out |= {"te.ids": ids, "te.hidden": states.last_hidden_state, "te.skip2": norm(states.hidden_states[-2])}

    words = [(7 * i) % 97 for i in range(170)]
    inner = words + [99] * (225 - len(words))
    pieces = torch.tensor([[98] + inner[i:i + 75] + [99] for i in (0, 75, 150)], dtype=torch.int32)
    hidden = te(pieces.long()).last_hidden_state
    out |= {"long.ids": pieces[None], "long.hidden": torch.cat(
        [hidden[0, :1]] + [h[1:76] for h in hidden] + [hidden[2, 76:]])[None]}

    unet_lora, named = mm.adapt("unet", parts["unet"], mm.ATTENTION, 4, 2, 6, 5000)
    noise, steps = mm.normal(2, 4, 16, 8, seed=4104), torch.tensor([17.0, 640.0]).double()
    noisy, target = mm.noised(out["unet.latents"], noise, steps, "epsilon")
    predicted = forward(unet_lora, noisy, steps, out["unet.context"])
    loss = torch.nn.functional.mse_loss(predicted, target)
    loss.backward()
    lora = dict(latents=out["unet.latents"], noise=noise, timesteps=steps, context=out["unet.context"],
                target=target, prediction=predicted, loss=loss)
    lora |= {f"adapter.{k}": v for k, v in named.items()} | {f"grad.{k}": v.grad for k, v in named.items()}
    mm.write_reference("sd15_lora_attention.safetensors", lora, rank=4, conv_rank=2, alpha=6, prediction="epsilon")
    mm.write_reference("sd15.safetensors", out)


if __name__ == "__main__":
    main()
