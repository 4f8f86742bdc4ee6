"""Writes the tiny FLUX.2 models and their reference values.

    python tests/golden/make_flux2.py     needs torch, diffusers, transformers, peft, tokenizers

As in make_models.py: seeded, float64 from the stored weights, written as F32. (diffusers computes timestep sinusoids
and applies rotations in float32 for any model type; that is kept.)

Models, tests/golden/models/
  flux2/                   diffusers folder, F16: width 48 (3 heads of 16), 1 double and 3 single blocks; Qwen3 of
                           width 8 and 28 layers, as FLUX.2 klein reads the input of three of them; VAE 8,16 with 4
                           channels, so patches of 16; a byte-level BPE of 316 tokens
  flux2_base.safetensors   the transformer alone in its authors' naming, F16, `mantissa.config` metadata: width 40
                           (5 heads of 8), 2 double and 1 single block, feed-forwards 2.5 times as wide, θ 500
  flux2_bare.safetensors   the transformer alone in diffusers' naming, BF16, without a config: width 48 (2 heads of
                           24), 1 double and 2 single blocks, feed-forwards twice as wide, with guidance

References, tests/golden/reference/
  <model>.safetensors
    latents [2,C,h,w]  timesteps [2] (of the pipeline: 1000 is noise)  text [2,tokens,D]  prediction [2,C,h,w]
    guidance [2], for the model that takes it
  flux2_edit…              as of flux2, with reference_1 [2,C,4,2] and reference_2 [2,C,2,3], whose predictions the
                           pipeline leaves out
  <model>_lora.safetensors, <model>_dora.safetensors
    noise target loss prediction, adapter.<tensor>, grad.<tensor> on attention and feed-forwards
  flux2_text.safetensors   of the pipeline's prompts, padded to 512: ids.<n> [512] I32, real.<n> [512] I32,
                           hidden.<n> [48,24], the first tokens only
  keys/flux2.tsv           names and shapes of klein 4B's transformer, blocks of one kind once
"""

import json

import torch
from diffusers import AutoencoderKLFlux2, Flux2KleinPipeline, Flux2Transformer2DModel
from transformers import Qwen3Config, Qwen3ForCausalLM

from make_flux_vae import WIDTHS, described
from make_models import MODELS, normal, seeded, tensors_of, unsettle, write_numpy, write_reference
from make_z_image import PROMPTS, train_tokenizer, write_part
from transformer_references import references, write_keys, write_pipeline

TOKENS = 512
STATES = (9, 18, 27)
STACKS = ("transformer_blocks.", "single_transformer_blocks.")
TARGETS = (r".*\.attn\.(to_q|to_k|to_v|to_out\.0|add_q_proj|add_k_proj|add_v_proj|to_add_out|to_qkv_mlp_proj)"
           r"|single_transformer_blocks\.\d+\.attn\.to_out|.*\.(ff|ff_context)\.linear_(in|out)")
KLEIN = dict(num_layers=5, num_single_layers=20, num_attention_heads=24, joint_attention_dim=7680,
             guidance_embeds=False)


def transformer_config(heads, head_dim, axes, blocks, channels, text, **others):
    return dict(patch_size=1, in_channels=channels, out_channels=None, num_layers=blocks[0],
                num_single_layers=blocks[1], attention_head_dim=head_dim, num_attention_heads=heads,
                joint_attention_dim=text, timestep_guidance_channels=64, mlp_ratio=3.0, axes_dims_rope=axes,
                rope_theta=2000, eps=1e-6, guidance_embeds=False) | others


def make_transformer(config, seed, storage):
    torch.manual_seed(seed)
    return unsettle(Flux2Transformer2DModel(**config), seed, storage)


