"""Writes the tiny Z-Image models and their reference values.

    python tests/golden/make_z_image.py     needs torch, diffusers, transformers, peft, tokenizers

As in make_models.py: seeded, float64 from the stored weights, written as F32. (diffusers rotates q and k and
computes timestep sinusoids in float32 for any model type; that is kept.)

Models, tests/golden/models/
  z_image/                   diffusers folder, F16: width 48 (3 heads of 16), 3 layers, 1 refiner of each kind;
                             Qwen3 of width 40 (4 heads of 8, 2 for k and v), 3 layers; VAE 8,16,16 with 16
                             channels and FLUX.1's scale and shift; a byte-level BPE of 316 tokens
  z_image_base.safetensors   the transformer alone in its authors' naming, F16, `mantissa.config` metadata: width
                             40 (5 heads of 8), 2 layers, 2 refiners, θ 100, axes 2/2/4, norm_eps 1e-4
  z_image_bare.safetensors   the transformer alone in diffusers' naming, BF16, without a config: width 56 (2 heads
                             of 28), 1 layer, 3 refiners

References, tests/golden/reference/
  <model>.safetensors
    latents [2,16,h,w]  timesteps [2] (of the pipeline: 1000 is noise)  prediction [2,16,h,w] (as the scheduler
    gets it: negated), of each sample alone
    text [2,64,C] and layout [2,64,2], for captions of different lengths (engine/models/z_image/z_image.h)
  <model>_lora.safetensors, <model>_dora.safetensors
    noise target loss prediction, adapter.<tensor>, grad.<tensor> on attention, feed-forward and modulation
  z_image_text.safetensors   of the pipeline's prompts: ids.<n> [tokens] I32, hidden.<n> [tokens,40]
  keys/z_image.tsv           names and shapes of the released transformer, blocks of one kind once
"""

import json

import torch
from diffusers import AutoencoderKL, ZImageTransformer2DModel
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers
from transformers import Qwen3Config, Qwen3Model

from make_models import MODELS, normal, seeded, tensors_of, unsettle, vae_config, write_numpy, write_reference
from make_qwen_tokens import SPECIAL, WORDS
from transformer_references import references, write_keys, write_pipeline

TOKENS = 64
TARGETS = r".*\.(to_q|to_k|to_v|to_out\.0|w1|w2|w3)|(layers|noise_refiner)\.\d+\.adaLN_modulation\.0"
PROMPTS = ["a photo of a red cat", "", "the blue dog sits on the grass, 2 birds fly: why?"]
STACKS = ("layers.", "noise_refiner.", "context_refiner.")


def transformer_config(dim, heads, axes, layers, refiners, captions, **others):
    return dict(all_patch_size=[2], all_f_patch_size=[1], in_channels=16, dim=dim, n_layers=layers,
                n_refiner_layers=refiners, n_heads=heads, n_kv_heads=heads, norm_eps=1e-5, qk_norm=True,
                cap_feat_dim=captions, rope_theta=256.0, t_scale=1000.0, axes_dims=axes,
                axes_lens=[1536, 512, 512]) | others


def make_transformer(config, seed, storage):
    torch.manual_seed(seed)
    model = unsettle(ZImageTransformer2DModel(**config), seed, storage)
    generator = seeded(seed + 1)
    with torch.no_grad():
        for name, p in model.named_parameters():
            if name == "t_embedder.mlp.0.weight":
                # Its size doesn't depend on the width: two values only, for the repository's sake.
                signs = torch.randint(0, 2, p.shape, generator=generator) * 2 - 1
                p.copy_((signs * 0.0625).to(storage).double())
            elif name.endswith("pad_token"):
                p.copy_(torch.randn(p.shape, generator=generator).to(storage).double())
    return model


def original_names(arrays):
    """The authors' names, with q, k, v fused."""
    import numpy as np
    out, fused = {}, {}
    for name, value in arrays.items():
        for new, old in (("all_x_embedder.2-1.", "x_embedder."), ("all_final_layer.2-1.", "final_layer."),
                         (".to_out.0.", ".out."), (".norm_q.", ".q_norm."), (".norm_k.", ".k_norm.")):
            name = name.replace(new, old)
        head, _, kind = name.rpartition(".to_")
        if head:
            fused.setdefault(f"model.diffusion_model.{head}.qkv.weight", {})[kind[0]] = value
        else:
            out["model.diffusion_model." + name] = value
    out["model.diffusion_model.norm_final.weight"] = next(iter(arrays.values())).reshape(-1)[:8]
    return out | {name: np.concatenate([parts[k] for k in "qkv"]) for name, parts in fused.items()}


def run_one(model, latents, time, text):
    """As ZImagePipeline calls it, for one sample."""
    return -model([latents.unsqueeze(1)], time, [text], return_dict=False)[0][0].squeeze(1)


def predict(model, inputs, lengths):
    times = (1000 - inputs["timesteps"]) / 1000
    return torch.stack([run_one(model, inputs["latents"][i], times[i:i + 1], inputs["text"][i, :n])
                        for i, n in enumerate(lengths)])


