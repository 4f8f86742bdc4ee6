"""Qwen-Image-Edit must edit images as diffusers does, with an adapter and without.

    python tests/interop/load_qwen_image_edit.py [--program build/bin/mantissa]

As load_qwen_image.py, with the tiny model as one of each kind: Edit-2511 with one and with two reference images, the
first Edit with one; of sizes that both programs leave as they are and of others, which both scale to the bytes of
Pillow. The pipelines' area for them is lowered to the sample's, to which Mantissa keeps them. The adapter is trained on
images with references, and the base model as Mantissa writes it keeps the text encoder's vision tower. Fails below
70 dB between the programs.
"""

import functools
import json
import pathlib
import shutil
import tempfile

import torch
from diffusers import QwenImageEditPipeline, QwenImageEditPlusPipeline
from diffusers.pipelines.qwenimage import pipeline_qwenimage_edit, pipeline_qwenimage_edit_plus

import family_adapters
from load_qwen_image import QwenImage
from make_qwen_image import Processor, see


class Edit2511(QwenImage):
    width = height = 384
    references = ((384, 384),)
    pairs = True
    kind, still = QwenImageEditPlusPipeline, True

    @functools.cached_property
    def model(self):
        folder = pathlib.Path(tempfile.mkdtemp()) / "model"
        shutil.copytree(super().model, folder)
        for file, field, value in (("model_index.json", "_class_name", self.kind.__name__),
                                   ("transformer/config.json", "zero_cond_t", self.still)):
            values = json.loads((folder / file).read_text()) | {field: value}
            (folder / file).write_text(json.dumps(values))
        return folder

    def pipeline(self, base):
        plain = super().pipeline(base)
        see(plain.text_encoder)
        processor = Processor(plain.tokenizer.backend_tokenizer, torch.float32)
        pipe = self.kind(plain.scheduler, plain.vae, plain.text_encoder, plain.tokenizer, processor, plain.transformer)
        before = pipe.prompt_template_encode.split("{}")[0].replace("<|vision_start|><|image_pad|><|vision_end|>", "")
        pipe.prompt_template_encode_start_idx = len(pipe.tokenizer.encode(before))  # 64 in Qwen's own vocabulary
        return pipe

    def render(self, pipe, start, **options):
        area = self.width * self.height
        pipeline_qwenimage_edit_plus.VAE_IMAGE_SIZE = area
        return super().render(pipe, start, **options)


class TwoReferences(Edit2511):
    references = ((384, 384), (768, 192))


class Scaled(Edit2511):
    references = ((500, 400), (300, 700))


class First(Edit2511):
    width = height = 64
    references = ((64, 64),)
    kind, still = QwenImageEditPipeline, False

    def render(self, pipe, start, **options):
        sized = pipeline_qwenimage_edit.calculate_dimensions
        pipeline_qwenimage_edit.calculate_dimensions = lambda _, ratio: sized(self.width * self.height, ratio)
        try:
            return super().render(pipe, start, **options | {"image": options["image"][0]})
        finally:
            pipeline_qwenimage_edit.calculate_dimensions = sized


if __name__ == "__main__":
    with family_adapters.checks(Edit2511()) as checks:
        root = checks.folder
        checks.merged(checks.adapter("diffusers"))
        for name, family in (("two", TwoReferences()), ("scaled", Scaled()), ("first", First())):
            checks.family, checks.folder = family, root / name
            checks.folder.mkdir()
            checks.base()
            checks.adapter("comfyui")
