"""Writes the tiny ERNIE-Image models and their reference values.

    python tests/golden/make_ernie_image.py     needs torch, diffusers, transformers, peft, tokenizers

As in make_models.py: seeded, float64 from the stored weights, written as F32. (diffusers computes timestep sinusoids
and angles of rotations in float32 for any model type; that is kept.)

Models, tests/golden/models/
  ernie_image/                   diffusers folder, F16: width 48 (3 heads of 16), 2 layers; Ministral 3 of width 24 and 3
                                 layers (3 heads, 1 for keys), in a Mistral 3 with a vision tower; VAE 8,16 with 4
                                 channels, so patches of 16; a byte-level BPE that splits words as Mistral's does
  ernie_image_base.safetensors   the transformer alone in ComfyUI's naming, F16, `mantissa.config` metadata: width 30
                                 (3 heads of 10), 1 layer, text of the same width, θ 100
  ernie_image_bare.safetensors   the transformer alone in diffusers' naming, BF16, without a config: width 16 (2 heads
                                 of 8), 3 layers

References, tests/golden/reference/
  <model>.safetensors
    latents [2,C,h,w]  timesteps [2] (of the pipeline: 1000 is noise)  text [2,tokens,D]
    keys [2,tokens]: 0 for a token, -10000 for padding  prediction [2,C,h,w]
  <model>_lora.safetensors, <model>_dora.safetensors
    noise target loss prediction, adapter.<tensor>, grad.<tensor> on attention and feed-forwards
  ernie_image_text.safetensors   of the pipeline's prompts and a long one: ids.<n> [tokens] I32, hidden.<n> [tokens,24]
  ernie_image_sampling.safetensors   sigmas.<n>.<tokens> [n + 1] of the pipeline's schedule for n steps; the image's
                                     tokens change nothing
  keys/ernie_image.tsv           names and shapes of the released transformer, layers once
"""

import json

import torch
from diffusers import AutoencoderKLFlux2, ErnieImagePipeline, ErnieImageTransformer2DModel
from diffusers import FlowMatchEulerDiscreteScheduler
from tokenizers import Regex, Tokenizer, models, pre_tokenizers, processors, trainers
from transformers import Mistral3Config, Mistral3Model, PreTrainedTokenizerFast

from make_flux_vae import WIDTHS, described
from make_models import MODELS, drawn, normal, seeded, tensors_of, unsettle, write_numpy, write_reference
from make_z_image import PROMPTS, write_part
from transformer_references import references, write_keys, write_pipeline

TARGETS = r".*\.self_attention\.(to_q|to_k|to_v|to_out\.0)|.*\.mlp\.(gate_proj|up_proj|linear_fc2)"
STACKS = ("layers.",)
LONG = "a red cat and a blue dog, a green bird and a white mouse on the grass: " * 2
SCHEDULER = {"shift": 4.0, "use_dynamic_shifting": False}
SPECIAL = ["<unk>", "<s>", "</s>", "[INST]", "[/INST]", "<pad>"]
UPPER, LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
WORDS = (rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]*[{LOWER}]+|[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]+[{LOWER}]*|\p{{N}}"
         r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
RELEASED = dict(hidden_size=4096, num_attention_heads=32, num_layers=36, ffn_hidden_size=12288, text_in_dim=3072)


def transformer_config(heads, axes, layers, hidden, channels, text, **others):
    return dict(hidden_size=heads * sum(axes), num_attention_heads=heads, num_layers=layers, ffn_hidden_size=hidden,
                in_channels=channels, out_channels=channels, patch_size=1, text_in_dim=text, rope_theta=256,
                rope_axes_dim=axes, eps=1e-6, qk_layernorm=True) | others


def make_transformer(config, seed, storage):
    torch.manual_seed(seed)
    model = unsettle(ErnieImageTransformer2DModel(**config), seed, storage)
    draws = drawn.Draws(seed + 1)
    with torch.no_grad():
        for name, p in sorted(model.named_parameters()):
            if name.endswith("_ln.weight"):  # norms by another name
                p.copy_(draws.normal(p.shape, 0.2, 1, storage).double())
            elif name.startswith("final_linear"):  # or NF4's error outweighs what a short run learns
                p.mul_(0.5)
    return model


def predict(model, inputs):
    """As ErnieImagePipeline calls it."""
    return model(hidden_states=inputs["latents"], timestep=inputs["timesteps"], text_bth=inputs["text"],
                 text_lens=(inputs["keys"] == 0).sum(1), return_dict=False)[0]


def write_references(name, model, config, size, tokens, lengths, seed):
    keys = torch.zeros(2, tokens).double()
    for row, length in zip(keys, lengths):
        row[length:] = -10000
    inputs = dict(latents=normal(2, config["in_channels"], *size, seed=seed),
                  timesteps=torch.tensor([984.375, 125.0]).double(), keys=keys,
                  text=normal(2, tokens, config["text_in_dim"], seed=seed + 1))
    references(name, model, inputs, predict, TARGETS, seed)


