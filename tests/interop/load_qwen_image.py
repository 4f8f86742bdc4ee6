"""Qwen-Image's adapters must load in diffusers and change the image in the same way.

    python tests/interop/load_qwen_image.py [--program build/bin/mantissa]

Trains the tiny Qwen-Image of tests/golden/models for 6 steps (feed-forwards for 3), writes the LoRA in ComfyUI's, kohya's and diffusers'
naming, renders with `mantissa sample`, loads each file with QwenImagePipeline.load_lora_weights and renders from the
same start noise: captions, transformer, schedule, guidance and VAE of both programs. The same for the base model as
Mantissa writes it, as a folder. Fails on a layer that isn't adapted, on images below 70 dB PSNR between the programs,
and on an adapter without visible effect.
"""

import pathlib

import torch
from diffusers import AutoencoderKLQwenImage, FlowMatchEulerDiscreteScheduler, QwenImagePipeline
from diffusers import QwenImageTransformer2DModel
from transformers import PreTrainedTokenizerFast, Qwen2_5_VLForConditionalGeneration

import family_adapters


class QwenImage(family_adapters.Family):
    name = "qwen_image"
    channels = 4
    likeness = 70
    modules = {"transformer": 2 * 8}  # attention of two blocks
    preset = {"training": {"steps": 6, "seed": 3}}  # half of the last block's attention has no effect
    idle = r"transformer_blocks\.1\.attn\.(add_q_proj|to_add_out)"  # nothing reads the last block's text

    def pipeline(self, base):
        base = pathlib.Path(base)
        pipe = QwenImagePipeline(
            scheduler=FlowMatchEulerDiscreteScheduler.from_pretrained(base / "scheduler"),
            vae=AutoencoderKLQwenImage.from_pretrained(base / "vae", torch_dtype=torch.float32),
            text_encoder=Qwen2_5_VLForConditionalGeneration.from_pretrained(base / "text_encoder", dtype=torch.float32),
            tokenizer=PreTrainedTokenizerFast.from_pretrained(base / "tokenizer"),
            transformer=QwenImageTransformer2DModel.from_pretrained(base / "transformer", torch_dtype=torch.float32))
        before = pipe.prompt_template_encode.split("{}")[0]
        pipe.prompt_template_encode_start_idx = len(pipe.tokenizer.encode(before))  # 34 in Qwen's own vocabulary
        return pipe

    def render(self, pipe, start, **options):
        b, c, h, w = start.shape
        packed = pipe._pack_latents(start, b, c, h, w)
        return super().render(pipe, packed, true_cfg_scale=self.guidance, **options)


class FeedForwards(QwenImage):
    modules = {"transformer": 2 * 12}
    preset = {"adapter": {"rank": 4, "alpha": 6, "targets": ["attention+mlp"]}}
    idle = QwenImage.idle + r"|transformer_blocks\.1\.txt_mlp\.net\..*"


if __name__ == "__main__":
    with family_adapters.checks(QwenImage()) as checks:
        checks.adapter("comfyui")
        checks.adapter("kohya")
        checks.merged(checks.adapter("diffusers"))
        checks.family = FeedForwards()
        checks.folder /= "feed-forwards"
        checks.folder.mkdir()
        checks.adapter("kohya")
        checks.adapter("diffusers")
