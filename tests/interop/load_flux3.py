"""FLUX.3's adapters must load in diffusers and change the image in the same way.

    python tests/interop/load_flux3.py [--program build/bin/mantissa]

Trains the tiny FLUX.3 of tests/golden/models for 3 steps, writes the LoRA in ComfyUI's and diffusers' naming, renders
with `mantissa sample`, loads each file with Flux3ModularPipeline.load_lora_weights and renders from the same start
noise: captions, transformer, schedule, guidance and VAE of both programs. Fails on a layer that isn't adapted, on
images below 60 dB PSNR between the programs, and on an adapter without visible effect.
"""

import pathlib

import torch
from diffusers import AutoencoderKLFlux2, ClassifierFreeGuidance, FlowMatchEulerDiscreteScheduler
from diffusers import Flux3Transformer2DModel
from diffusers.modular_pipelines.flux3.modular_blocks_flux3 import Flux3AutoBlocks
from transformers import PreTrainedTokenizerFast, Qwen3VLForConditionalGeneration

import family_adapters


class Processor:
    """What the pipeline asks of the model's processor, which the tiny model lacks."""

    def __init__(self, folder):
        self.tokenizer = PreTrainedTokenizerFast.from_pretrained(folder)

    def apply_chat_template(self, messages, tokenize, add_generation_prompt):
        return f"<|im_start|>user\n{messages[0]['content']}<|im_end|>\n<|im_start|>assistant\n"


class Flux3(family_adapters.Family):
    name = "flux3"
    guidance = 3.5
    modules = {"transformer": 4 * (2 + 2)}  # attention of an image's and a text's block and of two single blocks

    def pipeline(self, base):
        base = pathlib.Path(base)
        blocks = Flux3AutoBlocks()
        blocks.sub_blocks.pop("prompt_upsampler")
        pipe = blocks.init_pipeline()
        pipe.register_components(
            transformer=Flux3Transformer2DModel.from_pretrained(base / "transformer", torch_dtype=torch.float32),
            text_encoder=Qwen3VLForConditionalGeneration.from_pretrained(base / "text_encoder", dtype=torch.float32),
            vae=AutoencoderKLFlux2.from_pretrained(base / "vae", torch_dtype=torch.float32),
            scheduler=FlowMatchEulerDiscreteScheduler.from_pretrained(base / "scheduler"),
            guider=ClassifierFreeGuidance(guidance_scale=self.guidance))
        pipe.tokenizer = Processor(base / "tokenizer")
        return pipe

    def factor(self, pipe):
        return 2 * pipe.vae_scale_factor

    def render(self, pipe, start, **options):
        return pipe(latents=start, output_type="np", output="images", **options)[0]


if __name__ == "__main__":
    with family_adapters.checks(Flux3()) as checks:
        for style in ("comfyui", "diffusers"):
            checks.adapter(style)
