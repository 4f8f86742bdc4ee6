"""Krea 2's adapters must load in diffusers and change the image in the same way.

    python tests/interop/load_krea2.py [--program build/bin/mantissa]

Trains the tiny Krea 2 of tests/golden/models for 3 steps, writes the LoRA in diffusers' naming, renders with
`mantissa sample`, loads the file with Krea2Pipeline.load_lora_weights and renders from the same start noise: captions,
transformer, schedule, guidance and VAE of both programs. The same for the base model as Mantissa writes it, as a
folder. Fails on a layer that isn't adapted, on images below 60 dB PSNR between the programs, and on an adapter without
visible effect.
"""

import torch
from diffusers import Krea2Pipeline

import family_adapters


class Krea2(family_adapters.Family):
    name = "krea2"
    width, height = 48, 32
    channels = 4
    modules = {"transformer": 2 * 5}  # q, k, v, gate and output of two blocks

    def pipeline(self, base):
        pipe = Krea2Pipeline.from_pretrained(base, torch_dtype=torch.float32)
        # Of Qwen's vocabulary by default.
        pipe.prompt_template_encode_start_idx = len(pipe.tokenizer(pipe.prompt_template_encode_prefix).input_ids)
        pipe.prompt_template_encode_num_suffix_tokens = len(
            pipe.tokenizer(pipe.prompt_template_encode_suffix).input_ids)
        return pipe

    def render(self, pipe, start, **options):
        packed = pipe._pack_latents(start, 1, self.channels, *start.shape[2:])
        # Its guidance is what is added to the prompt's prediction.
        return super().render(pipe, packed, guidance_scale=self.guidance - 1, **options)


if __name__ == "__main__":
    with family_adapters.checks(Krea2()) as checks:
        checks.merged(checks.adapter("diffusers"))
