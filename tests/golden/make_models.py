"""Writes the tiny models and reference values for the engine's tests.

    python tests/golden/make_models.py        needs torch, diffusers, transformers, peft, safetensors

Everything is seeded; values are computed in float64 from the stored (rounded) weights and written
as F32, so they are exact references. (diffusers computes its timestep sinusoids in float32 for any
model type; that is kept.)

Models, tests/golden/models/ (packed: drawn.py)
  a.safetensors   LDM single file, F16, `mantissa.config` metadata. UNet widths 16,32, transformer on
                  level 1 only, 1 layer per level, 2 heads. VAE 16,32. TE1 16 wide (quick_gelu), TE2
                  32 wide with a square, non-symmetric projection stored as OpenCLIP does. 100
                  tokens.
  b/              diffusers folder, F16. UNet widths 8,16,32, no attention on level 0, 2 layers a
                  level, depths -,2,3, heads -,2,2 (head widths 8 and 16), groups of 4. VAE 8,16,16.
                  TE2 projects 32 -> 24. tokenizer/ and tokenizer_2/ with a separate small
                  vocabulary.
  c.safetensors   LDM single file, BF16, UNet only: attention on both levels, widths 16,32 with 2
                  heads (head widths 8 and 16), depths 1 and 2; v-prediction in its references.

References, tests/golden/reference/
  a.safetensors, b.safetensors, c.safetensors
    unet.latents [B,4,h,w]  unet.timesteps [B]  unet.context [B,L,D]  unet.pooled [B,P]
    unet.time_ids [B,6]     unet.prediction [B,4,h,w]
    unet.prediction_integer_steps: the same at timesteps 999, 0, ...: unet.integer_timesteps [B]
    vae.image [1,3,H,W] in -1..1   vae.moments [1,8,H/f,W/f] (mean, then log variance, unclamped)
    vae.latents [1,4,h,w] (unscaled: what the decoder takes)   vae.decoded [1,3,H,W]
    te1.ids te2.ids [3,77] I32 (padded with the part's own pad id)   te1.hidden [3,77,D1] = hidden
    state -2 without final norm; te2.hidden [3,77,D2]; te2.pooled [3,P] (projected)
  b_tokens.json     {"prompts": [...], "te1": [[77 ids]...], "te2": [...]} for b's tokenizers
  {a,b,c}_lora_<set>.safetensors   one forward and backward with non-zero A and B
    latents (clean) noise timesteps context pooled time_ids target prediction loss
    adapter.<path>.lora_A.weight, .lora_B.weight   grad.<path>.lora_A.weight, .lora_B.weight
    <path> as in traces, e.g. unet.down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q
    metadata: rank, conv_rank, alpha, prediction; scale of a module = alpha / its own rank.
    sets: attention (a, b, c), linear_conv (a: every target of the interface's linear+conv),
    text (a: also q,k,v,out of both text encoders; ids instead of context: te1.ids, te2.ids)
  a_curve.safetensors   20 steps of AdamW(lr 1e-3, 0.9, 0.999, 1e-8, wd 0.01), clip 1.0, in the form
    of `--trace`: step.NNNN.{latents,noise,timesteps,context,pooled,time_ids,target,prediction,loss},
    step.NNNN.grad_norm (before clipping), adapter.before.<tensor>, adapter.after.<tensor>
  b_sample.safetensors  10 steps with guidance 5 through the decoder
    context, pooled (row 0 negative, row 1 prompt)  time_ids [2,6]  noise [1,4,h,w] unit normal
    <sampler>.latents (scaled)  <sampler>.image [1,3,H,W] in 0..1   <sampler>.timesteps .sigmas
    samplers: euler_leading (offset 1; start noise*sqrt(sigma^2+1)), euler_linspace (noise*sigma),
    euler_a_leading (euler_a_leading.noises [10,...]: what each step adds), ddim_leading,
    dpmpp_2m_karras
"""

import json
import math
import pathlib
import sys

import numpy as np
import torch
from diffusers import (AutoencoderKL, DDIMScheduler, DPMSolverMultistepScheduler,
                       EulerAncestralDiscreteScheduler, EulerDiscreteScheduler, UNet2DConditionModel)
