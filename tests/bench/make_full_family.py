"""A model folder of the released size with random weights: the true names and shapes of Z-Image, FLUX.1 dev, Chroma,
FLUX.2 klein 4B, FLUX.3 klein Base, Anima, Krea 2, Qwen-Image-2.1, Qwen-Image or ERNIE-Image, so that plans, memory and
speed can be measured without a download.

    python tests/bench/make_full_family.py z_image|flux1|chroma|flux2|flux3|anima|krea2|qwen_image_21|
        qwen_image|ernie_image FOLDER [--dtype bf16] [--empty [PARTS]]

Matrices have variance 1/fan-in, which keeps activations finite; norms are 1, biases and bare parameters small. The
tokenizer and the scheduler are the tiny model's (tests/golden/models). With --empty the files, or those of the parts
named (text_encoder,vae), have their length and no data (sparse): enough for plans, and zeros for a run, whose
gradients a text of zeros makes infinite. Needs torch, diffusers and transformers.
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import struct
import sys

import numpy as np
import torch
from diffusers import (AnimaTextConditioner, AutoencoderKL, AutoencoderKLFlux2, AutoencoderKLQwenImage,
                       AutoencoderKLQwenImage21, ChromaTransformer2DModel, CosmosTransformer3DModel,
                       ErnieImageTransformer2DModel,
                       Flux2Transformer2DModel, Flux3Transformer2DModel, FluxTransformer2DModel,
                       Krea2Transformer2DModel, QwenImage21Transformer2DModel, QwenImageTransformer2DModel,
                       ZImageTransformer2DModel)
from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration
from transformers import CLIPTextConfig, CLIPTextModel, Mistral3Config, Mistral3Model, T5Config, T5EncoderModel
from transformers import Qwen3Config, Qwen3Model, Qwen3VLConfig, Qwen3VLForConditionalGeneration, Qwen3VLModel

from make_full_sdxl import DTYPES, encoded

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"
TINY = GOLDEN / "models"
sys.path.insert(0, str(GOLDEN))
import drawn  # noqa: E402

POOL = 1 << 26  # values drawn; every tensor is a stretch of them, repeated

QWEN = dict(vocab_size=151936, num_attention_heads=32, num_key_value_heads=8, head_dim=128, rms_norm_eps=1e-6,
            hidden_act="silu", attention_bias=False, max_position_embeddings=40960, tie_word_embeddings=True)
QWEN_4B = QWEN | dict(hidden_size=2560, intermediate_size=9728, num_hidden_layers=36)
QWEN_8B = QWEN | dict(hidden_size=4096, intermediate_size=12288, num_hidden_layers=36, tie_word_embeddings=False)
QWEN_06B = QWEN | dict(hidden_size=1024, intermediate_size=3072, num_hidden_layers=28, num_attention_heads=16)
FLUX_VAE = dict(down_block_types=["DownEncoderBlock2D"] * 4, up_block_types=["UpDecoderBlock2D"] * 4,
                block_out_channels=[128, 256, 512, 512], layers_per_block=2, latent_channels=16, sample_size=1024,
                scaling_factor=0.3611, shift_factor=0.1159, use_quant_conv=False, use_post_quant_conv=False)
KLEIN = dict(num_layers=5, num_single_layers=20, num_attention_heads=24, joint_attention_dim=7680,
             guidance_embeds=False)
CLIP_L = dict(hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12)
T5_XXL = dict(d_model=4096, d_ff=10240, num_layers=24, num_heads=64, d_kv=64, feed_forward_proj="gated-gelu")
ERNIE = dict(hidden_size=4096, num_attention_heads=32, num_layers=36, ffn_hidden_size=12288, text_in_dim=3072)
ANIMA = dict(in_channels=16, out_channels=16, num_attention_heads=16, attention_head_dim=128, num_layers=28,
             mlp_ratio=4.0, text_embed_dim=1024, adaln_lora_dim=256, max_size=[128, 240, 240], patch_size=[1, 2, 2],
             rope_scale=[1.0, 4.0, 4.0], concat_padding_mask=True, extra_pos_embed_type=None)


def qwen3(values):
    return Qwen3Model(Qwen3Config(**values, rope_theta=1000000.0))


def qwen3_vl(kind=Qwen3VLModel, text=QWEN_4B, **vision):
    rope = {"rope_type": "default", "rope_theta": 5000000.0, "mrope_section": [24, 20, 20], "mrope_interleaved": True}
    vision = dict(depth=24, hidden_size=1024, intermediate_size=4096, num_heads=16, out_hidden_size=2560) | vision
    return kind(Qwen3VLConfig(text_config=text | {"rope_parameters": rope}, vision_config=vision,
                              tie_word_embeddings=text["tie_word_embeddings"]))


def qwen3_vl_8b():
    return qwen3_vl(Qwen3VLForConditionalGeneration, QWEN_8B, depth=27, hidden_size=1152, intermediate_size=4304,
                    out_hidden_size=4096)


def qwen25_vl_7b():
    text = dict(vocab_size=152064, hidden_size=3584, intermediate_size=18944, num_hidden_layers=28,
                num_attention_heads=28, num_key_value_heads=4, rms_norm_eps=1e-6, use_sliding_window=False,
                rope_parameters={"rope_type": "default", "rope_theta": 1000000.0, "mrope_section": [16, 24, 24]})
    vision = dict(depth=32, hidden_size=1280, intermediate_size=3420, num_heads=16, out_hidden_size=3584)
    return Qwen2_5_VLForConditionalGeneration(Qwen2_5_VLConfig(text_config=text, vision_config=vision))


def ministral_3b():
    text = dict(model_type="ministral3", vocab_size=131072, hidden_size=3072, intermediate_size=9216,
                num_hidden_layers=26, num_attention_heads=32, num_key_value_heads=8, head_dim=128, rms_norm_eps=1e-5,
                tie_word_embeddings=True)
    return Mistral3Model(Mistral3Config(text_config=text))


FAMILIES = {
    "z_image": {"transformer": ZImageTransformer2DModel, "text_encoder": lambda: qwen3(QWEN_4B),
                "vae": lambda: AutoencoderKL(**FLUX_VAE)},
    "flux1": {"transformer": lambda: FluxTransformer2DModel(guidance_embeds=True),
              "text_encoder": lambda: CLIPTextModel(CLIPTextConfig(**CLIP_L)),
              "text_encoder_2": lambda: T5EncoderModel(T5Config(**T5_XXL)), "vae": lambda: AutoencoderKL(**FLUX_VAE)},
    "chroma": {"transformer": ChromaTransformer2DModel, "text_encoder": lambda: T5EncoderModel(T5Config(**T5_XXL)),
               "vae": lambda: AutoencoderKL(**FLUX_VAE)},
    "flux2": {"transformer": lambda: Flux2Transformer2DModel(**KLEIN), "text_encoder": lambda: qwen3(QWEN_4B),
              "vae": AutoencoderKLFlux2},
    "flux3": {"transformer": Flux3Transformer2DModel,
              "text_encoder": lambda: qwen3_vl(Qwen3VLForConditionalGeneration), "vae": AutoencoderKLFlux2},
    "anima": {"transformer": lambda: CosmosTransformer3DModel(**ANIMA), "text_encoder": lambda: qwen3(QWEN_06B),
              "text_conditioner": AnimaTextConditioner, "vae": AutoencoderKLQwenImage},
    "krea2": {"transformer": Krea2Transformer2DModel, "text_encoder": qwen3_vl, "vae": AutoencoderKLQwenImage},
    "qwen_image_21": {"transformer": QwenImage21Transformer2DModel, "text_encoder": qwen3_vl_8b,
                     "vae": AutoencoderKLQwenImage21},
    "qwen_image": {"transformer": QwenImageTransformer2DModel, "text_encoder": qwen25_vl_7b,
                   "vae": AutoencoderKLQwenImage},
    "ernie_image": {"transformer": lambda: ErnieImageTransformer2DModel(**ERNIE), "text_encoder": ministral_3b,
                    "vae": AutoencoderKLFlux2},
}


def spread(name, shape):
    """(mean, standard deviation) of a tensor's values."""
    if "embed_tokens" in name:
        return 0.0, 0.02
    if name.endswith("running_var"):
        return 1.0, 0.0
    if len(shape) >= 2 and min(shape[0], math.prod(shape[1:])) > 1:
        return 0.0, 1 / math.sqrt(math.prod(shape[1:]))
    return (1.0, 0.02) if ("norm" in name or "_ln." in name) and not name.endswith("bias") else (0.0, 0.01)


