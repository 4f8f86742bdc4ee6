"""Writes the tiny Chroma models and their reference values.

    python tests/golden/make_chroma.py     needs torch, diffusers, transformers, peft, tokenizers, sentencepiece

As in make_models.py: seeded, float64 from the stored weights, written as F32. (diffusers computes sinusoids and applies
rotations in float32 for any model type; that is kept.) ChromaPipeline of diffusers 0.42.1 gives attention its mask as
numbers, which are added to the scores; here it is boolean, as in the authors' code.

Models, tests/golden/models/
  chroma/                   diffusers folder, F16: width 24 (2 heads of 12), 1 double and 2 single blocks, an approximator
                            of width 20 with 2 layers; T5 and tokenizer as FLUX.1's; VAE 8,16,16 with 16 channels and
                            FLUX.1's scale and shift
  chroma_base.safetensors   the transformer alone in its authors' naming, F16, `mantissa.config` metadata: width 18 (3
                            heads of 6), 2 double blocks and 1 single one, an approximator of width 12 with 3 layers
  chroma_bare.safetensors   the transformer alone in diffusers' naming, BF16, without a config: width 16 (2 heads of 8),
                            1 double and 1 single block, an approximator of width 28 with 1 layer

References, tests/golden/reference/
  <model>.safetensors
    latents [2,16,h,w]  timesteps [2] (of the pipeline: 1000 is noise)  text [2,tokens,D]
    keys [2,tokens] (0 where text is attended to, else -10000)   prediction [2,16,h,w]
  <model>_lora.safetensors, <model>_dora.safetensors
    noise target loss prediction, adapter.<tensor>, grad.<tensor> on attention and feed-forwards
  chroma_text.safetensors   of the pipeline's prompts: te1.<n> [512] I32, hidden.<n> [48,24] and keys.<n> [48], the first
                            tokens only
  chroma_numbers.safetensors   the sinusoids of the released size's last modulations, numbers [16,32]
  keys/chroma.tsv           names and shapes of the released transformer, blocks of one kind once
"""

import json

import torch
from diffusers import ChromaPipeline, ChromaTransformer2DModel

from make_flux1 import make_t5, make_vae, original_names, train_unigram
from make_models import MODELS, normal, tensors_of, unsettle, write_numpy, write_reference
from make_z_image import PROMPTS, write_part
from transformer_references import references, write_keys, write_pipeline

TOKENS = 512
STACKS = ("transformer_blocks.", "single_transformer_blocks.", "distilled_guidance_layer.layers.",
          "distilled_guidance_layer.norms.")
TARGETS = (r".*\.attn\.(to_q|to_k|to_v|to_out\.0|add_q_proj|add_k_proj|add_v_proj|to_add_out)"
           r"|.*\.(ff|ff_context)\.net\.(0\.proj|2)|.*\.proj_mlp|single_transformer_blocks\.\d+\.proj_out")
APPROXIMATOR = "distilled_guidance_layer."
MASKED = -10000


def transformer_config(heads, head_dim, axes, blocks, text, approximator):
    channels, width, layers = approximator
    return dict(patch_size=1, in_channels=64, out_channels=None, num_layers=blocks[0], num_single_layers=blocks[1],
                attention_head_dim=head_dim, num_attention_heads=heads, joint_attention_dim=text, axes_dims_rope=axes,
                approximator_num_channels=channels, approximator_hidden_dim=width, approximator_layers=layers)


def make_transformer(config, seed, storage):
    """The approximator's modulations are of a deviation of about 1: with larger ones predictions exceed the noise."""
    torch.manual_seed(seed)
    return unsettle(ChromaTransformer2DModel(**config), seed, storage,
                    lambda name: 0.5 if name.startswith(APPROXIMATOR + "out_proj") else 1)


def chroma_original_names(arrays):
    """The authors' names: the blocks' are FLUX.1's."""
    own = {name: value for name, value in arrays.items() if name.startswith(APPROXIMATOR)}
    out = original_names({name: value for name, value in arrays.items() if name not in own})
    for name, value in own.items():
        name = name.replace("linear_1", "in_layer").replace("linear_2", "out_layer")
        out["model.diffusion_model." + (name.replace(".weight", ".scale") if ".norms." in name else name)] = value
    return out