def original_names(arrays):
    """The authors' names, with q, k, v fused and the exit's halves exchanged."""
    import numpy as np
    double = {"attn.to_out.0": "img_attn.proj", "attn.norm_q": "img_attn.norm.query_norm",
              "attn.norm_k": "img_attn.norm.key_norm", "ff.linear_in": "img_mlp.0", "ff.linear_out": "img_mlp.2",
              "attn.to_add_out": "txt_attn.proj", "attn.norm_added_q": "txt_attn.norm.query_norm",
              "attn.norm_added_k": "txt_attn.norm.key_norm", "ff_context.linear_in": "txt_mlp.0",
              "ff_context.linear_out": "txt_mlp.2"}
    single = {"attn.to_qkv_mlp_proj": "linear1", "attn.to_out": "linear2", "attn.norm_q": "norm.query_norm",
              "attn.norm_k": "norm.key_norm"}
    top = {"x_embedder": "img_in", "context_embedder": "txt_in", "proj_out": "final_layer.linear",
           "time_guidance_embed.timestep_embedder.linear_1": "time_in.in_layer",
           "time_guidance_embed.timestep_embedder.linear_2": "time_in.out_layer",
           "norm_out.linear": "final_layer.adaLN_modulation.1"}
    top |= {f"{m}.linear": f"{m}.lin" for m in ("double_stream_modulation_img", "double_stream_modulation_txt",
                                                "single_stream_modulation")}
    fused = {"to_q": ("img", 0), "to_k": ("img", 1), "to_v": ("img", 2),
             "add_q_proj": ("txt", 0), "add_k_proj": ("txt", 1), "add_v_proj": ("txt", 2)}
    out, shares = {}, {}
    for name, value in arrays.items():
        module = name.removesuffix(".weight")
        stack, _, rest = module.partition(".")
        index, _, rest = rest.partition(".")
        if stack == "transformer_blocks" and rest.removeprefix("attn.") in fused:
            stream, share = fused[rest.removeprefix("attn.")]
            shares.setdefault(f"double_blocks.{index}.{stream}_attn.qkv.weight", {})[share] = value
            continue
        if module == "norm_out.linear":
            value = np.concatenate(np.split(value, 2)[::-1])
        if stack == "transformer_blocks":
            module = f"double_blocks.{index}.{double[rest]}"
        elif stack == "single_transformer_blocks":
            module = f"single_blocks.{index}.{single[rest]}"
        else:
            module = top[module]
        out[module + (".scale" if module.endswith("_norm") else ".weight")] = value
    out |= {name: np.concatenate([parts[i] for i in range(3)]) for name, parts in shares.items()}
    return {"model.diffusion_model." + name: value for name, value in out.items()}


def predict(model, inputs):
    """As Flux2KleinPipeline calls it."""
    latents = inputs["latents"]
    b, c, h, w = latents.shape
    tokens, ids = [Flux2KleinPipeline._pack_latents(latents)], [Flux2KleinPipeline._prepare_latent_ids(latents)]
    references = [value for name, value in inputs.items() if name.startswith("reference_")]
    if references:
        tokens += [Flux2KleinPipeline._pack_latents(r) for r in references]
        ids.append(Flux2KleinPipeline._prepare_image_ids([r[:1] for r in references]).repeat(b, 1, 1))
    out = model(hidden_states=torch.cat(tokens, dim=1), timestep=inputs["timesteps"] / 1000,
                guidance=inputs.get("guidance"), encoder_hidden_states=inputs["text"],
                txt_ids=Flux2KleinPipeline._prepare_text_ids(inputs["text"]),
                img_ids=torch.cat(ids, dim=1), return_dict=False)[0]
    return out[:, :h * w].permute(0, 2, 1).reshape(b, c, h, w)


def make_inputs(config, height, width, tokens, seed):
    inputs = dict(latents=normal(2, config["in_channels"], height, width, seed=seed),
                  timesteps=torch.tensor([981.5, 127.0]).double(),
                  text=normal(2, tokens, config["joint_attention_dim"], seed=seed + 1))
    if config["guidance_embeds"]:
        # Small: at 4, 4000 radians of float32 are off by 2e-4.
        inputs["guidance"] = torch.tensor([0.5, 0.125]).double()
    return inputs


def edit_references(transformer, config):
    inputs = make_inputs(config, 4, 6, 9, 7050)
    for i, size in enumerate([(4, 2), (2, 3)]):
        inputs[f"reference_{i + 1}"] = normal(2, config["in_channels"], *size, seed=7060 + i)
    references("flux2_edit", transformer, inputs, predict, TARGETS, 7050)


def write_references(name, model, config, size, tokens, seed):
    references(name, model, make_inputs(config, *size, tokens, seed), predict, TARGETS, seed)