def train_tokenizer(folder):
    tokenizer = Tokenizer(models.BPE(ignore_merges=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(WORDS), behavior="isolated"),
         pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    trainer = trainers.BpeTrainer(vocab_size=300, show_progress=False, special_tokens=SPECIAL,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator(PROMPTS * 8, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", tokenizer.token_to_id("<s>"))])
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    (folder / "tokenizer_config.json").write_text(json.dumps(
        {"tokenizer_class": "TokenizersBackend", "add_bos_token": True, "bos_token": "<s>", "eos_token": "</s>",
         "unk_token": "<unk>", "pad_token": "<pad>", "model_max_length": 1024}) + "\n")
    return tokenizer


def text_reference(folder, model):
    fast = PreTrainedTokenizerFast.from_pretrained(folder / "tokenizer")
    pipe = ErnieImagePipeline(transformer=None, vae=None, text_encoder=model, tokenizer=fast,
                              scheduler=FlowMatchEulerDiscreteScheduler())
    prompts, out = [*PROMPTS, LONG], {}
    for i, (prompt, hidden) in enumerate(zip(prompts, pipe.encode_prompt(prompts, "cpu"))):
        out |= {f"ids.{i}": torch.tensor(fast(prompt)["input_ids"]).int(), f"hidden.{i}": hidden}
    write_reference("ernie_image_text.safetensors", out)


def make_text_encoder(folder):
    tokenizer = train_tokenizer(folder / "tokenizer")
    yarn = {"rope_type": "yarn", "rope_theta": 1000000.0, "factor": 16.0, "original_max_position_embeddings": 16384,
            "beta_fast": 32.0, "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1}
    text = dict(model_type="ministral3", vocab_size=tokenizer.get_vocab_size(), hidden_size=24, intermediate_size=40,
                num_hidden_layers=3, num_attention_heads=3, num_key_value_heads=1, head_dim=8, rms_norm_eps=1e-5,
                hidden_act="silu", max_position_embeddings=262144, tie_word_embeddings=True, rope_parameters=yarn)
    vision = dict(model_type="pixtral", hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=1,
                  head_dim=8, image_size=16, patch_size=4)
    torch.manual_seed(1001)
    model = unsettle(Mistral3Model(Mistral3Config(text_config=text, vision_config=vision)), 1001, torch.float16)
    write_numpy(folder / "text_encoder" / "model.safetensors", tensors_of(model, torch.float16), torch.float16,
                {"format": "pt"})
    model.config.save_pretrained(folder / "text_encoder")
    text_reference(folder, model)


def make_vae(folder):
    torch.manual_seed(1002)
    model = AutoencoderKLFlux2(**WIDTHS, latent_channels=4)
    generator = seeded(1003)
    model.bn.running_mean.copy_(0.3 * torch.randn(16, generator=generator))
    model.bn.running_var.copy_(0.8 + 4 * torch.rand(16, generator=generator))  # latents of RMS 1, as real ones have
    model.bn.to(torch.float16).float()
    write_part(folder / "vae", unsettle(model, 1002, torch.float16), described(model), "diffusion_pytorch_model")


def make_folder():
    folder = MODELS / "ernie_image"
    config = transformer_config(3, [4, 6, 6], 2, 72, 16, 24)
    transformer = make_transformer(config, 1000, torch.float16)
    write_part(folder / "transformer", transformer, {"_class_name": "ErnieImageTransformer2DModel", **config},
               "diffusion_pytorch_model")
    make_text_encoder(folder)
    make_vae(folder)
    write_pipeline(folder, SCHEDULER, {
        "_class_name": "ErnieImagePipeline", "pe": [None, None], "pe_tokenizer": [None, None],
        "scheduler": ["diffusers", "FlowMatchEulerDiscreteScheduler"],
        "text_encoder": ["transformers", "Mistral3Model"], "tokenizer": ["transformers", "TokenizersBackend"],
        "transformer": ["diffusers", "ErnieImageTransformer2DModel"], "vae": ["diffusers", "AutoencoderKLFlux2"]})
    write_references("ernie_image", transformer, config, (4, 6), 9, (9, 6), 10000)


def make_files():
    config = transformer_config(3, [2, 6, 2], 1, 44, 12, 30, rope_theta=100, eps=1e-5)
    model = make_transformer(config, 1010, torch.float16)
    arrays = {"model.diffusion_model." + k: v for k, v in tensors_of(model, torch.float16).items()}
    write_numpy(MODELS / "ernie_image_base.safetensors", arrays, torch.float16, {"mantissa.config": json.dumps(
        {"unet": {"_class_name": "ErnieImageTransformer2DModel", **config}})})
    write_references("ernie_image_base", model, config, (7, 3), 7, (4, 7), 10100)
    config = transformer_config(2, [2, 4, 2], 3, 20, 8, 12)
    model = make_transformer(config, 1020, torch.bfloat16)
    write_numpy(MODELS / "ernie_image_bare.safetensors", tensors_of(model, torch.bfloat16), torch.bfloat16)
    write_references("ernie_image_bare", model, config, (3, 5), 3, (3, 1), 10200)


def make_sampling():
    out = {}
    for steps, tokens in ((4, 24), (50, 24), (50, 4096)):
        scheduler = FlowMatchEulerDiscreteScheduler(num_train_timesteps=1000, **SCHEDULER)
        scheduler.set_timesteps(sigmas=torch.linspace(1.0, 0.0, steps + 1)[:-1])
        out[f"sigmas.{steps}.{tokens}"] = scheduler.sigmas
    write_reference("ernie_image_sampling.safetensors", out)


def main():
    make_folder()
    make_files()
    make_sampling()
    with torch.device("meta"):
        write_keys("ernie_image.tsv", ErnieImageTransformer2DModel(**RELEASED), STACKS)


if __name__ == "__main__":
    main()
