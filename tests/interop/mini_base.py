"""The demo's base model as diffusers and transformers modules, for the scripts of this folder.

Needs torch, diffusers, transformers, peft, safetensors, tokenizers.
"""

import gzip
import json
import logging
import pathlib
import sys
import warnings

import numpy as np
import torch
from diffusers import AutoencoderKL, EulerDiscreteScheduler, UNet2DConditionModel
from safetensors import safe_open
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEMO = ROOT / "resources" / "demo"
BASE = DEMO / "mini-sdxl.safetensors"
sys.path.insert(0, str(DEMO))
import ldm_names  # noqa: E402


class Failures:
    """Counts checks and prints their figures."""

    def __init__(self):
        self.failed = 0

    def check(self, what, value, limit, at_least=False):
        good = value >= limit if at_least else value <= limit
        self.failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {what}: {value:.3g} (limit {limit:g})")

    def require(self, what, good, detail=""):
        self.failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {what}{': ' + detail if detail and not good else ''}")

    def exit(self):
        sys.exit(f"{self.failed} checks failed" if self.failed else 0)


class CollectWarnings(logging.Handler):
    """Everything at warning level or above from logging and from the warnings module."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.messages = []
        for name in ("diffusers", "peft", "transformers"):
            logger = logging.getLogger(name)
            logger.setLevel(logging.WARNING)
            logger.addHandler(self)
        warnings.showwarning = lambda message, *rest, **more: self.messages.append(str(message))
        warnings.simplefilter("always")

    def emit(self, record):
        self.messages.append(record.getMessage())


def relative(got, want):
    """Largest difference over largest reference value."""
    got, want = got.detach().double(), want.detach().double()
    return ((got - want).abs().max() / want.abs().max().clamp_min(1e-30)).item()


def gradient_error(got, want):
    """Of the worst tensor, relative to its largest element, or to 1e-4 of the largest of all: next
    to gradients 1e4 times larger, float32 has no precision for smaller ones."""
    least = 1e-4 * max(w.abs().max().item() for w in want.values())
    return max((got[k].double() - w.double()).abs().max().item() / max(w.abs().max().item(), least)
               for k, w in want.items())


def psnr(a, b, peak):
    error = ((a.double() - b.double()) ** 2).mean().item()
    return float("inf") if error == 0 else 10 * np.log10(peak**2 / error)


def _fill(module, rename, file, text_prefix=""):
    """Loads `module` from a single file. `rename` maps named arrays to the file's names and layout;
    run on arrays of positions, it gives the file position of each of the module's elements."""
    state, start, positions = module.state_dict(), 0, {}
    for name, value in state.items():
        count = value.numel()
        key = name if name.startswith(text_prefix) else text_prefix + name
        positions[key] = np.arange(start, start + count).reshape(tuple(value.shape))
        start += count
    flat, filled = torch.empty(start), np.zeros(start, dtype=bool)
    for name, place in rename(positions).items():
        if name.endswith("logit_scale"):
            continue
        index = np.ascontiguousarray(place).reshape(-1)
        flat[torch.from_numpy(index)] = file.get_tensor(name).float().reshape(-1)
        filled[index] = True
    assert filled.all(), "weights are missing from the file"
    start = 0
    for name, value in state.items():
        state[name] = flat[start : start + value.numel()].reshape(value.shape)
        start += value.numel()
    module.load_state_dict(state)
    return module.float().eval().requires_grad_(False)


def load_unet(path=BASE):
    with safe_open(path, "pt") as file:
        config = json.loads(file.metadata()["mantissa.config"])["unet"]
        unet = UNet2DConditionModel(**{k: v for k, v in config.items() if not k.startswith("_")})
        attention = ["CrossAttn" in kind for kind in config["down_block_types"]]
        return _fill(unet, lambda t: ldm_names.unet(t, config["layers_per_block"], attention), file)


def load_all(path=BASE):
    """unet, vae, te1, te2 in FP32."""
    with safe_open(path, "pt") as file:
        configs = json.loads(file.metadata()["mantissa.config"])
        plain = {part: {k: v for k, v in config.items() if k not in ("_class_name", "architectures", "model_type")}
                 for part, config in configs.items()}
        vae = _fill(AutoencoderKL(**plain["vae"]),
                    lambda t: ldm_names.vae(t, len(plain["vae"]["block_out_channels"])), file)
        te1 = _fill(CLIPTextModel(CLIPTextConfig(**plain["te1"])), ldm_names.te1, file, "text_model.")
        te2 = _fill(CLIPTextModelWithProjection(CLIPTextConfig(**plain["te2"])), ldm_names.te2, file)
    return load_unet(path), vae, te1, te2


def markers(path=BASE):
    """The names of the empty tensors that mark a single file's prediction type."""
    with safe_open(path, "pt") as file:
        return {name for name in file.keys() if name in ("v_pred", "ztsnr")}


def euler(path=BASE):
    """diffusers' Euler sampler according to the file's markers."""
    said = markers(path)
    zero = "ztsnr" in said
    return EulerDiscreteScheduler(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear",
                                  timestep_spacing="trailing" if zero else "leading", steps_offset=1,
                                  rescale_betas_zero_snr=zero,
                                  prediction_type="v_prediction" if "v_pred" in said else "epsilon")


def alphas_cumprod(path=BASE):
    betas = torch.linspace(0.00085**0.5, 0.012**0.5, 1000, dtype=torch.float64) ** 2
    roots = torch.cumprod(1 - betas, 0).sqrt()
    if "ztsnr" in markers(path):
        roots = (roots - roots[-1]) * roots[0] / (roots[0] - roots[-1])
    return roots.square()


def tokenizer(path):
    """CLIP's tokenizer from the merges table (see packaging/fetch_vocab.sh): f(texts, pad) -> token ids."""
    lines = gzip.open(path, "rt", encoding="utf-8").read().split("\n")[1:48895]
    printable = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    symbols = [chr(b) for b in printable] + [chr(256 + i) for i in range(256 - len(printable))]
    words = symbols + [s + "</w>" for s in symbols] + [m.replace(" ", "") for m in lines]
    words += ["<|startoftext|>", "<|endoftext|>"]
    clip = Tokenizer(models.BPE(vocab={w: i for i, w in enumerate(words)},
                                merges=[tuple(m.split(" ")) for m in lines], end_of_word_suffix="</w>"))
    clip.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    clip.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"),
                              behavior="removed", invert=True),
         pre_tokenizers.ByteLevel(add_prefix_space=False)])

    def ids(texts, pad):
        rows = [[49406] + clip.encode(t).ids[:75] + [49407] for t in texts]
        return torch.tensor([r + [pad] * (77 - len(r)) for r in rows])

    return ids
