"""Writes config_keys.json: every field that diffusers and transformers write for the parts of a supported model, with
its default.

    python tests/golden/make_config_keys.py        needs diffusers, transformers

tests/engine/models/config_keys.h, tests/engine/models/model_index_test.cpp and
tests/engine/diffusion/scheduler_keys_test.cpp define the handling of each. Regenerate it with a new version of either
library: a new field fails those tests until its meaning is decided.
"""

import inspect
import json
import math
import pathlib

import diffusers
from diffusers import (AnimaTextConditioner, AutoencoderKL, AutoencoderKLFlux2, AutoencoderKLQwenImage, AutoencoderKLQwenImage21,
                       ChromaTransformer2DModel, CosmosTransformer3DModel, ErnieImageTransformer2DModel,
                       Flux2Transformer2DModel, Flux3Transformer2DModel, FluxTransformer2DModel,
                       Krea2Transformer2DModel, PixArtTransformer2DModel, QwenImage21Transformer2DModel, QwenImageTransformer2DModel,
                       UNet2DConditionModel,
                       ZImageTransformer2DModel)
from transformers import CLIPTextConfig, Qwen3Config, T5Config

SCHEDULERS = """DDIMScheduler DDIMParallelScheduler DDPMScheduler DDPMParallelScheduler DEISMultistepScheduler
DPMSolverMultistepScheduler DPMSolverSinglestepScheduler DPMSolverSDEScheduler EulerAncestralDiscreteScheduler
EulerDiscreteScheduler HeunDiscreteScheduler KDPM2AncestralDiscreteScheduler KDPM2DiscreteScheduler LCMScheduler
LMSDiscreteScheduler PNDMScheduler SASolverScheduler TCDScheduler UniPCMultistepScheduler""".split()
FLOW_SCHEDULERS = ("FlowMatchEulerDiscreteScheduler", "FlowMatchHeunDiscreteScheduler")
PIPELINES = """StableDiffusionXLPipeline StableDiffusionXLImg2ImgPipeline StableDiffusionXLInpaintPipeline
StableDiffusionPipeline StableDiffusionImg2ImgPipeline StableDiffusionInpaintPipeline PixArtSigmaPipeline
PixArtAlphaPipeline ZImagePipeline ZImageImg2ImgPipeline ZImageInpaintPipeline FluxPipeline
FluxImg2ImgPipeline FluxInpaintPipeline FluxKontextPipeline FluxKontextInpaintPipeline ChromaPipeline ChromaImg2ImgPipeline ChromaInpaintPipeline Flux2KleinPipeline
Flux2KleinInpaintPipeline Krea2Pipeline QwenImage21Pipeline QwenImagePipeline QwenImageImg2ImgPipeline
QwenImageInpaintPipeline QwenImageEditPipeline QwenImageEditPlusPipeline QwenImageEditInpaintPipeline
ErnieImagePipeline""".split()


def plain(value):
    """The JSON value; infinity as text, as in diffusers."""
    if isinstance(value, float) and math.isinf(value):
        return str(value)
    if value is inspect.Parameter.empty:  # of a pipeline's parts
        return None
    return list(value) if isinstance(value, tuple) else value


def signature(kind):
    parameters = inspect.signature(kind.__init__).parameters.values()
    return {p.name: plain(p.default) for p in parameters if p.name not in ("self", "args", "kwargs")}


def main():
    result = {kind.__name__: signature(kind) for kind in (UNet2DConditionModel, AutoencoderKL,
                                                          PixArtTransformer2DModel, ZImageTransformer2DModel,
                                                          FluxTransformer2DModel, ChromaTransformer2DModel,
                                                          Flux2Transformer2DModel,
                                                          Flux3Transformer2DModel,
                                                          CosmosTransformer3DModel,
                                                          AnimaTextConditioner, AutoencoderKLQwenImage,
                                                          AutoencoderKLFlux2,
                                                          Krea2Transformer2DModel,
                                                          QwenImage21Transformer2DModel,
                                                          QwenImageTransformer2DModel,
                                                          ErnieImageTransformer2DModel,
                                                          AutoencoderKLQwenImage21)}
    for name, config in (("CLIPTextModel", CLIPTextConfig()), ("T5EncoderModel", T5Config()),
                         ("Qwen3Model", Qwen3Config())):
        result[name] = {k: v for k, v in config.to_dict().items() if not k.startswith("_")}
    result["schedulers"] = {name: fields for name in SCHEDULERS if (fields := signature(getattr(diffusers, name)))}
    result["flow_schedulers"] = {name: signature(getattr(diffusers, name)) for name in FLOW_SCHEDULERS}
    result["pipelines"] = {name: signature(getattr(diffusers, name)) for name in PIPELINES}
    (pathlib.Path(__file__).parent / "config_keys.json").write_text(json.dumps(result, indent=1) + "\n")


main()
