"""Krea 2 must edit images with an adapter as PyTorch does by AI Toolkit's rule, and without one.

    python tests/interop/load_krea2_edit.py [--program build/bin/mantissa]

As load_krea2.py, with one and with two reference images of sizes that both sides leave as they are: Krea2Pipeline whose
transformer reads the references behind the image (make_krea2.py's `edit`), and whose text encoder sees them before the
prompt. The adapter is trained on images with references. Fails below 60 dB between the programs.
"""

import numpy as np
import torch
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

import family_adapters
from load_krea2 import Krea2

import make_krea2  # of tests/golden, which family_adapters puts on the path


class Krea2Edit(Krea2):
    width = height = 64
    references = ((64, 64),)
    pairs = True

    def latents(self, pipe, image):
        pixels = torch.from_numpy(np.asarray(image, dtype=np.float32) / 127.5 - 1).permute(2, 0, 1)
        found = pipe.vae.encode(pixels[None, :, None]).latent_dist.mode()[:, :, 0]
        mean, deviation = (torch.tensor(x).view(1, -1, 1, 1) for x in (pipe.vae.config.latents_mean,
                                                                       pipe.vae.config.latents_std))
        return (found - mean) / deviation

    def states(self, pipe, text, images):
        tower = pipe.text_encoder.config.vision_config
        side = tower.patch_size * tower.spatial_merge_size
        seen = Qwen2VLImageProcessorPil(
            size={"shortest_edge": 64 * side ** 2, "longest_edge": 2 ** 24}, patch_size=tower.patch_size,
            merge_size=tower.spatial_merge_size, temporal_patch_size=tower.temporal_patch_size, image_mean=[0.5] * 3,
            image_std=[0.5] * 3)(images=images, return_tensors="pt")
        counts = (seen["image_grid_thw"].prod(1) // tower.spatial_merge_size ** 2).tolist()
        shown = "".join(f"Picture {i + 1}: <|vision_start|>" + "<|image_pad|>" * count + "<|vision_end|>"
                        for i, count in enumerate(counts))
        ids = pipe.tokenizer(make_krea2.PREFIX + shown + text + make_krea2.SUFFIX, return_tensors="pt").input_ids
        image = pipe.tokenizer.convert_tokens_to_ids("<|image_pad|>")
        found = pipe.text_encoder(input_ids=ids, attention_mask=torch.ones_like(ids), output_hidden_states=True,
                                  mm_token_type_ids=(ids == image).int(), **seen).hidden_states
        states = torch.stack([found[i] for i in make_krea2.STATES], dim=2)
        states = states[:, pipe.prompt_template_encode_start_idx:]
        return states, torch.ones(states.shape[:2], dtype=torch.bool)

    def render(self, pipe, start, image, prompt, negative_prompt, **options):
        references = [self.latents(pipe, x) for x in image]

        def predict(hidden_states, encoder_hidden_states, timestep, position_ids, encoder_attention_mask, **_):
            # The pipeline's are for the prompt; the negative one isn't as long here.
            positions = torch.cat([torch.zeros(encoder_hidden_states.shape[1], 3),
                                   position_ids[-hidden_states.shape[1]:]])
            return (make_krea2.edit(pipe.transformer, hidden_states, references, encoder_hidden_states, timestep,
                                    positions, encoder_attention_mask),)

        pipe.transformer.forward = predict
        for name, text in (("prompt", prompt), ("negative_prompt", negative_prompt)):
            options[f"{name}_embeds"], options[f"{name}_embeds_mask"] = self.states(pipe, text, image)
        return super().render(pipe, start, **options)


class TwoReferences(Krea2Edit):
    references = ((64, 64), (128, 32))


if __name__ == "__main__":
    with family_adapters.checks(Krea2Edit()) as checks:
        checks.merged(checks.adapter("diffusers"))
        checks.family = TwoReferences()
        checks.base()
        checks.folder /= "two"
        checks.folder.mkdir()
        checks.adapter("diffusers")