def text_reference(tokenizer, model):
    out, padding = {}, tokenizer.token_to_id("<|endoftext|>")
    for i, prompt in enumerate(PROMPTS):
        chat = f"<|im_start|>user\n{prompt}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
        ids = tokenizer.encode(chat).ids
        real = torch.tensor([[1] * len(ids) + [0] * (TOKENS - len(ids))])
        ids = torch.tensor([ids + [padding] * (TOKENS - len(ids))])
        with torch.no_grad():
            states = model(input_ids=ids, attention_mask=real, output_hidden_states=True).hidden_states
        hidden = torch.cat([states[k][0, :48] for k in STATES], dim=-1)
        out |= {f"ids.{i}": ids[0].int(), f"real.{i}": real[0].int(), f"hidden.{i}": hidden}
    write_reference("flux2_text.safetensors", out)


def make_text_encoder(folder):
    tokenizer = train_tokenizer(folder / "tokenizer")
    config = dict(vocab_size=tokenizer.get_vocab_size(), hidden_size=8, intermediate_size=16, num_hidden_layers=28,
                  num_attention_heads=2, num_key_value_heads=1, head_dim=4, rms_norm_eps=1e-6, rope_theta=1000000.0,
                  tie_word_embeddings=True, attention_bias=False, max_position_embeddings=1024, hidden_act="silu")
    torch.manual_seed(701)
    model = unsettle(Qwen3ForCausalLM(Qwen3Config(**config)), 701, torch.float16)
    arrays = {k: v for k, v in tensors_of(model, torch.float16).items() if k != "lm_head.weight"}
    write_numpy(folder / "text_encoder" / "model.safetensors", arrays, torch.float16, {"format": "pt"})
    (folder / "text_encoder" / "config.json").write_text(
        json.dumps({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", **config}, indent=1) + "\n")
    text_reference(tokenizer, model)


def make_vae(folder):
    torch.manual_seed(702)
    model = AutoencoderKLFlux2(**WIDTHS, latent_channels=4)
    generator = seeded(703)
    model.bn.running_mean.copy_(0.3 * torch.randn(16, generator=generator))
    model.bn.running_var.copy_(0.2 + torch.rand(16, generator=generator))
    model.bn.to(torch.float16).float()
    write_part(folder / "vae", unsettle(model, 702, torch.float16), described(model), "diffusion_pytorch_model")


def make_folder():
    folder = MODELS / "flux2"
    config = transformer_config(3, 16, [4, 4, 4, 4], (1, 3), 16, 24)
    transformer = make_transformer(config, 700, torch.float16)
    write_part(folder / "transformer", transformer, {"_class_name": "Flux2Transformer2DModel", **config},
               "diffusion_pytorch_model")
    make_text_encoder(folder)
    make_vae(folder)
    write_pipeline(folder, {
        "shift": 3.0, "use_dynamic_shifting": True, "base_shift": 0.5, "max_shift": 1.15, "base_image_seq_len": 256,
        "max_image_seq_len": 4096, "time_shift_type": "exponential"}, {
        "_class_name": "Flux2KleinPipeline", "is_distilled": False,
        "scheduler": ["diffusers", "FlowMatchEulerDiscreteScheduler"],
        "text_encoder": ["transformers", "Qwen3ForCausalLM"], "tokenizer": ["transformers", "Qwen2Tokenizer"],
        "transformer": ["diffusers", "Flux2Transformer2DModel"], "vae": ["diffusers", "AutoencoderKLFlux2"]})
    write_references("flux2", transformer, config, (4, 6), 9, 7000)
    edit_references(transformer, config)


def make_files():
    config = transformer_config(5, 8, [2, 2, 2, 2], (2, 1), 12, 20, rope_theta=500, eps=1e-5, mlp_ratio=2.5)
    model = make_transformer(config, 710, torch.float16)
    write_numpy(MODELS / "flux2_base.safetensors", original_names(tensors_of(model, torch.float16)), torch.float16,
                {"mantissa.config": json.dumps({"unet": {"_class_name": "Flux2Transformer2DModel", **config}})})
    write_references("flux2_base", model, config, (7, 3), 16, 7100)
    config = transformer_config(2, 24, [6, 6, 6, 6], (1, 2), 8, 28, mlp_ratio=2.0, guidance_embeds=True)
    model = make_transformer(config, 720, torch.bfloat16)
    write_numpy(MODELS / "flux2_bare.safetensors", tensors_of(model, torch.bfloat16), torch.bfloat16)
    write_references("flux2_bare", model, config, (3, 5), 1, 7200)


def main():
    make_folder()
    make_files()
    with torch.device("meta"):
        write_keys("flux2.tsv", Flux2Transformer2DModel(**KLEIN), STACKS)


if __name__ == "__main__":
    main()
