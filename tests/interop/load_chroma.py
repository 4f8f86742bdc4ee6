"""Chroma's adapters must load in diffusers and change the image in the same way.

    python tests/interop/load_chroma.py [--program build/bin/mantissa]

Trains the tiny Chroma of tests/golden/models for 3 steps, writes the LoRA in kohya's and diffusers' naming, renders with
`mantissa sample`, loads each file with ChromaPipeline.load_lora_weights and renders from the same start noise: captions,
transformer, schedule, guidance and VAE of both programs. Fails on a layer that isn't adapted, on images below 70 dB PSNR
between the programs, and on an adapter without visible effect.

The pipeline of diffusers 0.42.1 gives attention its mask as numbers, which are added to the scores, so that padding is
read; here it gets the boolean mask that the model was trained with. diffusers reads the joined layer of a single block in
kohya's naming at the released width alone: that file is trained on double blocks.
"""

import torch
from diffusers import ChromaPipeline

import family_adapters

DOUBLE = ["denoiser.transformer_blocks.*.attn.*", "denoiser.transformer_blocks.*.ff*"]


class Masked(ChromaPipeline):
    def _prepare_attention_mask(self, *args, **options):
        return super()._prepare_attention_mask(*args, **options).bool()


class Chroma(family_adapters.Family):
    name = "chroma"
    likeness = 70
    modules = {"transformer": 8 + 2 * 3}  # both streams' attention in a double block; q, k and v of two single blocks

    def pipeline(self, base):
        return Masked.from_pretrained(base, torch_dtype=torch.float32)

    def render(self, pipe, start, **options):
        b, c, h, w = start.shape
        packed = pipe._pack_latents(start, b, c, h, w)
        return super().render(pipe, packed, guidance_scale=self.guidance, **options)


class DoubleBlocks(Chroma):
    modules = {"transformer": 12}
    preset = {"adapter": {"rank": 4, "alpha": 6, "targets": DOUBLE}}


if __name__ == "__main__":
    with family_adapters.checks(Chroma()) as checks:
        checks.merged(checks.adapter("diffusers"))
        checks.family = DoubleBlocks()
        checks.adapter("kohya")
