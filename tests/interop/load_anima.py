"""Anima's adapters must load in diffusers and change the image in the same way.

    python tests/interop/load_anima.py [--program build/bin/mantissa]

Trains the tiny Anima of tests/golden/models for 3 steps, transformer and text conditioner, writes the LoRA in diffusers'
naming, renders with `mantissa sample`, loads the file with AnimaModularPipeline.load_lora_weights and renders from the
same start noise: captions, text conditioner, transformer, schedule, guidance and VAE of both programs. The same for the
base model as Mantissa writes it, as a folder. Fails on a layer that isn't adapted, on images below 60 dB PSNR between
the programs, and on an adapter without visible effect.
"""

import types

import sentencepiece
import torch
from diffusers import (AnimaAutoBlocks, AnimaTextConditioner, AutoencoderKLQwenImage, ClassifierFreeGuidance,
                       CosmosTransformer3DModel, FlowMatchEulerDiscreteScheduler)
from diffusers.models.transformers import transformer_cosmos
from transformers import Qwen2Tokenizer, Qwen3Model

import family_adapters


def nearest(mask, size, interpolation):
    return torch.nn.functional.interpolate(mask, size, mode="nearest")


# All that the transformer uses of torchvision, for machines without it.
if not hasattr(transformer_cosmos, "transforms"):
    transformer_cosmos.transforms = types.SimpleNamespace(
        functional=types.SimpleNamespace(resize=nearest), InterpolationMode=types.SimpleNamespace(NEAREST="nearest"))


class Unigram:
    """T5's tokenizer as SentencePiece reads it."""

    def __init__(self, folder):
        self.pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "spiece.model"))

    def __call__(self, prompts, **_):
        ids = torch.tensor([self.pieces.encode(prompt) + [1] for prompt in prompts])
        return types.SimpleNamespace(input_ids=ids, attention_mask=torch.ones_like(ids))


class Anima(family_adapters.Family):
    name = "anima"
    channels = 4
    modules = {"transformer": 3 * 8, "text_conditioner": 2 * 8}
    preset = {"training": {"steps": 3, "seed": 3, "parts": ["denoiser", "te2"]}}

    def pipeline(self, base):
        pipe = AnimaAutoBlocks().init_pipeline()
        pipe.update_components(
            transformer=CosmosTransformer3DModel.from_pretrained(base / "transformer", torch_dtype=torch.float32),
            text_conditioner=AnimaTextConditioner.from_pretrained(base / "text_conditioner", torch_dtype=torch.float32),
            text_encoder=Qwen3Model.from_pretrained(base / "text_encoder", dtype=torch.float32),
            vae=AutoencoderKLQwenImage.from_pretrained(base / "vae", torch_dtype=torch.float32),
            tokenizer=Qwen2Tokenizer.from_pretrained(base / "tokenizer"), t5_tokenizer=Unigram(base / "t5_tokenizer"),
            scheduler=FlowMatchEulerDiscreteScheduler.from_pretrained(base / "scheduler"),
            guider=ClassifierFreeGuidance(guidance_scale=self.guidance))
        return pipe

    def render(self, pipe, start, **options):
        return pipe(latents=start.unsqueeze(2), output_type="np", output="images", **options)[0]


if __name__ == "__main__":
    with family_adapters.checks(Anima()) as checks:
        checks.merged(checks.adapter("diffusers"))