class Pool:
    def __init__(self, dtype):
        self.dtype, self.start = dtype, 0
        self.normal = np.random.Generator(np.random.PCG64(1)).standard_normal(POOL, dtype=np.float32)

    def write(self, file, name, shape):
        mean, deviation = spread(name, shape)
        left = math.prod(shape)
        while left > 0:
            part = self.normal[self.start:self.start + left]
            encoded(part * np.float32(deviation) + np.float32(mean), self.dtype).tofile(file)
            left -= len(part)
            self.start = (self.start + len(part)) % POOL


def write_weights(path, listed, dtype, pool):
    label, size = DTYPES[dtype]
    header, end = {}, 0
    for name, shape in listed:
        count = math.prod(shape) * size
        header[name] = {"dtype": label, "shape": list(shape), "data_offsets": [end, end + count]}
        end += count
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        if pool is None:
            os.truncate(path, 8 + len(text) + end)
        else:
            for name, shape in listed:
                pool.write(file, name, shape)


def write_part(folder, model, prefix, dtype, pool):
    """The model lies on the meta device: only its names and shapes count."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    listed = [(prefix + name, tuple(value.shape)) for name, value in model.state_dict().items()
              if not name.endswith("num_batches_tracked")]
    diffusers = hasattr(model, "save_config")
    if diffusers:
        model.save_config(folder)
    else:
        model.config.architectures = [type(model).__name__]
        model.config.save_pretrained(folder)
    write_weights(folder / ("diffusion_pytorch_model.safetensors" if diffusers else "model.safetensors"), listed, dtype,
                  pool)
    values = sum(math.prod(shape) for _, shape in listed)
    print(f"{folder.name}: {len(listed)} tensors, {values:,} values")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--dtype", choices=DTYPES, default="bf16")
    parser.add_argument("--empty", nargs="?", const="all", default="")
    options = parser.parse_args()
    drawn.copy(TINY / options.family, options.out)
    pool = None if options.empty == "all" else Pool(options.dtype)
    for part, make in FAMILIES[options.family].items():
        with torch.device("meta"):
            model = make()
        write_part(options.out / part, model, "model." if isinstance(model, Qwen3Model) else "", options.dtype,
                   None if part in options.empty.split(",") else pool)


if __name__ == "__main__":
    main()