from diffusers.schedulers import scheduling_euler_ancestral_discrete
from peft import LoraConfig, get_peft_model
from peft.tuners.lora import LoraLayer
from safetensors.torch import save_file
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "resources" / "demo"))
import drawn  # noqa: E402
import ldm_names  # noqa: E402

MODELS, REFERENCE = HERE / "models", HERE / "reference"
BETAS = dict(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", num_train_timesteps=1000)
torch.set_num_threads(1)


def seeded(seed):
    return torch.Generator().manual_seed(seed)


def normal(*shape, seed):
    draws = drawn.Draws(seed)
    return draws.kept(draws.randn(shape)).double()


def unsettle(model, seed, storage, factor=lambda name: 1):
    """Moves norms and biases off 1 and 0, then rounds every weight to the file's type."""
    draws = drawn.Draws(seed)
    with torch.no_grad():
        for name, p in sorted(model.named_parameters()):
            if p.ndim == 1:
                scale, shift = (0.2, 1) if "norm" in name and name.endswith("weight") else (0.1, 0)
            elif p.ndim == 2 and "embedding" in name and "linear" not in name:
                scale, shift = 0.5, 0
            else:
                scale, shift = math.sqrt(1.4 / p[0].numel()), 0
            p.copy_(draws.normal(p.shape, scale * factor(name), shift, storage).float())
    return model.double().eval().requires_grad_(False)


def tensors_of(model, storage):
    """numpy arrays under canonical names (BF16 as its uint16 pattern: numpy has no such type)."""
    out = {}
    for name, value in model.state_dict().items():
        value = value.to(storage).contiguous()
        if isinstance(model, CLIPTextModel) and not name.startswith("text_model."):
            name = "text_model." + name
        out[name] = (value.view(torch.uint16) if storage == torch.bfloat16 else value).numpy()
    return out


def write_numpy(path, arrays, storage, metadata=None):
    tensors = {}
    for name, value in sorted(arrays.items()):
        tensor = torch.from_numpy(np.ascontiguousarray(value).reshape(value.shape))
        tensors[name] = tensor.view(torch.bfloat16) if storage == torch.bfloat16 else tensor
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file(tensors, path, metadata=metadata)
    path.chmod(0o644)
    drawn.pack(path)


def write_reference(name, tensors, **metadata):
    REFERENCE.mkdir(parents=True, exist_ok=True)
    out = {k: (v if v.dtype == torch.int32 else v.detach().float()).contiguous().clone()
           for k, v in tensors.items()}
    save_file(out, REFERENCE / name, metadata={k: str(v) for k, v in metadata.items()})
    (REFERENCE / name).chmod(0o644)
    drawn.pack(REFERENCE / name)


def unet_config(widths, attention, depths, heads, layers, context, pooled, time_dim=8, size=8, groups=8):
    down = ["CrossAttnDownBlock2D" if a else "DownBlock2D" for a in attention]
    up = ["CrossAttnUpBlock2D" if a else "UpBlock2D" for a in reversed(attention)]
    return dict(sample_size=size, in_channels=4, out_channels=4, block_out_channels=widths,
                down_block_types=down, up_block_types=up, layers_per_block=layers,
                transformer_layers_per_block=depths, attention_head_dim=heads,
                cross_attention_dim=context, norm_num_groups=groups, use_linear_projection=True,
                addition_embed_type="text_time", addition_time_embed_dim=time_dim,
                projection_class_embeddings_input_dim=pooled + 6 * time_dim, flip_sin_to_cos=True,
                freq_shift=0)


def clip_config(width, layers, heads, act, vocab, pad, projection):
    return CLIPTextConfig(vocab_size=vocab, hidden_size=width, intermediate_size=4 * width,
                          num_hidden_layers=layers, num_attention_heads=heads, hidden_act=act,
                          max_position_embeddings=77, projection_dim=projection,
                          bos_token_id=vocab - 2, eos_token_id=vocab - 1, pad_token_id=pad)


def clip_json(config, kind):
    keep = ("vocab_size hidden_size intermediate_size num_hidden_layers num_attention_heads hidden_act "
            "max_position_embeddings projection_dim layer_norm_eps bos_token_id eos_token_id pad_token_id")
    out = {k: getattr(config, k) for k in keep.split()}
    return {"architectures": [kind], "model_type": "clip_text_model", **out}


def vae_config(widths, layers, size, groups=8):
    n = len(widths)
    return dict(in_channels=3, out_channels=3, latent_channels=4, block_out_channels=widths,
                down_block_types=["DownEncoderBlock2D"] * n, up_block_types=["UpDecoderBlock2D"] * n,
                layers_per_block=layers, norm_num_groups=groups, sample_size=size, scaling_factor=0.13025)


class Model:
    """The parts of one tiny SDXL, float64, with their configs as JSON-able dicts."""

    def __init__(self, seed, storage, unet, vae=None, te1=None, te2=None):
        torch.manual_seed(seed)
        self.storage = storage
        self.configs = {"unet": {"_class_name": "UNet2DConditionModel", **unet}}
        self.unet = unsettle(UNet2DConditionModel(**unet), seed, storage)
        if vae:
            self.configs["vae"] = {"_class_name": "AutoencoderKL", **vae}
            self.vae = unsettle(AutoencoderKL(**vae), seed + 1, storage)
            self.configs["te1"] = clip_json(te1, "CLIPTextModel")
            self.te1 = unsettle(CLIPTextModel(te1), seed + 2, storage)
            self.configs["te2"] = clip_json(te2, "CLIPTextModelWithProjection")
            self.te2 = unsettle(CLIPTextModelWithProjection(te2), seed + 3, storage)

    def write_single(self, path):
        unet = self.configs["unet"]
        attention = ["CrossAttn" in kind for kind in unet["down_block_types"]]
        arrays = ldm_names.unet(tensors_of(self.unet, self.storage), unet["layers_per_block"], attention)
        if "vae" in self.configs:
            arrays |= ldm_names.vae(tensors_of(self.vae, self.storage),
                                    len(self.configs["vae"]["block_out_channels"]))
            arrays |= ldm_names.te1(tensors_of(self.te1, self.storage))
            arrays |= ldm_names.te2(tensors_of(self.te2, self.storage))
        write_numpy(path, arrays, self.storage, {"mantissa.config": json.dumps(self.configs)})

    def write_folder(self, folder):
        for part, name in (("unet", "unet"), ("vae", "vae"), ("te1", "text_encoder"), ("te2", "text_encoder_2")):
            file = "diffusion_pytorch_model" if part in ("unet", "vae") else "model"
            write_numpy(folder / name / f"{file}.safetensors", tensors_of(getattr(self, part), self.storage),
                        self.storage, {"format": "pt"})
            (folder / name / "config.json").write_text(json.dumps(self.configs[part], indent=1) + "\n")
        (folder / "scheduler").mkdir(exist_ok=True)
        scheduler = dict(_class_name="EulerDiscreteScheduler", **BETAS, prediction_type="epsilon",
                         timestep_spacing="leading", steps_offset=1)
        (folder / "scheduler" / "scheduler_config.json").write_text(json.dumps(scheduler, indent=1) + "\n")

    def text(self, ids1, ids2):
        hidden1 = self.te1(ids1, output_hidden_states=True).hidden_states[-2]
        out2 = self.te2(ids2, output_hidden_states=True)
        return hidden1, out2.hidden_states[-2], out2.text_embeds


def forward(unet, latents, timesteps, context, pooled, time_ids):
    return unet(latents, timesteps, encoder_hidden_states=context,
                added_cond_kwargs={"text_embeds": pooled, "time_ids": time_ids}).sample


# ---- models --------------------------------------------------------------------------------------
def small_tokenizer():
    """256 byte symbols, the same ending a word, 14 merges, two specials: 528 tokens."""
    printable = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    symbols = [chr(b) for b in printable] + [chr(256 + i) for i in range(256 - len(printable))]
    merges = ["o f</w>", "c a", "ca t</w>", "p h", "o t", "ot o</w>", "ph oto</w>", "r e", "re d</w>",
              "i n", "t h", "th e</w>", "s q", "in g</w>"]
    tokens = symbols + [s + "</w>" for s in symbols] + [m.replace(" ", "") for m in merges]
    tokens += ["<|startoftext|>", "<|endoftext|>"]
    return {t: i for i, t in enumerate(tokens)}, merges


def write_tokenizer(folder, pad):
    vocab, merges = small_tokenizer()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.json").write_text(json.dumps(vocab, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n" + "\n".join(merges) + "\n", encoding="utf-8")
    special = {"bos_token": "<|startoftext|>", "eos_token": "<|endoftext|>", "unk_token": "<|endoftext|>",
               "pad_token": pad}
    (folder / "special_tokens_map.json").write_text(json.dumps(special) + "\n")
    (folder / "tokenizer_config.json").write_text(json.dumps(
        {**special, "model_max_length": 77, "tokenizer_class": "CLIPTokenizer"}) + "\n")


