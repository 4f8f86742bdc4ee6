"""FLUX.2's adapters must load in diffusers and change the image in the same way.

    python tests/interop/load_flux2.py [--program build/bin/mantissa]

Trains the tiny FLUX.2 of tests/golden/models for 3 steps, writes the LoRA in ComfyUI's and diffusers' naming, renders
with `mantissa sample`, loads each file with Flux2KleinPipeline.load_lora_weights and renders from the same start
noise: captions, transformer, schedule, guidance and VAE of both programs. Fails on a layer that isn't adapted, on
images below 60 dB PSNR between the programs, and on an adapter without visible effect.
"""

import torch
from diffusers import Flux2KleinPipeline

import family_adapters

# What Qwen3's own template makes of one user's message without thinking; the tiny tokenizer has none.
TEMPLATE = ("{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
            "<|im_start|>assistant\n<think>\n\n</think>{{ '\\n\\n' }}")


class Flux2(family_adapters.Family):
    name = "flux2"
    negative = None
    guidance = 3.0
    modules = {"transformer": 8 + 3 * 2}  # both streams' attention in a double block; three single blocks' projections

    def pipeline(self, base):
        pipe = Flux2KleinPipeline.from_pretrained(base, torch_dtype=torch.float32)
        pipe.tokenizer.chat_template = TEMPLATE
        return pipe

    def factor(self, pipe):
        return 2 * pipe.vae_scale_factor

    def render(self, pipe, start, **options):
        return super().render(pipe, start, guidance_scale=self.guidance, **options)


if __name__ == "__main__":
    with family_adapters.checks(Flux2()) as checks:
        for style in ("comfyui", "kohya", "diffusers"):
            checks.adapter(style)