def make_inputs(config, height, width, lengths, seed):
    text, layout = normal(len(lengths), TOKENS, config["cap_feat_dim"], seed=seed), torch.zeros(len(lengths), TOKENS, 2)
    for i, n in enumerate(lengths):
        text[i, n:] = 0
        layout[i, :n, 0] = 1
        layout[i, n:(n + 31) // 32 * 32, 1] = 1
    return dict(latents=normal(len(lengths), 16, height, width, seed=seed + 1),
                timesteps=torch.tensor([981.5, 127.0]).double(), text=text, layout=layout)


def write_references(name, model, config, size, lengths, seed):
    references(name, model, make_inputs(config, *size, lengths, seed), lambda m, inputs: predict(m, inputs, lengths),
               TARGETS, seed)


def train_tokenizer(folder):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(WORDS), behavior="isolated"),
         pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    trainer = trainers.BpeTrainer(vocab_size=300, show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator(PROMPTS * 8 + ["user\n", "assistant\n"] * 8, trainer)
    tokenizer.add_tokens([AddedToken(t, special=True, normalized=False) for t in SPECIAL]
                         + [AddedToken(t, normalized=False) for t in ("<think>", "</think>")])
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    (folder / "tokenizer_config.json").write_text(json.dumps(
        {"tokenizer_class": "Qwen2Tokenizer", "pad_token": "<|endoftext|>", "eos_token": "<|im_end|>",
         "model_max_length": 1024}) + "\n")
    return tokenizer


def text_reference(tokenizer, model):
    out = {}
    for i, prompt in enumerate(PROMPTS):
        chat = f"<|im_start|>user\n{prompt}<|im_end|>\n<|im_start|>assistant\n"
        ids = torch.tensor([tokenizer.encode(chat).ids])
        with torch.no_grad():
            hidden = model(input_ids=ids, output_hidden_states=True).hidden_states[-2]
        out |= {f"ids.{i}": ids[0].int(), f"hidden.{i}": hidden[0]}
    write_reference("z_image_text.safetensors", out)


def write_part(folder, model, config, file):
    write_numpy(folder / f"{file}.safetensors", tensors_of(model, torch.float16), torch.float16, {"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")


def make_folder():
    folder = MODELS / "z_image"
    config = transformer_config(48, 3, [4, 6, 6], 3, 1, 40)
    transformer = make_transformer(config, 600, torch.float16)
    write_part(folder / "transformer", transformer, {"_class_name": "ZImageTransformer2DModel", **config},
               "diffusion_pytorch_model")
    tokenizer = train_tokenizer(folder / "tokenizer")
    text_config = dict(vocab_size=tokenizer.get_vocab_size(), hidden_size=40, intermediate_size=72, num_hidden_layers=3,
                       num_attention_heads=4, num_key_value_heads=2, head_dim=8, rms_norm_eps=1e-6,
                       rope_theta=1000000.0, tie_word_embeddings=True, attention_bias=False,
                       max_position_embeddings=1024, hidden_act="silu")
    torch.manual_seed(601)
    text = unsettle(Qwen3Model(Qwen3Config(**text_config)), 601, torch.float16)
    write_numpy(folder / "text_encoder" / "model.safetensors",
                {f"model.{k}": v for k, v in tensors_of(text, torch.float16).items()}, torch.float16,
                {"format": "pt"})
    (folder / "text_encoder" / "config.json").write_text(
        json.dumps({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", **text_config}, indent=1) + "\n")
    text_reference(tokenizer, text)
    vae = {**vae_config((8, 16, 16), 1, 64), "latent_channels": 16, "scaling_factor": 0.3611, "shift_factor": 0.1159,
           "use_quant_conv": False, "use_post_quant_conv": False}
    torch.manual_seed(602)
    write_part(folder / "vae", unsettle(AutoencoderKL(**vae), 602, torch.float16),
               {"_class_name": "AutoencoderKL", **vae}, "diffusion_pytorch_model")
    write_pipeline(folder, {"use_dynamic_shifting": False, "shift": 6.0}, {
        "_class_name": "ZImagePipeline", "scheduler": ["diffusers", "FlowMatchEulerDiscreteScheduler"],
        "text_encoder": ["transformers", "Qwen3Model"], "tokenizer": ["transformers", "Qwen2Tokenizer"],
        "transformer": ["diffusers", "ZImageTransformer2DModel"], "vae": ["diffusers", "AutoencoderKL"]})
    write_references("z_image", transformer, config, (8, 12), (5, 40), 6000)


def make_files():
    config = transformer_config(40, 5, [2, 2, 4], 2, 2, 24, rope_theta=100.0, norm_eps=1e-4)
    model = make_transformer(config, 610, torch.float16)
    write_numpy(MODELS / "z_image_base.safetensors", original_names(tensors_of(model, torch.float16)), torch.float16,
                {"mantissa.config": json.dumps({"unet": {"_class_name": "ZImageTransformer2DModel", **config}})})
    write_references("z_image_base", model, config, (16, 8), (33, 64), 6100)
    config = transformer_config(56, 2, [6, 10, 12], 1, 3, 20)
    model = make_transformer(config, 620, torch.bfloat16)
    write_numpy(MODELS / "z_image_bare.safetensors", tensors_of(model, torch.bfloat16), torch.bfloat16)
    write_references("z_image_bare", model, config, (6, 14), (32, 1), 6200)


def main():
    make_folder()
    make_files()
    with torch.device("meta"):
        write_keys("z_image.tsv", ZImageTransformer2DModel(), STACKS)


if __name__ == "__main__":
    main()
