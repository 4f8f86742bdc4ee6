"""Writes the tiny FLUX.3 models and their reference values.

    python tests/golden/make_flux3.py     needs torch, diffusers, transformers, peft, tokenizers

As in make_models.py: seeded, float64 from the stored weights, written as F32. (diffusers computes timestep sinusoids
and norms of q and k and applies rotations in float32 for any model type; that is kept.)

Models, tests/golden/models/
  flux3/                   diffusers folder, F16: width 36 (3 heads of 12), 1 block per mode and 2 single blocks;
                           Qwen3-VL of width 8 and 36 layers, with a vision tower; VAE 8,16 with 4 channels, so patches
                           of 16; a byte-level BPE of 316 tokens
  flux3_base.safetensors   the transformer alone in its authors' naming, F16, `mantissa.config` metadata: width 32
                           (4 heads of 8), 2 blocks per mode and 1 single block, feed-forwards 2.5 times as wide, θ 500;
                           references of 10 channels
  flux3_bare.safetensors   the transformer alone in diffusers' naming, BF16, without a config: width 32 (2 heads of
                           16), 1 block per mode and 2 single blocks, feed-forwards twice as wide; a flow map

References, tests/golden/reference/
  <model>.safetensors
    latents [2,C,h,w]  timesteps [2] (of the pipeline: 1000 is noise)  text [2,tokens,D]  prediction [2,C,h,w]
    references [2,C',h',w'], of two images of these sizes in flux3_base: the same, then transposed
  flux3_edit…              as of flux3, with reference_1 [2,C,3,5] and reference_2 [2,C,4,2], whose blocks are adapted too
  <model>_lora.safetensors, <model>_dora.safetensors
    noise target loss prediction, adapter.<tensor>, grad.<tensor> on attention and feed-forwards
  flux3_text.safetensors   of the pipeline's prompts and a long one: ids.<n>, real.<n> [tokens] I32, hidden.<n>
                           [tokens/5,64], of every fifth token
  flux3_sampling.safetensors   sigmas.<n> [n + 1] of the pipeline's schedule for n steps
  keys/flux3.tsv           names and shapes of klein Base's transformer, blocks of one kind once
"""

import copy
import json

import torch
from diffusers import AutoencoderKLFlux2, FlowMatchEulerDiscreteScheduler, Flux3Transformer2DModel
from diffusers.modular_pipelines.flux3 import before_denoise, encoders
from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

from make_flux_vae import WIDTHS, described
from make_models import MODELS, normal, seeded, tensors_of, unsettle, write_numpy, write_reference
from make_z_image import PROMPTS, train_tokenizer, write_part
from transformer_references import largest_deviation, references, write_keys, write_pipeline

STACKS = ("mode_blocks.image.", "mode_blocks.image_cond.", "txt_mode_blocks.", "single_transformer_blocks.")
STEP = 5
LONG = "a red cat and a blue dog, a green bird and a white mouse on the grass: " * 3


def transformer_config(heads, head_dim, axes, blocks, channels, text, **others):
    return dict(in_channels=channels[0], cond_in_channels=channels[1], num_layers=blocks[0],
                num_single_layers=blocks[1], attention_head_dim=head_dim, num_attention_heads=heads,
                joint_attention_dim=text, timestep_channels=64, mlp_ratio=3.0, axes_dims_rope=axes, rope_theta=10000,
                eps=1e-6, flow_map=False) | others


def make_transformer(config, seed, storage):
    torch.manual_seed(seed)
    return unsettle(Flux3Transformer2DModel(**config), seed, storage)


def original_names(arrays):
    """The authors' names, with the exit's halves exchanged."""
    import numpy as np
    top = {"x_embedders.image": "emb_in.image", "x_embedders.image_cond": "emb_in.image_cond",
           "context_embedder": "txt_in", "proj_out": "final_layer.image.linear",
           "norm_out.linear": "final_layer.image.adaLN_modulation.1"}
    top |= {f"{a}timestep_embedder.linear_{i}": f"{b}time_in.{layer}_layer"
            for a, b in (("", ""), ("target_", "ref_")) for i, layer in ((1, "in"), (2, "out"))}
    inside = {"attn.to_q": "q_proj", "attn.to_k": "k_proj", "attn.to_v": "v_proj", "attn.to_out.0": "attn_out",
              "attn.norm_q": "norm.query_norm", "attn.norm_k": "norm.key_norm", "ff.linear_in": "mlp_in",
              "ff.linear_out": "mlp_out"}
    out = {}
    for name, value in arrays.items():
        module = name.removesuffix(".weight")
        if module == "norm_out.linear":
            value = np.concatenate(np.split(value, 2)[::-1])
        if module in top:
            module = top[module]
        elif "_modulations." in module:
            module = module.removesuffix("linear") + "lin"
        else:
            for new, old in inside.items():
                if module.endswith("." + new):
                    module = module.removesuffix(new) + old
            module = module.replace("single_transformer_blocks.", "single_blocks.")
            module = "content_" + module if module.startswith("mode_blocks.") else module
        out["model.diffusion_model." + module + (".scale" if module.endswith("_norm") else ".weight")] = value
    return out


