"""Writes the tiny Qwen-Image models and their reference values.

    python tests/golden/make_qwen_image.py     needs torch, diffusers, transformers, peft, tokenizers

As in make_models.py: seeded, float64 from the stored weights, written as F32. (diffusers computes timestep sinusoids
and applies rotations in float32 for any model type; that is kept.)

Models, tests/golden/models/
  qwen_image/                   diffusers folder, F16: width 24 (2 heads of 12), 2 blocks; Qwen2.5-VL of width 24 and 3
                                layers (3 heads, 1 for keys), with a vision tower of width 8 and 3 layers, windows of
                                2 x 2 tokens and one layer without; VAE of widths 4, 8, 8 with 4 channels; a byte-level
                                BPE of 316 tokens
  qwen_image_base.safetensors   the transformer alone in ComfyUI's naming, F16, `mantissa.config` metadata: width 18
                                (3 heads of 6), 1 block
  qwen_image_bare.safetensors   the transformer alone in diffusers' naming, BF16, without a config: width 16 (2 heads
                                of 8), 2 blocks

References, tests/golden/reference/
  <model>.safetensors
    latents [2,C,h,w]  timesteps [2] (of the pipeline: 1000 is noise)  text [2,tokens,D]
    keys [2,tokens]: 0 for a token, -10000 for padding  prediction [2,C,h,w]
  <model>_lora.safetensors, <model>_dora.safetensors
    noise target loss prediction, adapter.<tensor>, grad.<tensor> on attention and feed-forwards; zeros where the last
    block's text, which nothing reads, would need them
  qwen_image_edit, qwen_image_still, qwen_image_base_edit, qwen_image_base_still
    as of the models, with reference_1 and perhaps reference_2 [2,C,h,w]; still: at time 0, as Edit-2511 has them. Of
    the latter two the steps of adapters too
  qwen_image_edit_sample.safetensors   of QwenImageEditPlusPipeline and of QwenImageEditPipeline (`first`), with a
                                smaller area of references and of what the text encoder sees: noise [4,8,12];
                                hidden.<n> [tokens behind the instruction,24] beside n images; image.<n> [32,48,3]
                                after two steps, that of two with a guidance of 4 away from OTHER
  qwen_image_text.safetensors   of the pipeline's prompts and a long one, all in one batch: ids.<n> [tokens] I32,
                                hidden.<n> [tokens behind the instruction,24]
  qwen_image_sampling.safetensors   sigmas.<n>.<tokens> [n + 1] of the pipeline's schedule for n steps and an image of
                                    so many tokens; conditional, unconditional, guided [6,4,4] of its guidance by 4
  keys/qwen_image.tsv           names and shapes of the released transformer, blocks of one kind once
"""

import json
import re

import numpy as np
import torch
from diffusers import (AutoencoderKLQwenImage, FlowMatchEulerDiscreteScheduler, QwenImageEditPipeline,
                       QwenImageEditPlusPipeline, QwenImagePipeline, QwenImageTransformer2DModel)
from diffusers.pipelines.qwenimage import pipeline_qwenimage, pipeline_qwenimage_edit, pipeline_qwenimage_edit_plus
from transformers import BatchFeature, PreTrainedTokenizerFast, Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

from make_anima import make, vae_config
from make_models import MODELS, normal, tensors_of, unsettle, write_numpy, write_reference
from make_qwen_image21 import noise_image
from make_z_image import PROMPTS, train_tokenizer, write_part
from transformer_references import RANK, ALPHA, references, step, write_keys, write_pipeline

TARGETS = (r".*\.attn\.(to_q|to_k|to_v|to_out\.0|add_q_proj|add_k_proj|add_v_proj|to_add_out)"
           r"|.*\.(img_mlp|txt_mlp)\.net\.(0\.proj|2)")
STACKS = ("transformer_blocks.",)
LONG = "a red cat and a blue dog, a green bird and a white mouse on the grass: " * 2
GUIDANCE = 4.0
TOWER = dict(depth=3, hidden_size=8, intermediate_size=12, num_heads=1, out_hidden_size=24, patch_size=14,
             temporal_patch_size=2, spatial_merge_size=2, fullatt_block_indexes=[1], window_size=56)
EDIT, OTHER = "make the cat red", "a blue dog"
EDITED = [((96, 96), 7), ((288, 32), 8)]  # sizes and seeds
AREA = 96 * 96  # of a reference and of what the text encoder sees: nothing is scaled but to whole tokens
SCHEDULER = {"shift": 1.0, "use_dynamic_shifting": True, "base_shift": 0.5, "max_shift": 0.9, "base_image_seq_len": 256,
             "max_image_seq_len": 8192, "shift_terminal": 0.02, "time_shift_type": "exponential",
             "invert_sigmas": False, "stochastic_sampling": False, "use_beta_sigmas": False,
             "use_exponential_sigmas": False, "use_karras_sigmas": False}


