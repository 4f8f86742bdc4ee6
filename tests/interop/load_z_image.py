"""Z-Image's adapters must load in diffusers and change the image in the same way.

    python tests/interop/load_z_image.py [--program build/bin/mantissa]

Trains the tiny Z-Image of tests/golden/models for 3 steps, writes the LoRA in ComfyUI's, kohya's and diffusers'
naming, renders with `mantissa sample`, loads each file with ZImagePipeline.load_lora_weights and renders from the
same start noise: captions, transformer, schedule, guidance and VAE of both programs. Fails on a layer that isn't
adapted, on images below 60 dB PSNR between the programs, and on an adapter without visible effect.
"""

import torch
from diffusers import ZImagePipeline

import family_adapters

# What Qwen3's own template makes of one user's message; the tiny tokenizer has none.
TEMPLATE = ("{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
            "<|im_start|>assistant{{ '\\n' }}")  # a line break at the end of a template is dropped


class ZImage(family_adapters.Family):
    name = "z_image"
    modules = {"transformer": 5 * 4}  # q, k, v and output of three layers and a refiner of each kind
    preset = {"model": {"family": "z_image"}}

    def pipeline(self, base):
        pipe = ZImagePipeline.from_pretrained(base, torch_dtype=torch.float32)
        pipe.tokenizer.chat_template = TEMPLATE
        return pipe

    def render(self, pipe, start, **options):
        # Its guidance is what is added to the prompt's prediction.
        return super().render(pipe, start, guidance_scale=self.guidance - 1, **options)


if __name__ == "__main__":
    with family_adapters.checks(ZImage()) as checks:
        for style in ("comfyui", "kohya", "diffusers"):
            checks.adapter(style)
