"""Adapters in the forms of other trainers, and what the programs that draw with them make of each.

    python tests/golden/make_reader_forms.py tests/golden/reader_forms

with PyTorch, diffusers, transformers, peft and safetensors. The base models are the demo's and those of
tests/golden/models. What diffusers makes of a file is what its own loaders do here: the file is loaded into a
model of the same layers, and the weights' changes are compared with those that the file means. What the other
programs make of it is in the table below, from reading the versions that engine/readers/reader_<name>.cpp names.
"""
import copy
import json
import pathlib
import sys

import torch
from diffusers.loaders import lora_pipeline as loaders
from peft.tuners.tuners_utils import BaseTunerLayer
from safetensors.torch import save_file

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/interop"))
RANK, ALPHA = 2, 1.0
GENERATOR = torch.Generator().manual_seed(7)

# Paths of the base model's modules: diffusers' and the authors'. Of fused ones, their slices.
BLOCK, LDM = "down_blocks.1.attentions.0.transformer_blocks.0.", "input_blocks.4.1.transformer_blocks.0."
SD15, LDM15 = "down_blocks.0.attentions.0.transformer_blocks.0.", "input_blocks.1.1.transformer_blocks.0."
MODULES = {
    "sdxl": {BLOCK + "attn1.to_q": LDM + "attn1.to_q", BLOCK + "attn2.to_out.0": LDM + "attn2.to_out.0",
             BLOCK + "ff.net.0.proj": LDM + "ff.net.0.proj"},
    "sd15": {SD15 + "attn1.to_q": LDM15 + "attn1.to_q", SD15 + "attn2.to_out.0": LDM15 + "attn2.to_out.0"},
    "z_image": {"layers.0.attention.to_q": None, "layers.0.attention.to_k": None, "layers.0.attention.to_v": None,
                "layers.0.attention.to_out.0": "layers.0.attention.out",
                "layers.0.feed_forward.w1": "layers.0.feed_forward.w1"},
    "flux2": {"transformer_blocks.0.attn.to_q": None, "transformer_blocks.0.attn.to_k": None,
              "transformer_blocks.0.attn.to_v": None,
              "transformer_blocks.0.attn.to_out.0": "double_blocks.0.img_attn.proj",
              "single_transformer_blocks.0.attn.to_qkv_mlp_proj": "single_blocks.0.linear1"},
    "krea2": {"transformer_blocks.0.attn.to_q": "blocks.0.attn.wq",
              "transformer_blocks.0.attn.to_out.0": "blocks.0.attn.wo",
              "transformer_blocks.0.ff.gate": "blocks.0.mlp.gate"},
    "anima": {"transformer_blocks.0.attn1.to_q": "blocks.0.self_attn.q_proj",
              "transformer_blocks.0.attn2.to_out.0": "blocks.0.cross_attn.output_proj",
              "transformer_blocks.0.ff.net.0.proj": "blocks.0.mlp.layer1"},
    "flux1": {"transformer_blocks.0.attn.to_q": None, "transformer_blocks.0.attn.to_k": None,
              "transformer_blocks.0.attn.to_v": None,
              "transformer_blocks.0.attn.to_out.0": "double_blocks.0.img_attn.proj",
              "transformer_blocks.0.norm1.linear": "double_blocks.0.img_mod.lin",
              "single_transformer_blocks.0.proj_out": "single_blocks.0.linear2"},
}
FUSED = {"z_image": "layers.0.attention.qkv", "flux2": "double_blocks.0.img_attn.qkv",
         "flux1": "double_blocks.0.img_attn.qkv"}
FLUX1_ATTENTION = {p: o for p, o in MODULES["flux1"].items() if ".attn." in p}
# Outside of FLUX.1's blocks; the last one's halves are exchanged in checkpoints.
FLUX1_OUTER = {"x_embedder": "img_in", "transformer_blocks.0.attn.to_out.0": "double_blocks.0.img_attn.proj",
               "norm_out.linear": "final_layer.adaLN_modulation.1"}
# What InvokeAI knows diffusers' names by.
FLUX1_KNOWN = {"transformer_blocks.0.attn.add_q_proj": None, "transformer_blocks.0.attn.add_k_proj": None,
               "transformer_blocks.0.attn.add_v_proj": None, "single_transformer_blocks.0.attn.to_q": None}
CONV = {"down_blocks.0.resnets.0.conv1": "input_blocks.1.0.in_layers.2"}
TEXT = "text_model.encoder.layers.0.self_attn.out_proj"


def draw(*shape):
    return torch.randn(shape, generator=GENERATOR) * 0.1


