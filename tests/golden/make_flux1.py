"""Writes the tiny FLUX.1 models and their reference values.

    python tests/golden/make_flux1.py     needs torch, diffusers, transformers, peft, tokenizers, sentencepiece

As in make_models.py: seeded, float64 from the stored weights, written as F32. (diffusers computes timestep sinusoids
and applies rotations in float32 for any model type; that is kept.)

Models, tests/golden/models/
  flux1/                   diffusers folder, F16, as dev: width 24 (2 heads of 12), 1 double and 2 single blocks, with
                           guidance; CLIP of width 16 with 2 layers; T5 of width 24 (3 heads of 8) with 2 layers; VAE
                           8,16,16 with 16 channels and FLUX.1's scale and shift; CLIP's tokenizer of make_models.py and
                           a unigram one of 96 pieces
  flux1_base.safetensors   the transformer alone in its authors' naming, F16, `mantissa.config` metadata, as schnell:
                           width 16 (2 heads of 8), 2 double blocks and 1 single one, without guidance
  flux1_bare.safetensors   the transformer alone in diffusers' naming, BF16, without a config: width 16 (2 heads of
                           8), 1 double and 1 single block, with guidance

References, tests/golden/reference/
  <model>.safetensors
    latents [2,16,h,w]  timesteps [2] (of the pipeline: 1000 is noise)  text [2,tokens,D]  pooled [2,P]
    guidance [2], for models that take it   prediction [2,16,h,w]
  <model>_lora.safetensors, <model>_dora.safetensors
    noise target loss prediction, adapter.<tensor>, grad.<tensor> on attention and feed-forwards
  flux1_edit…              as of flux1, with reference_1 [2,16,6,10], whose prediction FluxKontextPipeline leaves out
  flux1_text.safetensors   of the pipeline's prompts: te1.<n> [77] I32, te2.<n> [512] I32, pooled.<n> [16],
                           hidden.<n> [48,24], the first tokens only
  keys/flux1.tsv           names and shapes of dev's transformer, blocks of one kind once
"""

import copy
import io
import json

import numpy as np
import sentencepiece
import torch
from diffusers import AutoencoderKL, FluxKontextPipeline, FluxPipeline, FluxTransformer2DModel
from transformers import CLIPTextConfig, CLIPTextModel, T5Config, T5EncoderModel

from make_models import (MODELS, fast_tokenizer, normal, small_tokenizer, tensors_of, unsettle, vae_config, write_numpy,
                         write_reference, write_tokenizer)
from make_z_image import PROMPTS, write_part
from transformer_references import references, write_keys, write_pipeline

TOKENS = 512
STACKS = ("transformer_blocks.", "single_transformer_blocks.")
TARGETS = (r".*\.attn\.(to_q|to_k|to_v|to_out\.0|add_q_proj|add_k_proj|add_v_proj|to_add_out)"
           r"|.*\.(ff|ff_context)\.net\.(0\.proj|2)|.*\.proj_mlp|single_transformer_blocks\.\d+\.proj_out")


def transformer_config(heads, head_dim, axes, blocks, text, pooled, guidance):
    return dict(patch_size=1, in_channels=64, out_channels=None, num_layers=blocks[0], num_single_layers=blocks[1],
                attention_head_dim=head_dim, num_attention_heads=heads, joint_attention_dim=text,
                pooled_projection_dim=pooled, guidance_embeds=guidance, axes_dims_rope=axes)


def make_transformer(config, seed, storage):
    torch.manual_seed(seed)
    return unsettle(FluxTransformer2DModel(**config), seed, storage)


def original_names(arrays):
    """The authors' names, with q, k, v and a single block's feed-forward fused and the exit's halves exchanged."""
    double = {"attn.to_out.0": "img_attn.proj", "attn.norm_q": "img_attn.norm.query_norm",
              "attn.norm_k": "img_attn.norm.key_norm", "ff.net.0.proj": "img_mlp.0", "ff.net.2": "img_mlp.2",
              "norm1.linear": "img_mod.lin", "attn.to_add_out": "txt_attn.proj",
              "attn.norm_added_q": "txt_attn.norm.query_norm", "attn.norm_added_k": "txt_attn.norm.key_norm",
              "ff_context.net.0.proj": "txt_mlp.0", "ff_context.net.2": "txt_mlp.2",
              "norm1_context.linear": "txt_mod.lin"}
    single = {"proj_out": "linear2", "attn.norm_q": "norm.query_norm", "attn.norm_k": "norm.key_norm",
              "norm.linear": "modulation.lin"}
    top = {"x_embedder": "img_in", "context_embedder": "txt_in", "proj_out": "final_layer.linear",
           "norm_out.linear": "final_layer.adaLN_modulation.1"}
    top |= {f"time_text_embed.{a}_embedder.linear_{i}": f"{b}_in.{layer}_layer"
            for a, b in (("timestep", "time"), ("text", "vector"), ("guidance", "guidance"))
            for i, layer in ((1, "in"), (2, "out"))}
    fused = {("double_blocks", "attn." + part): (f"{stream}_attn.qkv", i)
             for stream, parts in (("img", ("to_q", "to_k", "to_v")), ("txt", ("add_q_proj", "add_k_proj", "add_v_proj")))
             for i, part in enumerate(parts)}
    fused |= {("single_blocks", part): ("linear1", i)
              for i, part in enumerate(("attn.to_q", "attn.to_k", "attn.to_v", "proj_mlp"))}
    stacks = {"transformer_blocks": ("double_blocks", double), "single_transformer_blocks": ("single_blocks", single)}
    out, shares = {}, {}
    for name, value in arrays.items():
        module, _, kind = name.rpartition(".")
        stack, _, rest = module.partition(".")
        index, _, rest = rest.partition(".")
        if stack not in stacks:
            value = np.concatenate(np.split(value, 2)[::-1]) if module == "norm_out.linear" else value
            out[f"{top[module]}.{kind}"] = value
            continue
        stack, names = stacks[stack]
        if (stack, rest) in fused:
            whole, share = fused[stack, rest]
            shares.setdefault(f"{stack}.{index}.{whole}.{kind}", {})[share] = value
        else:
            out[f"{stack}.{index}.{names[rest]}." + ("scale" if rest.startswith("attn.norm") else kind)] = value
    out |= {name: np.concatenate([parts[i] for i in sorted(parts)]) for name, parts in shares.items()}
    return {"model.diffusion_model." + name: value for name, value in out.items()}