def fast_tokenizer(pad_id):
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers
    vocab, merges = small_tokenizer()
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=[tuple(m.split(" ")) for m in merges],
                                     end_of_word_suffix="</w>", unk_token="<|endoftext|>"))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    split = r"""'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"""
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(split), behavior="removed", invert=True),
         pre_tokenizers.ByteLevel(add_prefix_space=False)])

    def encode(text):
        ids = tokenizer.encode(text).ids[:75]
        row = [len(vocab) - 2] + ids + [len(vocab) - 1]
        return row + [pad_id] * (77 - len(row))

    return encode


def padded(rows, vocab, pad):
    out = [[vocab - 2] + r + [vocab - 1] for r in rows]
    return torch.tensor([r + [pad] * (77 - len(r)) for r in out], dtype=torch.int32)


def model_a():
    return Model(100, torch.float16, unet_config((16, 32), (False, True), [1, 1], [2, 2], 1, 48, 32),
                 vae_config((16, 32), 1, 16), clip_config(16, 3, 2, "quick_gelu", 100, 99, 16),
                 clip_config(32, 3, 4, "gelu", 100, 0, 32))


def make_models():
    half = torch.float16
    a = model_a()
    vocab = len(small_tokenizer()[0])
    b = Model(200, half, unet_config((8, 16, 32), (False, True, True), [1, 2, 3], [1, 2, 2], 2, 48, 24, 16, 16, 4),
              vae_config((8, 16, 16), 2, 64, 4), clip_config(16, 4, 2, "quick_gelu", vocab, vocab - 1, 16),
              clip_config(32, 3, 2, "gelu", vocab, 0, 24))
    c = Model(300, torch.bfloat16, unet_config((16, 32), (True, True), [1, 2], [2, 2], 1, 24, 16))
    a.write_single(MODELS / "a.safetensors")
    b.write_folder(MODELS / "b")
    write_tokenizer(MODELS / "b" / "tokenizer", "<|endoftext|>")
    write_tokenizer(MODELS / "b" / "tokenizer_2", "!")
    c.write_single(MODELS / "c.safetensors")
    return a, b, c