def tokens_of(latents):
    return latents.flatten(2).transpose(1, 2)


def predict(model, inputs):
    """As the modular pipeline calls it; a flow map is asked for its velocity, a jump of no length."""
    latents = inputs["latents"]
    b, c, h, w = latents.shape
    ids, scale, others = before_denoise._prepare_image_ids, 0.5, {}
    images = [value for key, value in inputs.items() if key.startswith("reference_")]
    if "references" in inputs:
        images = [inputs["references"], inputs["references"].transpose(2, 3)]
    if images:
        others["image_cond_hidden_states"] = torch.cat([tokens_of(i) for i in images], 1)
        others["image_cond_ids"] = torch.cat(
            [ids(*image.shape[2:], scale, l_coord=-1 - i) for i, image in enumerate(images)])
    if model.config.flow_map:
        others["target_timestep"] = inputs["timesteps"] / 1000
    out = model(hidden_states=tokens_of(latents), timestep=inputs["timesteps"] / 1000,
                encoder_hidden_states=inputs["text"], img_ids=ids(h, w, scale),
                txt_ids=before_denoise.Flux3TextRoPEInputsStep._prepare_text_ids(inputs["text"]),
                return_dict=False, **others)[0]
    return out.permute(0, 2, 1).reshape(b, c, h, w)


def write_references(name, model, config, size, tokens, seed, images=None):
    inputs = dict(latents=normal(2, config["in_channels"], *size, seed=seed),
                  timesteps=torch.tensor([981.5, 127.0]).double(),
                  text=normal(2, tokens, config["joint_attention_dim"], seed=seed + 1))
    targets = r"(mode_blocks\.image|txt_mode_blocks|single_transformer_blocks)\.\d+\."
    if images:
        inputs["references"] = normal(2, config["cond_in_channels"], *images, seed=seed + 9)
        targets = r"(mode_blocks\.\w+|txt_mode_blocks|single_transformer_blocks)\.\d+\."
    targets += r"(attn\.(to_q|to_k|to_v|to_out\.0)|ff\.linear_(in|out))"
    references(name, model, inputs, predict, targets, seed)


def edit_references(model, config, seed=9300):
    """Of the folder's transformer, with two reference images of sizes of their own."""
    inputs = dict(latents=normal(2, config["in_channels"], 4, 6, seed=seed),
                  timesteps=torch.tensor([870.0, 231.5]).double(),
                  text=normal(2, 9, config["joint_attention_dim"], seed=seed + 1))
    for i, size in enumerate(((3, 5), (4, 2))):
        inputs[f"reference_{i + 1}"] = normal(2, config["cond_in_channels"], *size, seed=seed + 10 + i)
    targets = (r"(mode_blocks\.\w+|txt_mode_blocks|single_transformer_blocks)\.\d+\."
               r"(attn\.(to_q|to_k|to_v|to_out\.0)|ff\.linear_(in|out))")
    references("flux3_edit", model, inputs, predict, targets, seed)


class Processor:
    """What the pipeline asks of the model's processor."""

    def __init__(self, tokenizer, folder):
        from transformers import PreTrainedTokenizerFast
        self.tokenizer = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<|endoftext|>")

    def apply_chat_template(self, messages, tokenize, add_generation_prompt):
        assert not tokenize and add_generation_prompt
        return f"<|im_start|>user\n{messages[0]['content']}<|im_end|>\n<|im_start|>assistant\n"


class Recorder(torch.nn.Module):
    """Keeps what the pipeline feeds the text encoder."""

    def __init__(self, model, dtype=torch.float64):
        super().__init__()
        self.model, self.dtype, self.device = model.to(dtype), dtype, torch.device("cpu")

    def forward(self, **inputs):
        self.inputs = inputs
        return self.model(**inputs)


def text_reference(tokenizer, model, folder):
    out, processor, recorder = {}, Processor(tokenizer, folder), Recorder(model)
    for i, prompt in enumerate([*PROMPTS, LONG]):
        with torch.no_grad():
            hidden = encoders.Flux3TextEncoderStep._get_qwen3_vl_prompt_embeds(recorder, processor, prompt)
            narrow = encoders.Flux3TextEncoderStep._get_qwen3_vl_prompt_embeds(
                Recorder(copy.deepcopy(model), torch.float32), processor, prompt)
        print("prompt", i, "tokens", hidden.shape[1], "in FP32:", largest_deviation(narrow, hidden))
        out |= {f"ids.{i}": recorder.inputs["input_ids"][0].int(),
                f"real.{i}": recorder.inputs["attention_mask"][0].int(), f"hidden.{i}": hidden[0, ::STEP]}
    write_reference("flux3_text.safetensors", out)