def packed(image, place):
    """An image's tokens and their ids, as FluxKontextPipeline makes them."""
    b, c, h, w = image.shape
    ids = FluxKontextPipeline._prepare_latent_image_ids(b, h // 2, w // 2, "cpu", torch.float32)
    ids[..., 0] = place
    return FluxKontextPipeline._pack_latents(image, b, c, h, w), ids


def predict(model, inputs):
    """As FluxPipeline calls it, with references as FluxKontextPipeline does."""
    latents = inputs["latents"]
    b, c, h, w = latents.shape
    images = [packed(latents, 0)] + [packed(value, 1) for name, value in inputs.items() if name.startswith("reference_")]
    out = model(hidden_states=torch.cat([tokens for tokens, _ in images], dim=1), timestep=inputs["timesteps"] / 1000,
                guidance=inputs.get("guidance"), encoder_hidden_states=inputs["text"],
                pooled_projections=inputs["pooled"], txt_ids=torch.zeros(inputs["text"].shape[1], 3),
                img_ids=torch.cat([ids for _, ids in images]), return_dict=False)[0]
    return out[:, :h * w // 4].view(b, h // 2, w // 2, c, 2, 2).permute(0, 3, 1, 4, 2, 5).reshape(b, c, h, w)


def make_inputs(config, size, tokens, seed, guidance):
    inputs = dict(latents=normal(2, 16, *size, seed=seed), timesteps=torch.tensor([981.5, 127.0]).double(),
                  text=normal(2, tokens, config["joint_attention_dim"], seed=seed + 1),
                  pooled=normal(2, config["pooled_projection_dim"], seed=seed + 4))
    if config["guidance_embeds"]:
        inputs["guidance"] = torch.tensor(guidance).double()
    return inputs


def write_references(name, model, *inputs):
    references(name, model, make_inputs(*inputs), predict, TARGETS, inputs[3])


def edit_references(model, config):
    inputs = make_inputs(config, (8, 12), 9, 5050, [1.0, 1.0])
    inputs["reference_1"] = normal(2, 16, 6, 10, seed=5060)
    references("flux1_edit", model, inputs, predict, TARGETS, 5050)


def train_unigram(folder):
    sentences = ["a photo of a red cat", "the blue dog sits on the green grass", "two birds fly over the sea",
                 "a ring and a square in the red light", "why does the cat sit there", "2 3 4 5 birds: why?"] * 20
    model = io.BytesIO()
    # T5's own normalisation is a table of 240 kB.
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences), model_writer=model, vocab_size=96, model_type="unigram", pad_id=0, eos_id=1,
        unk_id=2, bos_id=-1, hard_vocab_limit=False, num_threads=1, minloglevel=2, normalization_rule_name="identity")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spiece.model").write_bytes(model.getvalue())
    (folder / "tokenizer_config.json").write_text(json.dumps({
        "tokenizer_class": "T5Tokenizer", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>",
        "extra_ids": 0, "model_max_length": TOKENS}) + "\n")
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


def text_reference(unigram, clip, t5):
    out, tokenize = {}, fast_tokenizer(clip.config.vocab_size - 1)
    for i, prompt in enumerate(PROMPTS):
        first = torch.tensor([tokenize(prompt)])
        ids = unigram.encode(prompt) + [1]
        second = torch.tensor([ids + [0] * (TOKENS - len(ids))])
        with torch.no_grad():
            pooled, hidden = clip(first).pooler_output, t5(second)[0]
            narrow = copy.deepcopy(t5).float()(second)[0].double()
        print("prompt", i, "in FP32:", ((narrow - hidden)[0, :48].abs().max() / hidden[0, :48].abs().max()).item())
        out |= {f"te1.{i}": first[0].int(), f"te2.{i}": second[0].int(), f"pooled.{i}": pooled[0],
                f"hidden.{i}": hidden[0, :48]}
    write_reference("flux1_text.safetensors", out)