# ---- forward references --------------------------------------------------------------------------
def unet_inputs(model, batch, height, width, tokens, seed):
    config = model.configs["unet"]
    pooled = config["projection_class_embeddings_input_dim"] - 6 * config["addition_time_embed_dim"]
    rows = [[8 * height, 8 * width, 0, 0, 8 * height, 8 * width], [900, 1200, 16, 40, 512, 768],
            [1024, 1024, 3, 5, 640, 896]]
    return dict(latents=normal(batch, 4, height, width, seed=seed),
                timesteps=torch.tensor([17.0, 640.0, 333.25][:batch]).double(),
                context=normal(batch, tokens, config["cross_attention_dim"], seed=seed + 1),
                pooled=normal(batch, pooled, seed=seed + 2), time_ids=torch.tensor(rows[:batch]).double())


def forward_references(a, b, c):
    cases = {"a": (a, unet_inputs(a, 2, 8, 8, 77, 1000), (16, 24)),
             "b": (b, unet_inputs(b, 2, 12, 20, 77, 2000), (32, 48)),
             "c": (c, unet_inputs(c, 3, 10, 6, 9, 3000), None)}
    prompts = ["a photo of a cat", "the red ring, IN 2024: naïve café 👍", ""]
    for name, (model, inputs, image_size) in cases.items():
        out = {f"unet.{k}": v for k, v in inputs.items()}
        out["unet.prediction"] = forward(model.unet, **inputs)
        steps = torch.tensor([999.0, 0.0, 500.0][: len(inputs["timesteps"])]).double()
        out["unet.integer_timesteps"] = steps
        out["unet.prediction_integer_steps"] = forward(model.unet, **{**inputs, "timesteps": steps})
        if image_size:
            image = torch.tanh(normal(1, 3, *image_size, seed=4000))
            moments = model.vae._encode(image)
            latents = normal(1, 4, *moments.shape[2:], seed=4001)
            out |= {"vae.image": image, "vae.moments": moments, "vae.latents": latents,
                    "vae.decoded": model.vae.decode(latents).sample}
            if name == "a":
                rows = [[5, 17, 3, 42], list(range(1, 76)), []]
                ids1, ids2 = padded(rows, 100, 99), padded(rows, 100, 0)
            else:
                vocab = len(small_tokenizer()[0])
                rows1 = [fast_tokenizer(vocab - 1)(p) for p in prompts]
                rows2 = [fast_tokenizer(0)(p) for p in prompts]
                ids1, ids2 = (torch.tensor(r, dtype=torch.int32) for r in (rows1, rows2))
                (REFERENCE / "b_tokens.json").write_text(
                    json.dumps({"prompts": prompts, "te1": rows1, "te2": rows2}, ensure_ascii=False) + "\n",
                    encoding="utf-8")
            hidden1, hidden2, pooled = model.text(ids1.long(), ids2.long())
            out |= {"te1.ids": ids1, "te2.ids": ids2, "te1.hidden": hidden1, "te2.hidden": hidden2,
                    "te2.pooled": pooled}
        write_reference(f"{name}.safetensors", out)
    return cases