def predict(model, inputs):
    """As ChromaPipeline calls it."""
    latents = inputs["latents"]
    b, c, h, w = latents.shape
    image = torch.ones(b, h // 2 * (w // 2), dtype=torch.bool)
    out = model(hidden_states=ChromaPipeline._pack_latents(latents, b, c, h, w), timestep=inputs["timesteps"] / 1000,
                encoder_hidden_states=inputs["text"], txt_ids=torch.zeros(inputs["text"].shape[1], 3),
                img_ids=ChromaPipeline._prepare_latent_image_ids(b, h // 2, w // 2, "cpu", torch.float32),
                attention_mask=torch.cat([inputs["keys"] == 0, image], 1), return_dict=False)[0]
    return out.view(b, h // 2, w // 2, c, 2, 2).permute(0, 3, 1, 4, 2, 5).reshape(b, c, h, w)


def mask_of(lengths, tokens):
    """Of captions of these lengths: one token of padding is attended to as well."""
    attended = torch.arange(tokens)[None] <= torch.tensor(lengths)[:, None]
    return torch.where(attended, 0.0, float(MASKED)).double()


def write_references(name, model, config, size, lengths, tokens, seed):
    inputs = dict(latents=normal(2, 16, *size, seed=seed), timesteps=torch.tensor([981.5, 127.0]).double(),
                  text=normal(2, tokens, config["joint_attention_dim"], seed=seed + 1), keys=mask_of(lengths, tokens))
    references(name, model, inputs, predict, TARGETS, seed)


def text_reference(unigram, t5):
    out = {}
    for i, prompt in enumerate(PROMPTS):
        ids = unigram.encode(prompt) + [1]
        padded = torch.tensor([ids + [0] * (TOKENS - len(ids))])
        with torch.no_grad():
            hidden = t5(padded, attention_mask=(torch.arange(TOKENS) < len(ids))[None].long())[0]
        out |= {f"te1.{i}": padded[0].int(), f"hidden.{i}": hidden[0, :48],
                f"keys.{i}": mask_of([len(ids)], TOKENS)[0, :48]}
    write_reference("chroma_text.safetensors", out)


def make_folder():
    folder = MODELS / "chroma"
    config = transformer_config(2, 12, [4, 4, 4], (1, 2), 24, (32, 20, 2))
    transformer = make_transformer(config, 632, torch.float16)
    write_part(folder / "transformer", transformer, {"_class_name": "ChromaTransformer2DModel", **config},
               "diffusion_pytorch_model")
    text_reference(train_unigram(folder / "tokenizer"), make_t5(folder / "text_encoder", 602))
    make_vae(folder, 603)
    write_pipeline(folder, {"shift": 3.0, "use_dynamic_shifting": False, "base_shift": 0.5, "max_shift": 1.15,
                            "base_image_seq_len": 256, "max_image_seq_len": 4096}, {
        "_class_name": "ChromaPipeline", "scheduler": ["diffusers", "FlowMatchEulerDiscreteScheduler"],
        "feature_extractor": [None, None], "image_encoder": [None, None],
        "text_encoder": ["transformers", "T5EncoderModel"], "tokenizer": ["transformers", "T5TokenizerFast"],
        "transformer": ["diffusers", "ChromaTransformer2DModel"], "vae": ["diffusers", "AutoencoderKL"]})
    write_references("chroma", transformer, config, (8, 12), [4, 8], 9, 6000)


def make_files():
    config = transformer_config(3, 6, [2, 2, 2], (2, 1), 20, (16, 12, 3))
    model = make_transformer(config, 640, torch.float16)
    write_numpy(MODELS / "chroma_base.safetensors", chroma_original_names(tensors_of(model, torch.float16)),
                torch.float16, {"mantissa.config": json.dumps(
                    {"unet": {"_class_name": "ChromaTransformer2DModel", **config}})})
    write_references("chroma_base", model, config, (14, 6), [1, 16], 16, 6100)
    config = transformer_config(2, 8, [2, 4, 2], (1, 1), 28, (24, 28, 1))
    model = make_transformer(config, 620, torch.bfloat16)
    write_numpy(MODELS / "chroma_bare.safetensors", tensors_of(model, torch.bfloat16), torch.bfloat16)
    write_references("chroma_bare", model, config, (6, 10), [3, 2], 4, 6200)


def main():
    make_folder()
    make_files()
    numbers = ChromaTransformer2DModel(num_attention_heads=1, attention_head_dim=16, axes_dims_rope=(4, 6, 6),
                                       joint_attention_dim=8, approximator_hidden_dim=8)
    write_reference("chroma_numbers.safetensors", {"numbers": numbers.time_text_embed.mod_proj[-16:]})
    with torch.device("meta"):
        write_keys("chroma.tsv", ChromaTransformer2DModel(), STACKS)


if __name__ == "__main__":
    main()