def transformer_config(heads, axes, layers, channels, text):
    return dict(patch_size=2, in_channels=4 * channels, out_channels=channels, num_layers=layers,
                attention_head_dim=sum(axes), num_attention_heads=heads, joint_attention_dim=text, guidance_embeds=False,
                axes_dims_rope=axes)


def make_transformer(config, seed, storage):
    torch.manual_seed(seed)
    return unsettle(QwenImageTransformer2DModel(**config), seed, storage)


def unpacked(tokens, height, width):
    """Latents [b,c,h,w] of tokens."""
    return QwenImagePipeline._unpack_latents(tokens, height, width, 1).squeeze(2)


def predict(model, inputs):
    """As the pipelines call it."""
    images = [inputs["latents"], *(v for k, v in sorted(inputs.items()) if k.startswith("reference_"))]
    packed = [QwenImagePipeline._pack_latents(x, *x.shape) for x in images]
    out = model(hidden_states=torch.cat(packed, 1), timestep=inputs["timesteps"] / 1000,
                encoder_hidden_states=inputs["text"], encoder_hidden_states_mask=inputs["keys"] == 0,
                img_shapes=[[(1, x.shape[2] // 2, x.shape[3] // 2) for x in images]] * len(images[0]),
                return_dict=False)[0]
    return unpacked(out[:, :packed[0].shape[1]], *images[0].shape[2:])


def inputs_of(config, size, tokens, lengths, seed, edited=()):
    keys = torch.zeros(2, tokens).double()
    for row, length in zip(keys, lengths):
        row[length:] = -10000
    inputs = dict(latents=normal(2, config["out_channels"], *size, seed=seed),
                  timesteps=torch.tensor([984.375, 125.0]).double(), keys=keys,
                  text=normal(2, tokens, config["joint_attention_dim"], seed=seed + 1))
    return inputs | {f"reference_{i + 1}": normal(2, config["out_channels"], *sides, seed=seed + 10 + i)
                     for i, sides in enumerate(edited)}


def write_references(name, model, config, size, tokens, lengths, seed):
    references(name, model, inputs_of(config, size, tokens, lengths, seed), predict, TARGETS, seed)


def write_edits(name, model, config, still, inputs, seed, trained=True):
    """Of the same weights, with references at time 0 or not."""
    edits = QwenImageTransformer2DModel(**config, zero_cond_t=still).double().eval().requires_grad_(False)
    edits.load_state_dict(model.state_dict())
    with torch.no_grad():
        write_reference(f"{name}.safetensors", inputs | {"prediction": predict(edits, inputs)})
    for kind in ("lora", "dora") if trained else ():
        wrapped, _, out = step(edits, inputs, predict, TARGETS, kind == "dora", seed)
        write_reference(f"{name}_{kind}.safetensors", out, rank=RANK, alpha=ALPHA)
        wrapped.unload()


def text_reference(folder, tokenizer, model):
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<|endoftext|>")
    pipe = QwenImagePipeline(scheduler=FlowMatchEulerDiscreteScheduler(), vae=None, text_encoder=model, tokenizer=fast,
                             transformer=None)
    before = pipe.prompt_template_encode.split("{}")[0]
    pipe.prompt_template_encode_start_idx = len(fast.encode(before))  # 34 in Qwen's own vocabulary
    prompts, out = [*PROMPTS, LONG], {}
    with torch.no_grad():
        states, mask = pipe._get_qwen_prompt_embeds(prompts, device="cpu")
    for i, prompt in enumerate(prompts):
        out |= {f"ids.{i}": torch.tensor(fast.encode(pipe.prompt_template_encode.format(prompt))).int(),
                f"hidden.{i}": states[i, mask[i].bool()]}
    write_reference("qwen_image_text.safetensors", out)


def make_text_encoder(folder):
    tokenizer = train_tokenizer(folder / "tokenizer")
    text = dict(vocab_size=tokenizer.get_vocab_size(), hidden_size=24, intermediate_size=40, num_hidden_layers=3,
                num_attention_heads=3, num_key_value_heads=1, rms_norm_eps=1e-6, hidden_act="silu",
                max_position_embeddings=2048, tie_word_embeddings=False, use_sliding_window=False,
                bos_token_id=None, eos_token_id=None,
                rope_parameters={"rope_type": "default", "rope_theta": 1000000.0, "mrope_section": [1, 1, 2]})
    tokens = {f"{key}_token_id": tokenizer.token_to_id(f"<|{token}|>")
              for key, token in (("image", "image_pad"), ("vision_start", "vision_start"), ("vision_end", "vision_end"))}
    # The language model alone, then with eyes: its weights don't depend on theirs.
    blind = dict(depth=1, hidden_size=8, intermediate_size=8, num_heads=1, out_hidden_size=24, patch_size=4,
                 temporal_patch_size=1, spatial_merge_size=1, fullatt_block_indexes=[0], window_size=8)
    found = {}
    for seed, tower in ((981, blind), (983, TOWER)):
        config = Qwen2_5_VLConfig(text_config=text, vision_config=tower, tie_word_embeddings=False, **tokens,
                                  video_token_id=tokens["image_token_id"] + 1)
        torch.manual_seed(seed)
        model = unsettle(Qwen2_5_VLForConditionalGeneration(config), seed, torch.float16)
        model.load_state_dict({k: v for k, v in found.items() if ".visual." not in k}, strict=False)
        found = model.state_dict()
    write_numpy(folder / "text_encoder" / "model.safetensors", tensors_of(model, torch.float16), torch.float16,
                {"format": "pt"})
    model.config.save_pretrained(folder / "text_encoder")
    text_reference(folder, tokenizer, model)
    return Processor(tokenizer), model


class Processor:
    """What the pipelines ask of the model's processor."""

    def __init__(self, tokenizer, dtype=torch.float64):
        self.dtype = dtype
        self.tokenizer = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<|endoftext|>")
        self.images = Qwen2VLImageProcessorPil(size={"shortest_edge": 3136, "longest_edge": 12845056},
                                               patch_size=TOWER["patch_size"], merge_size=TOWER["spatial_merge_size"],
                                               temporal_patch_size=TOWER["temporal_patch_size"])

    def __call__(self, text, images, padding, return_tensors):
        seen = self.images(images=images, return_tensors="pt")
        slots = iter((seen["image_grid_thw"].prod(1) // TOWER["spatial_merge_size"] ** 2).tolist())
        text = [re.sub(r"<\|image_pad\|>", lambda match: match[0] * next(slots), x) for x in text]
        found = self.tokenizer(text, padding=padding, return_tensors=return_tensors)
        return BatchFeature({"input_ids": found["input_ids"], "attention_mask": found["attention_mask"],
                             "pixel_values": seen["pixel_values"].to(self.dtype), "image_grid_thw": seen["image_grid_thw"]})


def see(model):
    """Tells the model which tokens are images: transformers 5 gives these places of their own only then, transformers
    4, with which the pipelines were written, always."""
    forward, image = model.forward, model.config.image_token_id
    model.forward = lambda input_ids, **others: forward(
        input_ids=input_ids, mm_token_type_ids=(input_ids == image).int(), **others)


def edit_pipelines(*parts):
    """Of both layouts, with the areas of this model."""
    pipeline_qwenimage_edit_plus.CONDITION_IMAGE_SIZE = pipeline_qwenimage_edit_plus.VAE_IMAGE_SIZE = AREA
    sized = pipeline_qwenimage_edit.calculate_dimensions
    pipeline_qwenimage_edit.calculate_dimensions = lambda _, ratio: sized(AREA, ratio)
    for kind in (QwenImageEditPlusPipeline, QwenImageEditPipeline):
        pipe = kind(*parts)
        before = pipe.prompt_template_encode.split("{}")[0].replace("<|vision_start|><|image_pad|><|vision_end|>", "")
        pipe.prompt_template_encode_start_idx = len(pipe.tokenizer.encode(before))  # 64 in Qwen's own vocabulary
        pipe.set_progress_bar_config(disable=True)
        yield pipe


def keep_states(pipe, kept):
    """What its text encoder passes on is put into `kept` too."""
    encode = pipe.encode_prompt

    def encode_prompt(**given):
        kept.append(encode(**given))
        return kept[-1]

    pipe.encode_prompt = encode_prompt


def edit_samples(processor, encoder, transformer, vae):
    see(encoder)
    plus, first = edit_pipelines(FlowMatchEulerDiscreteScheduler(num_train_timesteps=1000, **SCHEDULER), vae, encoder,
                                 processor.tokenizer, processor, transformer)
    images = [noise_image(*size, seed) for size, seed in EDITED]
    states, out = [], {"noise": normal(1, 4, 8, 12, seed=9990)}
    keep_states(plus, states)
    keep_states(first, states)
    packed = QwenImagePipeline._pack_latents(out["noise"], 1, 4, 8, 12)
    for name, pipe, given, others in (("1", plus, images[:1], {}), ("first", first, images[0], {}),
                                      ("2", plus, images, {"true_cfg_scale": GUIDANCE, "negative_prompt": OTHER})):
        states.clear()
        made = pipe(prompt=EDIT, image=given, width=48, height=32, num_inference_steps=2, output_type="pt",
                    latents=packed, **others).images
        out |= {f"image.{name}": made[0].movedim(0, -1), f"hidden.{name}": states[0][0][0]}
    write_reference("qwen_image_edit_sample.safetensors", out)


def make_folder():
    folder = MODELS / "qwen_image"
    config = transformer_config(2, [4, 4, 4], 2, 4, 24)
    transformer = make_transformer(config, 980, torch.float16)
    with torch.no_grad():  # or what NF4 changes of a prediction that is wrong anyway outweighs what a short run learns
        for parameter in transformer.proj_out.parameters():
            parameter.mul_(0.5)
    write_part(folder / "transformer", transformer, {"_class_name": "QwenImageTransformer2DModel", **config},
               "diffusion_pytorch_model")
    processor, encoder = make_text_encoder(folder)
    vae = vae_config(4, 4, [1, 2, 2], 1, [False, True])
    vae["latents_std"] = [round(4 * x, 3) for x in vae["latents_std"]]  # latents of RMS 1, as real ones have
    autoencoder = make(AutoencoderKLQwenImage, vae, 982, torch.float16)
    write_part(folder / "vae", autoencoder, {"_class_name": "AutoencoderKLQwenImage", **vae}, "diffusion_pytorch_model")
    write_pipeline(folder, SCHEDULER, {
        "_class_name": "QwenImagePipeline", "scheduler": ["diffusers", "FlowMatchEulerDiscreteScheduler"],
        "text_encoder": ["transformers", "Qwen2_5_VLForConditionalGeneration"],
        "tokenizer": ["transformers", "Qwen2Tokenizer"], "transformer": ["diffusers", "QwenImageTransformer2DModel"],
        "vae": ["diffusers", "AutoencoderKLQwenImage"]})
    write_references("qwen_image", transformer, config, (6, 10), 9, (9, 6), 9800)
    for name, still, edited in (("edit", False, ((4, 2), (2, 16))), ("still", True, ((4, 6),))):
        write_edits(f"qwen_image_{name}", transformer, config, still,
                    inputs_of(config, (6, 10), 9, (9, 6), 9820, edited), 9820, trained=False)
    edit_samples(processor, encoder, transformer, autoencoder)


def make_files():
    config = transformer_config(3, [2, 2, 2], 1, 3, 20)
    model = make_transformer(config, 990, torch.float16)
    arrays = {"model.diffusion_model." + k: v for k, v in tensors_of(model, torch.float16).items()}
    write_numpy(MODELS / "qwen_image_base.safetensors", arrays, torch.float16, {"mantissa.config": json.dumps(
        {"unet": {"_class_name": "QwenImageTransformer2DModel", **config}})})
    write_references("qwen_image_base", model, config, (14, 6), 7, (4, 7), 9900)
    for name, still, edited in (("edit", False, ((4, 2),)), ("still", True, ((2, 8), (6, 4)))):
        write_edits(f"qwen_image_base_{name}", model, config, still,
                    inputs_of(config, (4, 6), 7, (4, 7), 9920, edited), 9920)
    config = transformer_config(2, [2, 4, 2], 2, 2, 12)
    model = make_transformer(config, 995, torch.bfloat16)
    write_numpy(MODELS / "qwen_image_bare.safetensors", tensors_of(model, torch.bfloat16), torch.bfloat16)
    write_references("qwen_image_bare", model, config, (4, 6), 3, (3, 1), 9950)


def sigmas(steps, tokens):
    scheduler = FlowMatchEulerDiscreteScheduler(num_train_timesteps=1000, **SCHEDULER)
    c = scheduler.config
    mu = pipeline_qwenimage.calculate_shift(tokens, c.base_image_seq_len, c.max_image_seq_len, c.base_shift, c.max_shift)
    pipeline_qwenimage.retrieve_timesteps(scheduler, steps, "cpu", sigmas=np.linspace(1.0, 1 / steps, steps), mu=mu)
    return scheduler.sigmas


def make_sampling():
    """Of guidance the pipeline's lines, which are no function of their own."""
    out = {f"sigmas.{n}.{tokens}": sigmas(n, tokens) for n, tokens in ((4, 24), (50, 24), (50, 4096))}
    conditional, unconditional = (normal(1, 4, 6, 4, seed=seed) for seed in (9970, 9971))
    packed, other = (QwenImagePipeline._pack_latents(x, 1, 4, 6, 4) for x in (conditional, unconditional))
    guided = other + GUIDANCE * (packed - other)
    guided = guided * (torch.norm(packed, dim=-1, keepdim=True) / torch.norm(guided, dim=-1, keepdim=True))
    found = {"conditional": conditional, "unconditional": unconditional, "guided": unpacked(guided, 6, 4)}
    out |= {name: value[0].permute(1, 2, 0) for name, value in found.items()}
    write_reference("qwen_image_sampling.safetensors", out)


def main():
    make_folder()
    make_files()
    make_sampling()
    with torch.device("meta"):
        write_keys("qwen_image.tsv", QwenImageTransformer2DModel(), STACKS)


if __name__ == "__main__":
    main()