# ---- training references -------------------------------------------------------------------------
def alphas_cumprod():
    betas = torch.linspace(0.00085**0.5, 0.012**0.5, 1000, dtype=torch.float64) ** 2
    return torch.cumprod(1 - betas, 0)


def noised(latents, noise, timesteps, prediction):
    level = alphas_cumprod()[timesteps.long()].view(-1, 1, 1, 1)
    noisy = level.sqrt() * latents + (1 - level).sqrt() * noise
    target = noise if prediction == "epsilon" else level.sqrt() * noise - (1 - level).sqrt() * latents
    return noisy, target


def adapt(part, model, targets, rank, conv_rank, alpha, seed, zero_up=False):
    """PEFT LoRA on `targets`; returns the wrapped model and {adapter tensor name: parameter}."""
    convs = [t for t in targets if t in ("conv", "conv1", "conv2")]
    config = LoraConfig(r=rank, lora_alpha=alpha, target_modules=targets, lora_dropout=0.0,
                        rank_pattern={f".*\\.{t}": conv_rank for t in convs}, bias="none")
    torch.manual_seed(seed)
    wrapped = get_peft_model(model, config).double()
    draws, named = drawn.Draws(seed), {}
    for path, module in sorted(wrapped.base_model.model.named_modules()):
        if not isinstance(module, LoraLayer):
            continue
        if part.startswith("text_encoder") and not path.startswith("text_model."):
            path = "text_model." + path
        for letter, layers in (("A", module.lora_A), ("B", module.lora_B)):
            weight = layers["default"].weight
            value = draws.randn(weight.shape) / math.sqrt(weight[0].numel())
            # A change of about a tenth of the weights: with much more, softmax saturates and FP32
            # alone exceeds the tolerances in any program.
            size = (0.0 if zero_up else 0.1) if letter == "B" else 1.0
            weight.data.copy_(draws.kept(value * size) if size else value * size)
            named[f"{part}.{path}.lora_{letter}.weight"] = weight
    return wrapped, named


ATTENTION = ["to_q", "to_k", "to_v", "to_out.0"]
LINEAR_CONV = ATTENTION + ["proj_in", "proj_out", "ff.net.0.proj", "ff.net.2", "conv", "conv1", "conv2",
                           "time_emb_proj", "conv_shortcut"]
TEXT = ["q_proj", "k_proj", "v_proj", "out_proj"]