def make_clip(folder):
    vocab = len(small_tokenizer()[0])
    config = dict(vocab_size=vocab, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
                  max_position_embeddings=77, hidden_act="quick_gelu", projection_dim=16, bos_token_id=vocab - 2,
                  eos_token_id=vocab - 1)
    torch.manual_seed(501)
    model = unsettle(CLIPTextModel(CLIPTextConfig(**config)), 501, torch.float16)
    write_numpy(folder / "text_encoder" / "model.safetensors", tensors_of(model, torch.float16), torch.float16,
                {"format": "pt"})
    (folder / "text_encoder" / "config.json").write_text(json.dumps(
        {"architectures": ["CLIPTextModel"], "model_type": "clip_text_model", **config}, indent=1) + "\n")
    write_tokenizer(folder / "tokenizer", "<|endoftext|>")
    return model


def make_t5(folder, seed=502):
    """`folder` is the text encoder's."""
    config = dict(vocab_size=96, d_model=24, d_kv=8, d_ff=32, num_layers=2, num_heads=3, feed_forward_proj="gated-gelu",
                  relative_attention_num_buckets=32, relative_attention_max_distance=128, layer_norm_epsilon=1e-6,
                  pad_token_id=0, eos_token_id=1, dropout_rate=0.0, tie_word_embeddings=False)
    torch.manual_seed(seed)
    model = unsettle(T5EncoderModel(T5Config(**config, decoder_start_token_id=0)), seed, torch.float16)
    arrays = {k: v for k, v in tensors_of(model, torch.float16).items() if k != "encoder.embed_tokens.weight"}
    write_numpy(folder / "model.safetensors", arrays, torch.float16, {"format": "pt"})
    (folder / "config.json").write_text(json.dumps(
        {"architectures": ["T5EncoderModel"], "model_type": "t5", **config}, indent=1) + "\n")
    return model


def make_vae(folder, seed=503):
    vae = {**vae_config((8, 16, 16), 1, 64), "latent_channels": 16, "scaling_factor": 0.3611, "shift_factor": 0.1159,
           "use_quant_conv": False, "use_post_quant_conv": False}
    torch.manual_seed(seed)
    write_part(folder / "vae", unsettle(AutoencoderKL(**vae), seed, torch.float16),
               {"_class_name": "AutoencoderKL", **vae}, "diffusion_pytorch_model")


def make_folder():
    folder = MODELS / "flux1"
    config = transformer_config(2, 12, [4, 4, 4], (1, 2), 24, 16, True)
    transformer = make_transformer(config, 500, torch.float16)
    write_part(folder / "transformer", transformer, {"_class_name": "FluxTransformer2DModel", **config},
               "diffusion_pytorch_model")
    text_reference(train_unigram(folder / "tokenizer_2"), make_clip(folder), make_t5(folder / "text_encoder_2"))
    make_vae(folder)
    write_pipeline(folder, {
        "shift": 3.0, "use_dynamic_shifting": True, "base_shift": 0.5, "max_shift": 1.15, "base_image_seq_len": 256,
        "max_image_seq_len": 4096}, {
        "_class_name": "FluxPipeline", "scheduler": ["diffusers", "FlowMatchEulerDiscreteScheduler"],
        "text_encoder": ["transformers", "CLIPTextModel"], "tokenizer": ["transformers", "CLIPTokenizer"],
        "text_encoder_2": ["transformers", "T5EncoderModel"], "tokenizer_2": ["transformers", "T5TokenizerFast"],
        "transformer": ["diffusers", "FluxTransformer2DModel"], "vae": ["diffusers", "AutoencoderKL"]})
    # A guidance of 1, with which training is.
    write_references("flux1", transformer, config, (8, 12), 9, 5000, [1.0, 1.0])
    edit_references(transformer, config)


def make_files():
    config = transformer_config(2, 8, [2, 2, 4], (2, 1), 20, 12, False)
    model = make_transformer(config, 510, torch.float16)
    write_numpy(MODELS / "flux1_base.safetensors", original_names(tensors_of(model, torch.float16)), torch.float16,
                {"mantissa.config": json.dumps({"unet": {"_class_name": "FluxTransformer2DModel", **config}})})
    write_references("flux1_base", model, config, (14, 6), 16, 5100, None)
    config = transformer_config(2, 8, [2, 4, 2], (1, 1), 28, 20, True)
    model = make_transformer(config, 520, torch.bfloat16)
    write_numpy(MODELS / "flux1_bare.safetensors", tensors_of(model, torch.bfloat16), torch.bfloat16)
    # Small: at 3.5, 3500 radians of float32 are off by 2e-4.
    write_references("flux1_bare", model, config, (6, 10), 4, 5200, [0.5, 0.125])


def main():
    make_folder()
    make_files()
    with torch.device("meta"):
        write_keys("flux1.tsv", FluxTransformer2DModel(guidance_embeds=True), STACKS)


if __name__ == "__main__":
    main()