class Form:
    """The tensors of a file, and the changes that they mean, by path with its part."""

    def __init__(self):
        self.tensors, self.changes, self.metadata = {}, {}, {}

    def lora(self, name, weight, style="kohya", alpha=True, mid=False, scale=None):
        """One low-rank module; returns its change."""
        out, rest = weight.shape[0], weight.shape[1:]
        if mid:
            down, up = draw(RANK, rest[0], 1, 1), draw(out, RANK, 1, 1)
            core = draw(RANK, RANK, *rest[1:])
            change = torch.einsum("mnwh,im,nj->ijwh", core, up[:, :, 0, 0], down[:, :, 0, 0])
            self.tensors[name + ".lora_mid.weight"] = core
        else:
            down, up = draw(RANK, *rest), draw(out, RANK, *(1 for _ in rest[1:]))
            change = (up.flatten(1) @ down.flatten(1)).reshape(weight.shape)
        a, b = {"kohya": (".lora_down.weight", ".lora_up.weight"), "peft": (".lora_A.weight", ".lora_B.weight"),
                "old": (".lora.down.weight", ".lora.up.weight"), "processor": (".down.weight", ".up.weight"),
                "default": (".lora_A.default.weight", ".lora_B.default.weight")}[style]
        self.tensors[name + a], self.tensors[name + b] = down, up
        if alpha:
            self.tensors[name + ".alpha"] = torch.tensor(ALPHA)
        return change * (ALPHA / RANK if alpha else 1)

    def loha(self, name, weight):
        factors = [draw(*s) for s in ((weight.shape[0], RANK), (RANK, weight[0].numel())) * 2]
        for key, value in zip(("w1_a", "w1_b", "w2_a", "w2_b"), factors):
            self.tensors[f"{name}.hada_{key}"] = value
        self.tensors[name + ".alpha"] = torch.tensor(ALPHA)
        return (factors[0] @ factors[1] * (factors[2] @ factors[3])).reshape(weight.shape) * ALPHA / RANK

    def lokr(self, name, weight):
        out, cols = weight.shape
        w1, w2_a, w2_b = draw(4, 4), draw(out // 4, RANK), draw(RANK, cols // 4)
        for key, value in (("w1", w1), ("w2_a", w2_a), ("w2_b", w2_b)):
            self.tensors[f"{name}.lokr_{key}"] = value
        self.tensors[name + ".alpha"] = torch.tensor(ALPHA)
        return torch.kron(w1, w2_a @ w2_b) * ALPHA / RANK

    def dora(self, name, weight, change, axis, key=".dora_scale"):
        """Magnitudes of a linear layer's DoRA by output or input; returns the whole change."""
        dim = 1 if axis == "output" else 0
        length = weight.norm(dim=dim, keepdim=True)
        m = length * (1 + draw(*length.shape))
        self.tensors[name + key] = m.reshape(-1) if key != ".dora_scale" else m
        v = weight + change
        return m * v / v.norm(dim=dim, keepdim=True) - weight


def under(head, path):
    return head + path.replace(".", "_")


def each(family, weights, name_of, method="lora", modules=None, **options):
    """A form in which every module of the family has a name of its own."""
    form = Form()
    for path, original in (modules or MODULES[family]).items():
        form.changes["unet." + path] = getattr(form, method)(name_of(path, original), weights["unet." + path],
                                                             **options)
    return form


def fused(family, weights, name_of, style="kohya", alpha=True):
    """q, k and v in one module, the others by their original names."""
    form = Form()
    parts = [path for path, original in MODULES[family].items() if original is None]
    whole = torch.cat([weights["unet." + path] for path in parts])
    change = form.lora(name_of(FUSED[family]), whole, style, alpha)
    for path, share in zip(parts, change.chunk(3)):
        form.changes["unet." + path] = share
    for path, original in MODULES[family].items():
        if original is not None:
            form.changes["unet." + path] = form.lora(name_of(original), weights["unet." + path], style, alpha)
    return form


def with_dora(family, weights, name_of, axis, style="kohya", key=".dora_scale"):
    form = each(family, weights, name_of, style=style, alpha=style == "kohya")
    for path, original in MODULES[family].items():
        weight = weights["unet." + path]
        form.changes["unet." + path] = form.dora(name_of(path, original), weight, form.changes["unet." + path],
                                                 axis, key)
    return form


def processor(path):
    return "unet." + path.replace(".to_out.0", ".to_out").replace(".to_", ".processor.to_") + "_lora"


def text_lora(form, weights, names, style="kohya", alpha=True):
    for part, name in names.items():
        form.changes[f"{part}.{TEXT}"] = form.lora(name, weights[f"{part}.{TEXT}"], style, alpha)
    return form


def conv_form(weights, mid):
    form = Form()
    for path, original in CONV.items():
        form.changes["unet." + path] = form.lora(under("lora_unet_", original), weights["unet." + path], mid=mid)
    return form


def forms(family, w):
    """Name -> (form, what comfyui, forge, sdcpp and invokeai make of it; "-": unsupported)."""
    ldm = lambda path, original: under("lora_unet_", original)  # noqa: E731
    own = lambda path, original: under("lora_unet_", path)  # noqa: E731
    unet = lambda path, original: "unet." + path  # noqa: E731
    dots = lambda path, original: "diffusion_model." + original  # noqa: E731
    transformer = lambda path, original: "transformer." + path  # noqa: E731
    yield_ = {}
    if family == "sdxl":
        kohya_text = {"text_encoder": under("lora_te1_", TEXT), "text_encoder_2": under("lora_te2_", TEXT)}
        peft_text = {"text_encoder": "text_encoder." + TEXT, "text_encoder_2": "text_encoder_2." + TEXT}
        yield_ |= {
            "kohya": (each(family, w, ldm), "works works works works"),
            "kohya-no-alpha": (each(family, w, ldm, alpha=False), "works works works works"),
            "kohya-text": (text_lora(each(family, w, ldm), w, kohya_text), "works works works works"),
            "kohya-conv": (conv_form(w, False), "works works works works"),
            "lycoris-locon-tucker": (conv_form(w, True), "works works works works"),
            "onetrainer-legacy": (each(family, w, own), "works works works works"),
            "lycoris-loha": (each(family, w, ldm, "loha"), "works works works works"),
            "lycoris-lokr": (each(family, w, ldm, "lokr"), "works works works works"),
            "simpletuner-lokr": (each(family, w, lambda p, o: under("lycoris_", p), "lokr"),
                                 "works works works none"),
            "peft": (each(family, w, unet, style="peft", alpha=False), "partly partly works none"),
            "peft-text": (text_lora(each(family, w, unet, style="peft", alpha=False), w, peft_text, "peft", False),
                          "partly partly works none"),
            "onetrainer-diffusers": (each(family, w, unet, style="peft"), "partly partly works none"),
            "diffusers-old": (each(family, w, unet, style="old", alpha=False), "partly partly works none"),
            "diffusers-processors": (processors(family, w), "works works works none"),
            "ldm-dots": (each(family, w, dots), "works works works none"),
            "peft-folder-names": (each(family, w, lambda p, o: "base_model.model." + p, style="peft", alpha=False),
                                  "none none none none"),
            "lycoris-dora-output": (with_dora(family, w, ldm, "output"), "differs differs differs differs"),
            "onetrainer-dora-input": (with_dora(family, w, ldm, "input"), "works works differs works"),
            "peft-dora": (with_dora(family, w, unet, "output", "peft", ".lora_magnitude_vector"),
                          "differs differs differs none"),
        }
    elif family == "sd15":
        yield_ |= {
            "kohya": (each(family, w, own), "works works works works"),
            "kohya-text": (text_lora(each(family, w, own), w, {"text_encoder": under("lora_te_", TEXT)}),
                           "works works works works"),
            "ldm-names": (each(family, w, ldm), "works works works none"),
            "peft": (each(family, w, unet, style="peft", alpha=False), "none none works none"),
            "lycoris-lokr": (each(family, w, own, "lokr"), "works works works works"),
        }
    elif family == "z_image":
        yield_ |= {
            "ai-toolkit": (each(family, w, lambda p, o: "diffusion_model." + p, style="peft", alpha=False),
                           "works - works works"),
            "musubi-dots": (each(family, w, lambda p, o: "diffusion_model." + p), "works - works works"),
            "kohya": (each(family, w, own), "partly - partly none"),
            "kohya-fused": (fused(family, w, lambda o: under("lora_unet_", o)), "works - partly none"),
            "ldm-fused": (fused(family, w, lambda o: "diffusion_model." + o, "peft", False), "works - works partly"),
            "peft": (each(family, w, transformer, style="peft", alpha=False), "works - works works"),
            "peft-alpha": (each(family, w, transformer, style="peft"), "works - works differs"),
            "bare": (each(family, w, lambda p, o: p, style="peft", alpha=False), "works - none works"),
        }
    elif family == "flux2":
        yield_ |= {
            "ai-toolkit": (fused(family, w, lambda o: "diffusion_model." + o, "peft", False), "works - - -"),
            "ai-toolkit-alpha": (fused(family, w, lambda o: "diffusion_model." + o, "peft"), "works - - -"),
            "kohya": (fused(family, w, lambda o: under("lora_unet_", o)), "works - - -"),
            "musubi-dots": (fused(family, w, lambda o: "diffusion_model." + o), "works - - -"),
            "peft": (each(family, w, transformer, style="peft", alpha=False), "works - - -"),
            "bare": (each(family, w, lambda p, o: p, style="peft", alpha=False), "works - - -"),
        }
    elif family == "krea2":
        yield_ |= {
            "ai-toolkit": (each(family, w, dots, style="peft", alpha=False), "works - works -"),
            "ai-toolkit-alpha": (each(family, w, dots, style="peft"), "works - works -"),
            "peft-folder-names": (each(family, w, lambda p, o: "base_model.model." + o, style="peft", alpha=False),
                                  "none - none -"),
            "peft": (each(family, w, transformer, style="peft", alpha=False), "works - works -"),
            "kohya": (each(family, w, ldm), "works - works -"),
        }
    elif family == "anima":
        yield_ |= {
            "ai-toolkit": (each(family, w, dots, style="peft", alpha=False), "works - - -"),
            "kohya": (each(family, w, ldm), "works - - -"),
            "peft": (each(family, w, transformer, style="peft", alpha=False), "none - - -"),
        }
    elif family == "flux1":
        peft, onetrainer = {"style": "peft", "alpha": False}, lambda p, o: under("lora_transformer_", p)
        last = {"transformer_blocks.0.attn.to_v": None} | FLUX1_OUTER
        del last["norm_out.linear"], last["x_embedder"]
        yield_ |= {
            "kohya": (fused(family, w, lambda o: under("lora_unet_", o)), "works works works works"),
            "comfyui": (fused(family, w, lambda o: "diffusion_model." + o), "works works works none"),
            "ai-toolkit": (fused(family, w, lambda o: "diffusion_model." + o, "peft", False),
                           "works works works works"),
            "peft": (each(family, w, transformer, **peft), "works works works none"),
            "peft-known": (each(family, w, transformer, modules=MODULES[family] | FLUX1_KNOWN, **peft),
                           "works works works works"),
            "peft-folder-names": (each(family, w, lambda p, o: "base_model.model." + p,
                                       modules=MODULES[family] | FLUX1_KNOWN, **peft), "none none none works"),
            "peft-last-share": (each(family, w, transformer, modules=last, **peft), "works works partly none"),
            "bare": (each(family, w, lambda p, o: p, **peft), "works none works none"),
            "onetrainer": (each(family, w, onetrainer), "works works none works"),
            "onetrainer-attention": (each(family, w, onetrainer, modules=FLUX1_ATTENTION), "works works none works"),
            "simpletuner-lokr": (each(family, w, lambda p, o: under("lycoris_", p), "lokr"),
                                 "works works works none"),
            "kohya-outer": (exchanged(each(family, w, ldm, modules=FLUX1_OUTER)), "works works partly none"),
            "peft-outer": (each(family, w, transformer, modules=FLUX1_OUTER, **peft), "works works differs none"),
        }
    return yield_


def exchanged(form):
    """A form whose names are the checkpoints', where the halves of one module are the other way round."""
    path = "unet.norm_out.linear"
    form.changes[path] = torch.cat(form.changes[path].chunk(2)[::-1])
    return form


def processors(family, weights):
    form = Form()
    for path in MODULES[family]:
        if ".attn" in path:
            form.changes["unet." + path] = form.lora(processor(path), weights["unet." + path], "processor", False)
    return form


class Model:
    """The modules that a family's adapters change, by part, and diffusers' way to load a file into them."""

    def __init__(self, family):
        self.family = family
        if family == "sdxl":
            import mini_base
            unet, _, te1, te2 = mini_base.load_all()
            self.parts = {"unet": unet, "text_encoder": te1, "text_encoder_2": te2}
            self.mixin = loaders.StableDiffusionXLLoraLoaderMixin
        elif family == "sd15":
            self.parts = small_sd15()
            self.mixin = loaders.StableDiffusionLoraLoaderMixin
        else:
            import diffusers
            kind, mixin = {"z_image": ("ZImageTransformer2DModel", "ZImageLoraLoaderMixin"),
                           "flux2": ("Flux2Transformer2DModel", "Flux2LoraLoaderMixin"),
                           "krea2": ("Krea2Transformer2DModel", "Krea2LoraLoaderMixin"),
                           "flux1": ("FluxTransformer2DModel", "FluxLoraLoaderMixin"),
                           "anima": (None, "AnimaLoraLoaderMixin")}[family]
            config = json.loads((ROOT / f"tests/golden/models/{family}/transformer/config.json").read_text())
            torch.manual_seed(1)
            self.parts = {"unet": getattr(diffusers, kind or config["_class_name"]).from_config(config).float()}
            self.mixin = getattr(loaders, mixin)

    def weights(self):
        result = {}
        for part, model in self.parts.items():
            for name, value in model.state_dict().items():
                if name.endswith(".weight"):
                    path = name[:-len(".weight")]
                    if part != "unet" and not path.startswith("text_model."):
                        path = "text_model." + path
                    result[f"{part}.{path}"] = value
        return result

    def verdict(self, form):
        """works, differs, partly or none."""
        parts = {part: copy.deepcopy(model) for part, model in self.parts.items()}
        before = {part: {n: v.clone() for n, v in m.state_dict().items()} for part, m in parts.items()}
        try:
            self.load(form, parts)
        except Exception as error:  # whatever the loader refuses
            return "none", f"{type(error).__name__}: {error}".split("\n")[0][:160]
        found, wrong = set(), []
        for part, model in parts.items():
            for name, module in model.named_modules():
                if isinstance(module, BaseTunerLayer):
                    module.merge()
                    path = name if part == "unet" or name.startswith("text_model.") else "text_model." + name
                    change = module.base_layer.weight.detach() - before[part][name + ".weight"]
                    wanted = form.changes.get(f"{part}.{path}")
                    found.add(f"{part}.{path}")
                    if wanted is None or (change - wanted).norm() > 1e-3 * wanted.norm():
                        wrong.append(path)
        if not found:
            return "none", "loaded without effect"
        if wrong:
            return "differs", wrong[0]
        return ("works" if found == set(form.changes) else "partly"), ""

    def load(self, form, parts):
        mixin, tensors = self.mixin, dict(form.tensors)
        if "text_encoder" in parts:
            options = {"unet_config": parts["unet"].config} if self.family == "sdxl" else {}
            state, alphas, metadata = mixin.lora_state_dict(tensors, return_lora_metadata=True, **options)
            if not all("lora" in key for key in state):
                raise ValueError("Invalid LoRA checkpoint")
            mixin.load_lora_into_unet(state, network_alphas=alphas, unet=parts["unet"], metadata=metadata)
            for part in parts:
                if part != "unet":
                    mixin.load_lora_into_text_encoder(state, network_alphas=alphas, text_encoder=parts[part],
                                                      prefix=part, metadata=metadata)
            return
        if self.family == "flux1":
            state, alphas, metadata = mixin.lora_state_dict(tensors, return_alphas=True, return_lora_metadata=True)
            if not any("lora" in key for key in state):
                raise ValueError("Invalid adapter checkpoint")
            mixin.load_lora_into_transformer(state, network_alphas=alphas, transformer=parts["unet"],
                                             metadata=metadata)
            return
        state, metadata = mixin.lora_state_dict(tensors, return_lora_metadata=True)
        words = ("lora", "lokr") if self.family in ("flux2", "z_image") else ("lora",)
        if not all(any(word in key for word in words) for key in state):
            raise ValueError("Invalid adapter checkpoint")
        mixin.load_lora_into_transformer(state, transformer=parts["unet"], metadata=metadata)


def small_sd15():
    """A U-Net and an encoder with the layers' widths of tests/golden/models/sd15.safetensors."""
    import drawn
    from diffusers import UNet2DConditionModel
    from safetensors import safe_open
    from transformers import CLIPTextConfig, CLIPTextModel
    with safe_open(drawn.whole(ROOT / "tests/golden/models/sd15.safetensors.drawn"), "pt") as file:
        configs = json.loads(file.metadata()["mantissa.config"])
    torch.manual_seed(1)
    unet = UNet2DConditionModel.from_config(configs["unet"])
    text = CLIPTextModel(CLIPTextConfig(**{k: v for k, v in configs["te1"].items()
                                           if k not in ("architectures", "model_type")}))
    return {"unet": unet.float(), "text_encoder": text.float()}


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    cases = []
    for family in MODULES:
        model = Model(family)
        for name, (form, others) in forms(family, model.weights()).items():
            file = f"{family}-{name}.safetensors"
            save_file({k: v.contiguous() for k, v in form.tensors.items()}, out / file)
            verdict, why = model.verdict(form)
            expected = dict(zip(("comfyui", "forge", "sdcpp", "invokeai"), others.split())) | {"diffusers": verdict}
            print(f"{file}: diffusers {verdict} {why}")
            cases.append({"file": file, "family": family, "readers": expected})
    (out / "cases.json").write_text(json.dumps({"cases": cases}, indent=1) + "\n")


if __name__ == "__main__":
    main()