def lora_reference(name, model, inputs, targets, prediction="epsilon", conv_rank=2):
    unet, named = adapt("unet", model.unet, targets, 4, conv_rank, 6, 5000)
    inputs = dict(inputs)
    inputs["timesteps"] = inputs["timesteps"].floor()
    noise = normal(*inputs["latents"].shape, seed=5001)
    noisy, target = noised(inputs["latents"], noise, inputs["timesteps"], prediction)
    predicted = forward(unet, **{**inputs, "latents": noisy})
    loss = torch.nn.functional.mse_loss(predicted, target)
    loss.backward()
    out = {**inputs, "noise": noise, "target": target, "prediction": predicted, "loss": loss}
    out |= {f"adapter.{k}": v for k, v in named.items()} | {f"grad.{k}": v.grad for k, v in named.items()}
    write_reference(name, out, rank=4, conv_rank=conv_rank, alpha=6, prediction=prediction)
    unet.unload()


def text_reference(a, inputs):
    unet, named = adapt("unet", a.unet, ATTENTION, 4, 2, 6, 5100)
    te1, named1 = adapt("text_encoder", a.te1, TEXT, 4, 2, 6, 5101)
    te2, named2 = adapt("text_encoder_2", a.te2, TEXT, 4, 2, 6, 5102)
    named |= named1 | named2
    rows = [[5, 17, 3, 42], [7, 7, 63, 12, 90, 31, 8]]
    ids1, ids2 = padded(rows, 100, 99), padded(rows, 100, 0)
    hidden1 = te1.base_model.model(ids1.long(), output_hidden_states=True).hidden_states[-2]
    out2 = te2.base_model.model(ids2.long(), output_hidden_states=True)
    context = torch.cat([hidden1, out2.hidden_states[-2]], dim=-1)
    steps, noise = inputs["timesteps"].floor(), normal(*inputs["latents"].shape, seed=5103)
    noisy, target = noised(inputs["latents"], noise, steps, "epsilon")
    predicted = forward(unet, noisy, steps, context, out2.text_embeds, inputs["time_ids"])
    loss = torch.nn.functional.mse_loss(predicted, target)
    loss.backward()
    out = dict(latents=inputs["latents"], noise=noise, timesteps=steps, time_ids=inputs["time_ids"],
               context=context, pooled=out2.text_embeds, target=target, prediction=predicted, loss=loss)
    out |= {"te1.ids": ids1, "te2.ids": ids2} | {f"adapter.{k}": v for k, v in named.items()}
    # Weights that don't affect the loss (in SDXL, TE1's last layer) have
    # gradient 0.
    out |= {f"grad.{k}": torch.zeros_like(v) if v.grad is None else v.grad for k, v in named.items()}
    write_reference("a_lora_text.safetensors", out, rank=4, conv_rank=2, alpha=6, prediction="epsilon")
    for wrapped in (unet, te1, te2):
        wrapped.unload()


def curve_reference(a):
    unet, named = adapt("unet", a.unet, ATTENTION, 4, 4, 9, 6000, zero_up=True)
    out = {f"adapter.before.{k}": v.clone() for k, v in named.items()}
    optimizer = torch.optim.AdamW(list(named.values()), lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01)
    inputs = unet_inputs(a, 2, 8, 8, 77, 6100)
    losses = []
    for step in range(1, 21):
        latents, noise = (normal(2, 4, 8, 8, seed=6200 + 10 * step + i) for i in (0, 1))
        latents = latents + 1.5 * torch.tensor([1.0, -1.0, 0.5, 0.0]).double().view(1, 4, 1, 1)
        steps = torch.randint(0, 1000, (2,), generator=seeded(6202 + 10 * step)).double()
        noisy, target = noised(latents, noise, steps, "epsilon")
        predicted = forward(unet, noisy, steps, inputs["context"], inputs["pooled"], inputs["time_ids"])
        loss = torch.nn.functional.mse_loss(predicted, target)
        optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(list(named.values()), 1.0)
        optimizer.step()
        losses.append((loss.item(), norm.item()))
        values = dict(latents=latents, noise=noise, timesteps=steps, context=inputs["context"],
                      pooled=inputs["pooled"], time_ids=inputs["time_ids"], target=target,
                      prediction=predicted, loss=loss, grad_norm=norm)
        out |= {f"step.{step:04d}.{k}": v.detach().clone() for k, v in values.items()}
    out |= {f"adapter.after.{k}": v.clone() for k, v in named.items()}
    write_reference("a_curve.safetensors", out, rank=4, alpha=9, prediction="epsilon", learning_rate=1e-3,
                    weight_decay=0.01, max_grad_norm=1.0, betas="0.9,0.999", eps=1e-8)
    unet.unload()
    return losses


