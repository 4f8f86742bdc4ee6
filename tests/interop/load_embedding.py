"""Loads an embedding of a run into diffusers and encodes a trace's captions with it.

    python tests/interop/load_embedding.py BASE TRACE FILE WORD       needs torch, diffusers, transformers

BASE is an SDXL in a diffusers folder, TRACE the trace of the first step of a run with an optimizer.learning_rate of 0
(mantissa train --trace), FILE the file that it wrote for WORD. The vectors must be FILE's, and the contexts of the
trace's ids those of the trace.
"""

import pathlib
import sys

import safetensors.torch
import torch
from diffusers.loaders import TextualInversionLoaderMixin
from transformers import CLIPTextModel, CLIPTextModelWithProjection, CLIPTokenizer

MOST = 1e-5


class Pipeline(TextualInversionLoaderMixin):
    config, components, hf_device_map = {}, {}, None

    def __init__(self, text_encoder, tokenizer):
        self.text_encoder, self.tokenizer = text_encoder, tokenizer


def main(base, trace, file, word):
    vectors, step = safetensors.torch.load_file(file), safetensors.torch.load_file(trace)
    worst = 0
    for part, folder, kind, key, first in (("te1", "text_encoder", CLIPTextModel, "clip_l", True),
                                           ("te2", "text_encoder_2", CLIPTextModelWithProjection, "clip_g", False)):
        encoder = kind.from_pretrained(pathlib.Path(base) / folder, dtype=torch.float32)
        tokenizer = CLIPTokenizer.from_pretrained(pathlib.Path(base) / folder.replace("text_encoder", "tokenizer"))
        table = encoder.get_input_embeddings().weight.shape[0]
        Pipeline(encoder, tokenizer).load_textual_inversion(vectors[key], token=word, text_encoder=encoder,
                                                            tokenizer=tokenizer)
        assert torch.equal(encoder.get_input_embeddings().weight[table:], vectors[key].to(encoder.dtype)), part
        with torch.no_grad():
            hidden = encoder(step[f"step.0001.{part}_ids"].long(), output_hidden_states=True).hidden_states[-2]
        context = step["step.0001.context"]
        width = hidden.shape[-1]
        ours = context[..., :width] if first else context[..., -width:]
        worst = max(worst, ((hidden - ours).norm() / hidden.norm()).item())
    print(f"vectors equal; contexts differ by {worst:.1e}")
    return 0 if worst <= MOST else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
