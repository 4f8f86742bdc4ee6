"""Writes tiny autoencoders of FLUX.1 and FLUX.2 and their reference values.

    python tests/golden/make_flux_vae.py                        needs torch, diffusers

As in make_models.py: seeded, float64 from the stored weights, written as F32.

Models, tests/golden/models/
  flux_vae.safetensors   FLUX.1's: 16 latent channels, widths 8 and 16, no quant_conv; F16, the original names without a
                         prefix (ae.safetensors), no config
  flux2_vae/             FLUX.2's: 6 latent channels in patches of 2 x 2, widths 8 and 16; F16, diffusers' names and
                         config, below vae/

References, tests/golden/reference/flux_vae.safetensors, flux2_vae.safetensors
  image [2,3,8,12] in -1..1   moments: mean, then log variance (FLUX.2: each in patches)
  latents: what the denoiser gets for the mean   decoded: the image of those latents moved by noise, `noised`
  metadata: config, as diffusers writes it
"""

import json

import torch
from diffusers import AutoencoderKL, AutoencoderKLFlux2

from make_models import MODELS, ldm_names, normal, seeded, tensors_of, unsettle, write_numpy, write_reference

WIDTHS = dict(block_out_channels=(8, 16), layers_per_block=1, norm_num_groups=8, sample_size=16,
              down_block_types=["DownEncoderBlock2D"] * 2, up_block_types=["UpDecoderBlock2D"] * 2)


def described(model):
    return {k: v for k, v in json.loads(model.to_json_string()).items() if k != "_diffusers_version"}


def make_flux():
    torch.manual_seed(8000)
    model = AutoencoderKL(**WIDTHS, latent_channels=16, use_quant_conv=False, use_post_quant_conv=False,
                          force_upcast=True, scaling_factor=0.3611, shift_factor=0.1159)
    unsettle(model, 8000, torch.float16)
    arrays = ldm_names.vae(tensors_of(model, torch.float16), len(WIDTHS["block_out_channels"]))
    arrays = {name.removeprefix(ldm_names.VAE_PREFIX): value for name, value in arrays.items()}
    write_numpy(MODELS / "flux_vae.safetensors", arrays, torch.float16)
    image = torch.tanh(normal(2, 3, 8, 12, seed=8001))
    scale, shift = model.config.scaling_factor, model.config.shift_factor
    with torch.no_grad():
        moments = model._encode(image)
        latents = (moments[:, :16] - shift) * scale
        noised = latents + normal(*latents.shape, seed=8002)
        decoded = model.decode(noised / scale + shift).sample
    write_reference("flux_vae.safetensors", dict(image=image, moments=moments, latents=latents, noised=noised,
                                                 decoded=decoded), config=json.dumps(described(model)))


def patchify(x):
    """[b, c, h, w] -> [b, 4c, h/2, w/2], as Flux2Pipeline does."""
    b, c, h, w = x.shape
    return x.view(b, c, h // 2, 2, w // 2, 2).permute(0, 1, 3, 5, 2, 4).reshape(b, 4 * c, h // 2, w // 2)


def unpatchify(x):
    b, c, h, w = x.shape
    return x.reshape(b, c // 4, 2, 2, h, w).permute(0, 1, 4, 2, 5, 3).reshape(b, c // 4, 2 * h, 2 * w)


def make_flux2():
    torch.manual_seed(8100)
    model = AutoencoderKLFlux2(**WIDTHS, latent_channels=6)
    generator = seeded(8101)
    model.bn.running_mean.copy_(0.3 * torch.randn(24, generator=generator))
    model.bn.running_var.copy_(0.2 + torch.rand(24, generator=generator))
    model.bn.to(torch.float16).float()
    unsettle(model, 8100, torch.float16)
    folder = MODELS / "flux2_vae" / "vae"
    write_numpy(folder / "diffusion_pytorch_model.safetensors", tensors_of(model, torch.float16), torch.float16,
                {"format": "pt"})
    (folder / "config.json").write_text(json.dumps(described(model), indent=1) + "\n")
    image = torch.tanh(normal(2, 3, 8, 12, seed=8102))
    mean = model.bn.running_mean.view(1, -1, 1, 1)
    deviation = torch.sqrt(model.bn.running_var.view(1, -1, 1, 1) + model.config.batch_norm_eps)
    with torch.no_grad():
        moments = model._encode(image)
        latents = (patchify(moments[:, :6]) - mean) / deviation
        noised = latents + normal(*latents.shape, seed=8103)
        decoded = model.decode(unpatchify(noised * deviation + mean)).sample
    moments = torch.cat([patchify(moments[:, :6]), patchify(moments[:, 6:])], dim=1)
    write_reference("flux2_vae.safetensors", dict(image=image, moments=moments, latents=latents, noised=noised,
                                                  decoded=decoded), config=json.dumps(described(model)))


if __name__ == "__main__":
    make_flux()
    make_flux2()
