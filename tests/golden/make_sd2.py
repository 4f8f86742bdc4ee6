"""Writes a tiny SD 2.x and reference values for the engine's tests.

    python tests/golden/make_sd2.py        needs torch, diffusers, transformers, safetensors

Everything is seeded and computed in float64 from the stored F16 weights, as in make_models.py.

  models/sd2.safetensors   LDM single file (cond_stage_model.model. in OpenCLIP's names, linear layers as
                           projections, mantissa.config). UNet widths 8,16,16 with transformers on
                           all levels but the last and heads of 8, 1 layer per level; VAE 8,16; a
                           text encoder of 8 with OpenCLIP's 24 layers and its exact GELU.
  reference/sd2.safetensors
    unet.latents [2,4,16,8] unet.timesteps [2] unet.context [2,77,8] unet.prediction (of v)
    te.ids [3,77] I32; te.hidden: the 24th layer's input, with the final norm, which is also the
    output of diffusers' 23 layers; te.last: the 24th layer's output, normed
"""

import json
import pathlib
import sys

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import make_models as mm  # noqa: E402
import ldm_names  # noqa: E402
from make_sd15 import make_parts  # noqa: E402

SD2_TEXT = "cond_stage_model.model."


def main():
    half = torch.float16
    attention = [True, True, False]
    unet = dict(sample_size=16, in_channels=4, out_channels=4, block_out_channels=(8, 16, 16),
                down_block_types=["CrossAttnDownBlock2D" if a else "DownBlock2D" for a in attention],
                up_block_types=["CrossAttnUpBlock2D" if a else "UpBlock2D" for a in reversed(attention)],
                layers_per_block=1, attention_head_dim=(1, 2, 2), cross_attention_dim=8, norm_num_groups=4,
                use_linear_projection=True, flip_sin_to_cos=True, freq_shift=0)
    vae = {**mm.vae_config((8, 16), 1, 16, 4), "scaling_factor": 0.18215}
    text = mm.clip_config(8, 24, 2, "gelu", 100, 0, 8)
    parts, configs = make_parts(600, unet, vae, text, half)

    encoder = mm.tensors_of(parts["te1"], half)
    encoder["text_projection.weight"] = mm.normal(8, 8, seed=6000).half().numpy()  # in the files, unused
    arrays = ldm_names.unet(mm.tensors_of(parts["unet"], half), 1, attention)
    arrays |= ldm_names.vae(mm.tensors_of(parts["vae"], half), 2)
    arrays |= {SD2_TEXT + k.removeprefix(ldm_names.TE2_PREFIX): v for k, v in ldm_names.te2(encoder).items()}
    mm.write_numpy(mm.MODELS / "sd2.safetensors", arrays, half, {"mantissa.config": json.dumps(configs)})

    out = {"unet.latents": mm.normal(2, 4, 16, 8, seed=6100), "unet.timesteps": torch.tensor([17.0, 640.0]).double(),
           "unet.context": mm.normal(2, 77, 8, seed=6101)}
    out["unet.prediction"] = parts["unet"](out["unet.latents"], out["unet.timesteps"],
                                           encoder_hidden_states=out["unet.context"]).sample
    te = parts["te1"]
    norm = (te.text_model if hasattr(te, "text_model") else te).final_layer_norm
    ids = mm.padded([[5, 17, 3, 42], list(range(1, 76)), []], 100, 0)
    states = te(ids.long(), output_hidden_states=True)
    out |= {"te.ids": ids, "te.hidden": norm(states.hidden_states[-2]), "te.last": states.last_hidden_state}
    mm.write_reference("sd2.safetensors", out)


if __name__ == "__main__":
    main()
