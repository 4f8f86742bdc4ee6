"""Qwen-Image-2.1's adapters must load in diffusers and change the image in the same way.

    python tests/interop/load_qwen_image21.py [--program build/bin/mantissa]

Trains the tiny Qwen-Image-2.1 of tests/golden/models for 3 steps, writes the LoRA in ComfyUI's and diffusers' naming,
renders with `mantissa sample`, loads each file with QwenImage21Pipeline.load_lora_weights and renders from the same
start noise: captions, transformer, schedule, guidance and VAE of both programs. The same for the base model as Mantissa
writes it, as a folder, and for feed-forwards in diffusers' naming, as ComfyUI has other ones. Fails on a layer that
isn't adapted, on images below 70 dB PSNR between the programs, and on an adapter without visible effect.
"""

import pathlib

import torch
from diffusers import AutoencoderKLQwenImage21, FlowMatchEulerDiscreteScheduler, QwenImage21Pipeline
from diffusers import QwenImage21Transformer2DModel
from transformers import PreTrainedTokenizerFast, Qwen3VLForConditionalGeneration, Qwen3VLProcessor

import family_adapters


class Batch(dict):
    """Inputs as the processor returns them."""

    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(name)

    def to(self, device):
        return self


class Processor(Qwen3VLProcessor):
    """What the pipeline asks of the model's processor, without the images that the tiny model has no files for."""

    def __init__(self, folder):
        self.tokenizer = PreTrainedTokenizerFast.from_pretrained(folder)

    def apply_chat_template(self, messages, tokenize, return_dict):
        return [self.tokenizer.encode(f"<|im_start|>system\n{messages[0]['content'][0]['text']}<|im_end|>\n")]

    def __call__(self, text, padding, padding_side, return_tensors):
        found = self.tokenizer(text, padding=padding, padding_side=padding_side, return_tensors=return_tensors)
        return Batch(input_ids=found["input_ids"], attention_mask=found["attention_mask"])


class QwenImage21(family_adapters.Family):
    name = "qwen_image_21"
    channels = 8
    likeness = 70
    modules = {"transformer": 2 * 4}  # attention of two blocks

    def pipeline(self, base):
        base = pathlib.Path(base)
        pipe = QwenImage21Pipeline(
            scheduler=FlowMatchEulerDiscreteScheduler.from_pretrained(base / "scheduler"),
            vae=AutoencoderKLQwenImage21.from_pretrained(base / "vae", torch_dtype=torch.float32),
            text_encoder=Qwen3VLForConditionalGeneration.from_pretrained(base / "text_encoder", dtype=torch.float32),
            processor=Processor(base / "processor"),
            transformer=QwenImage21Transformer2DModel.from_pretrained(base / "transformer", torch_dtype=torch.float32))
        pipe.vae_scale_factor = 4  # the tiny VAE's; the pipeline takes it for granted
        return pipe

    def render(self, pipe, start, **options):
        packed = start.flatten(2).transpose(1, 2)
        image = super().render(pipe, packed, true_cfg_scale=self.guidance, **options)
        return image[..., :3]  # the alpha is left out


class FeedForwards(QwenImage21):
    modules = {"transformer": 2 * 7}
    preset = {"adapter": {"rank": 4, "alpha": 6, "targets": ["attention+mlp"]}}


if __name__ == "__main__":
    with family_adapters.checks(QwenImage21()) as checks:
        checks.adapter("comfyui")
        checks.merged(checks.adapter("diffusers"))
        checks.family = FeedForwards()
        checks.folder /= "feed-forwards"
        checks.folder.mkdir()
        checks.adapter("diffusers")
