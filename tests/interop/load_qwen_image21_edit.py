"""Qwen-Image-2.1 must edit images as diffusers does, with an adapter and without.

    python tests/interop/load_qwen_image21_edit.py [--program build/bin/mantissa]

As load_qwen_image21.py, with one and with two reference images of sizes that both programs leave as they are, and with
two that both scale to the bytes of Pillow. (The tiny model's sides are multiples of 8 pixels; the pipeline rounds to
32.) The adapter is trained on images with references, and the base model as Mantissa writes it keeps the text encoder's
vision tower. Fails below 70 dB between the programs.
"""

import re

from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

import family_adapters
from load_qwen_image21 import Batch, Processor, QwenImage21


class SeeingProcessor(Processor):
    """Shows images as they are, without the released processor's bounds of their sizes."""

    def __init__(self, folder, tower):
        super().__init__(folder)
        self.merge = tower.spatial_merge_size
        self.images = Qwen2VLImageProcessorPil(
            size={"shortest_edge": 1, "longest_edge": 2 ** 20}, patch_size=tower.patch_size, merge_size=self.merge,
            temporal_patch_size=tower.temporal_patch_size, image_mean=[0.5] * 3, image_std=[0.5] * 3)

    def __call__(self, text, padding, padding_side, return_tensors, images=()):
        seen = self.images(images=images, return_tensors="pt") if images else {}
        if images:
            counts = iter((seen["image_grid_thw"].prod(1) // self.merge ** 2).tolist())
            text = [re.sub(r"<\|image_pad\|>", lambda match: match[0] * next(counts), x) for x in text]
        found = super().__call__(text, padding, padding_side, return_tensors)
        image = self.tokenizer.encode("<|image_pad|>")[0]
        return Batch(found, mm_token_type_ids=(found["input_ids"] == image).int(), **seen)


class QwenImage21Edit(QwenImage21):
    width = height = 64
    references = ((64, 64),)
    pairs = True

    def pipeline(self, base):
        pipe = super().pipeline(base)
        tower = pipe.text_encoder.config.vision_config
        pipe.processor = SeeingProcessor(f"{base}/processor", tower)
        return pipe

    def render(self, pipe, start, **options):
        return super().render(pipe, start, output_resolution=self.width, **options)


class TwoReferences(QwenImage21Edit):
    references = ((64, 64), (128, 32))


class Scaled(QwenImage21Edit):
    references = ((96, 96), (300, 75))


if __name__ == "__main__":
    with family_adapters.checks(QwenImage21Edit()) as checks:
        checks.merged(checks.adapter("diffusers"))
        checks.family = TwoReferences()
        checks.base()
        checks.folder /= "two"
        checks.folder.mkdir()
        checks.adapter("comfyui")
        checks.family = Scaled()
        checks.base()