# ---- sampling references -------------------------------------------------------------------------
def sample(model, scheduler, noise, context, pooled, time_ids, record=None):
    scheduler.set_timesteps(10)
    latents = noise * scheduler.init_noise_sigma
    if record is not None:
        def draw(shape, **kwargs):
            record.append(normal(*shape, seed=7100 + len(record)))
            return record[-1]
        scheduling_euler_ancestral_discrete.randn_tensor = draw
    for t in scheduler.timesteps:
        pair = scheduler.scale_model_input(torch.cat([latents, latents]), t)
        without, given = forward(model.unet, pair, t, context, pooled, time_ids).chunk(2)
        latents = scheduler.step(without + 5.0 * (given - without), t, latents, return_dict=False)[0].double()
    image = model.vae.decode(latents / 0.13025).sample
    return latents, (image / 2 + 0.5).clamp(0, 1)


def sample_references(b):
    vocab = len(small_tokenizer()[0])
    prompts = ["", "a photo of a red cat"]
    ids1 = torch.tensor([fast_tokenizer(vocab - 1)(p) for p in prompts])
    ids2 = torch.tensor([fast_tokenizer(0)(p) for p in prompts])
    hidden1, hidden2, pooled = b.text(ids1, ids2)
    context = torch.cat([hidden1, hidden2], dim=-1)
    time_ids = torch.tensor([[48, 80, 0, 0, 48, 80]] * 2).double()
    noise = normal(1, 4, 12, 20, seed=7000)
    out = dict(context=context, pooled=pooled, time_ids=time_ids, noise=noise)
    noises = []
    samplers = {
        "euler_leading": EulerDiscreteScheduler(**BETAS, timestep_spacing="leading", steps_offset=1),
        "euler_linspace": EulerDiscreteScheduler(**BETAS, timestep_spacing="linspace"),
        "euler_a_leading": EulerAncestralDiscreteScheduler(**BETAS, timestep_spacing="leading", steps_offset=1),
        "ddim_leading": DDIMScheduler(**BETAS, timestep_spacing="leading", steps_offset=1, clip_sample=False,
                                      set_alpha_to_one=False),
        "dpmpp_2m_karras": DPMSolverMultistepScheduler(**BETAS, use_karras_sigmas=True),
    }
    for name, scheduler in samplers.items():
        record = noises if name.startswith("euler_a") else None
        latents, image = sample(b, scheduler, noise, context, pooled, time_ids, record)
        out |= {f"{name}.latents": latents, f"{name}.image": image,
                f"{name}.timesteps": scheduler.timesteps.double()}
        if hasattr(scheduler, "sigmas"):
            out[f"{name}.sigmas"] = scheduler.sigmas.double()
        print(f"{name}: latents std {latents.std():.3f}, image {image.mean():.3f} +- {image.std():.3f}")
    out["euler_a_leading.noises"] = torch.stack(noises)
    write_reference("b_sample.safetensors", out, guidance=5.0, steps=10,
                    negative=prompts[0], prompt=prompts[1], height=48, width=80)


def main():
    REFERENCE.mkdir(parents=True, exist_ok=True)
    a, b, c = make_models()
    with torch.no_grad():
        cases = forward_references(a, b, c)
        sample_references(b)
    lora_reference("a_lora_attention.safetensors", a, cases["a"][1], ATTENTION)
    lora_reference("a_lora_linear_conv.safetensors", a, cases["a"][1], LINEAR_CONV)
    lora_reference("b_lora_attention.safetensors", b, cases["b"][1], ATTENTION)
    lora_reference("c_lora_attention.safetensors", c, cases["c"][1], ATTENTION, "v")
    text_reference(a, cases["a"][1])
    for loss, norm in curve_reference(a):
        print(f"loss {loss:.6f}  grad norm {norm:.4f}")


if __name__ == "__main__":
    main()
