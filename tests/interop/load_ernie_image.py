"""ERNIE-Image's adapters must load in diffusers and change the image in the same way.

    python tests/interop/load_ernie_image.py [--program build/bin/mantissa]

Trains the tiny ERNIE-Image of tests/golden/models for 3 steps, writes the LoRA in diffusers' naming, renders with
`mantissa sample`, loads the file with ErnieImagePipeline.load_lora_weights and renders from the same start noise:
captions, transformer, schedule, guidance and VAE of both programs. The same with adapters of the feed-forwards, with a
DoRA, and for the base model as Mantissa writes it, as a folder. Fails on a layer that isn't adapted, on images below
70 dB PSNR between the programs, and on an adapter without visible effect. diffusers refuses files of ComfyUI's and
kohya's naming, whose `alpha` it doesn't know.
"""

import pathlib

import torch
from diffusers import AutoencoderKLFlux2, ErnieImagePipeline, ErnieImageTransformer2DModel
from diffusers import FlowMatchEulerDiscreteScheduler
from transformers import Mistral3Model, PreTrainedTokenizerFast

import family_adapters


class ErnieImage(family_adapters.Family):
    name = "ernie_image"
    channels = 16
    likeness = 70
    modules = {"transformer": 2 * 4}  # attention of two layers

    def pipeline(self, base):
        base = pathlib.Path(base)
        return ErnieImagePipeline(
            scheduler=FlowMatchEulerDiscreteScheduler.from_pretrained(base / "scheduler"),
            vae=AutoencoderKLFlux2.from_pretrained(base / "vae", torch_dtype=torch.float32),
            text_encoder=Mistral3Model.from_pretrained(base / "text_encoder", dtype=torch.float32),
            tokenizer=PreTrainedTokenizerFast.from_pretrained(base / "tokenizer"),
            transformer=ErnieImageTransformer2DModel.from_pretrained(base / "transformer", torch_dtype=torch.float32))

    def render(self, pipe, start, **options):
        return super().render(pipe, start, guidance_scale=self.guidance, **options)


class FeedForwards(ErnieImage):
    modules = {"transformer": 2 * 7}
    preset = {"adapter": {"rank": 4, "alpha": 6, "targets": ["attention+mlp"]}}


class Dora(ErnieImage):
    preset = {"adapter": {"rank": 4, "alpha": 6, "type": "dora"}}


if __name__ == "__main__":
    with family_adapters.checks(ErnieImage()) as checks:
        checks.merged(checks.adapter("diffusers"))
        top = checks.folder
        for family in (FeedForwards(), Dora()):
            checks.family = family
            checks.folder = top / type(family).__name__
            checks.folder.mkdir()
            checks.adapter("diffusers")