def make_text_encoder(folder):
    tokenizer = train_tokenizer(folder / "tokenizer")
    text = dict(vocab_size=tokenizer.get_vocab_size(), hidden_size=8, intermediate_size=16, num_hidden_layers=36,
                num_attention_heads=2, num_key_value_heads=1, head_dim=8, rms_norm_eps=1e-6, hidden_act="silu",
                attention_bias=False, max_position_embeddings=2048, tie_word_embeddings=True,
                rope_parameters={"rope_type": "default", "rope_theta": 5000000.0, "mrope_section": [2, 1, 1],
                                 "mrope_interleaved": True})
    vision = dict(depth=1, hidden_size=8, intermediate_size=8, num_heads=1, out_hidden_size=8, patch_size=4,
                  temporal_patch_size=1, spatial_merge_size=1, num_position_embeddings=4, deepstack_visual_indexes=[0])
    config = Qwen3VLConfig(text_config=text, vision_config=vision, tie_word_embeddings=True)
    torch.manual_seed(901)
    model = unsettle(Qwen3VLForConditionalGeneration(config), 901, torch.float16)
    arrays = {k: v for k, v in tensors_of(model, torch.float16).items() if k != "lm_head.weight"}
    write_numpy(folder / "text_encoder" / "model.safetensors", arrays, torch.float16, {"format": "pt"})
    model.config.save_pretrained(folder / "text_encoder")
    text_reference(tokenizer, model, folder)


def make_vae(folder):
    torch.manual_seed(902)
    model = AutoencoderKLFlux2(**WIDTHS, latent_channels=4)
    generator = seeded(903)
    model.bn.running_mean.copy_(0.3 * torch.randn(16, generator=generator))
    model.bn.running_var.copy_(0.2 + torch.rand(16, generator=generator))
    model.bn.to(torch.float16).float()
    write_part(folder / "vae", unsettle(model, 902, torch.float16), described(model), "diffusion_pytorch_model")


def make_folder():
    folder = MODELS / "flux3"
    config = transformer_config(3, 12, [4, 4, 2, 2], (1, 2), (16, 16), 64)
    transformer = make_transformer(config, 900, torch.float16)
    write_part(folder / "transformer", transformer, {"_class_name": "Flux3Transformer2DModel", **config},
               "diffusion_pytorch_model")
    make_text_encoder(folder)
    make_vae(folder)
    write_pipeline(folder, {"shift": 6.93}, {
        "_class_name": "Flux3ModularPipeline",
        "scheduler": ["diffusers", "FlowMatchEulerDiscreteScheduler"],
        "text_encoder": ["transformers", "Qwen3VLForConditionalGeneration"],
        "tokenizer": ["transformers", "Qwen2Tokenizer"],
        "transformer": ["diffusers", "Flux3Transformer2DModel"], "vae": ["diffusers", "AutoencoderKLFlux2"]})
    write_references("flux3", transformer, config, (4, 6), 9, 9000)
    edit_references(transformer, config)


def make_files():
    config = transformer_config(4, 8, [2, 2, 2, 2], (2, 1), (12, 10), 20, rope_theta=500, eps=1e-5, mlp_ratio=2.5)
    model = make_transformer(config, 910, torch.float16)
    write_numpy(MODELS / "flux3_base.safetensors", original_names(tensors_of(model, torch.float16)), torch.float16,
                {"mantissa.config": json.dumps({"unet": {"_class_name": "Flux3Transformer2DModel", **config}})})
    write_references("flux3_base", model, config, (7, 3), 16, 9100, images=(2, 3))
    config = transformer_config(2, 16, [4, 4, 4, 4], (1, 2), (8, 8), 28, mlp_ratio=2.0, flow_map=True)
    model = make_transformer(config, 920, torch.bfloat16)
    write_numpy(MODELS / "flux3_bare.safetensors", tensors_of(model, torch.bfloat16), torch.bfloat16)
    write_references("flux3_bare", model, config, (3, 5), 4, 9200)


def make_schedule():
    import numpy as np
    out = {}
    for steps in (4, 50):
        scheduler = FlowMatchEulerDiscreteScheduler(shift=before_denoise.Flux3SetTimestepsStep().shift)
        before_denoise.retrieve_timesteps(scheduler, steps, "cpu", sigmas=np.linspace(1.0, 1 / steps, steps))
        out[f"sigmas.{steps}"] = scheduler.sigmas
    write_reference("flux3_sampling.safetensors", out)


def main():
    make_folder()
    make_files()
    make_schedule()
    with torch.device("meta"):
        write_keys("flux3.tsv", Flux3Transformer2DModel(), STACKS)


if __name__ == "__main__":
    main()
