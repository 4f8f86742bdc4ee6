"""Names of an SDXL single file (LDM layout) from diffusers and transformers names.

Used at development time by the scripts that make the demo's base model and the golden test models.
Every function takes and returns {name: numpy array}; names come without and go with the prefix.
"""

import re

import numpy as np

UNET_PREFIX = "model.diffusion_model."
VAE_PREFIX = "first_stage_model."
TE1_PREFIX = "conditioner.embedders.0.transformer."
TE2_PREFIX = "conditioner.embedders.1.model."

_UNET_FIXED = {
    "conv_in": "input_blocks.0.0",
    "conv_norm_out": "out.0",
    "conv_out": "out.2",
    "time_embedding.linear_1": "time_embed.0",
    "time_embedding.linear_2": "time_embed.2",
    "add_embedding.linear_1": "label_emb.0.0",
    "add_embedding.linear_2": "label_emb.0.2",
    "mid_block.resnets.0": "middle_block.0",
    "mid_block.attentions.0": "middle_block.1",
    "mid_block.resnets.1": "middle_block.2",
}
_RESNET = {
    "norm1": "in_layers.0",
    "conv1": "in_layers.2",
    "time_emb_proj": "emb_layers.1",
    "norm2": "out_layers.0",
    "conv2": "out_layers.3",
    "conv_shortcut": "skip_connection",
}


def _unet_name(name, layers, has_attention):
    """layers: residual blocks a level; has_attention: one flag a level, outermost first."""
    head, _, tail = name.rpartition(".")
    if head in _UNET_FIXED:
        return f"{_UNET_FIXED[head]}.{tail}"
    for source, target in _UNET_FIXED.items():
        if name.startswith(source + "."):
            rest = name[len(source) + 1 :]
            return f"{target}.{_inside(rest) if 'resnets' in source else rest}"
    match = re.match(r"(down|up)_blocks\.(\d+)\.(\w+)\.(\d+)\.(.*)", name)
    side, level, kind, index, rest = match.groups()
    level, index = int(level), int(index)
    step = layers + 1
    if side == "down":
        number = 1 + level * step + (layers if kind == "downsamplers" else index)
        place = {"resnets": "0", "attentions": "1", "downsamplers": "0.op"}[kind]
        block = f"input_blocks.{number}.{place}"
    else:
        number = level * step + (layers if kind == "upsamplers" else index)
        attention = has_attention[len(has_attention) - 1 - level]
        place = {"resnets": "0", "attentions": "1", "upsamplers": "2.conv" if attention else "1.conv"}
        block = f"output_blocks.{number}.{place[kind]}"
    if kind in ("downsamplers", "upsamplers"):
        return f"{block}.{rest.removeprefix('conv.')}"
    return f"{block}.{_inside(rest) if kind == 'resnets' else rest}"


def _inside(rest):
    part, _, tail = rest.rpartition(".")
    return f"{_RESNET[part]}.{tail}"


def unet(tensors, layers, has_attention):
    return {UNET_PREFIX + _unet_name(k, layers, has_attention): v for k, v in tensors.items()}


def vae(tensors, levels):
    result = {}
    for name, value in tensors.items():
        out = name.replace("conv_norm_out", "norm_out").replace("conv_shortcut", "nin_shortcut")
        out = re.sub(r"mid_block\.resnets\.(\d)", lambda m: f"mid.block_{int(m[1]) + 1}", out)
        out = re.sub(r"down_blocks\.(\d+)\.resnets\.(\d+)", r"down.\1.block.\2", out)
        out = re.sub(r"down_blocks\.(\d+)\.downsamplers\.0", r"down.\1.downsample", out)
        out = re.sub(r"up_blocks\.(\d+)\.resnets\.(\d+)",
                     lambda m: f"up.{levels - 1 - int(m[1])}.block.{m[2]}", out)
        out = re.sub(r"up_blocks\.(\d+)\.upsamplers\.0",
                     lambda m: f"up.{levels - 1 - int(m[1])}.upsample", out)
        if "mid_block.attentions.0." in out:
            for a, b in (("group_norm", "norm"), ("to_q", "q"), ("to_k", "k"), ("to_v", "v"),
                         ("to_out.0", "proj_out")):
                out = out.replace(f"mid_block.attentions.0.{a}.", f"mid.attn_1.{b}.")
            if value.ndim == 2:
                value = value[:, :, None, None]
        result[VAE_PREFIX + out] = value
    return result


def te1(tensors):
    return {TE1_PREFIX + k: v for k, v in tensors.items()}


def te2(tensors):
    """Transformers names to OpenCLIP: q, k, v fused by rows, the projection transposed."""
    result, fused = {}, {}
    for name, value in tensors.items():
        match = re.match(r"text_model\.encoder\.layers\.(\d+)\.(.*)\.(weight|bias)$", name)
        if match:
            layer, part, kind = match.groups()
            block = f"transformer.resblocks.{layer}."
            if part in ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"):
                fused.setdefault(f"{block}attn.in_proj_{kind}", {})[part[10]] = value
                continue
            out = {"self_attn.out_proj": "attn.out_proj", "layer_norm1": "ln_1",
                   "layer_norm2": "ln_2", "mlp.fc1": "mlp.c_fc", "mlp.fc2": "mlp.c_proj"}[part]
            result[f"{TE2_PREFIX}{block}{out}.{kind}"] = value
        elif name == "text_projection.weight":
            result[TE2_PREFIX + "text_projection"] = np.ascontiguousarray(value.T)
        else:
            out = {"text_model.embeddings.token_embedding.weight": "token_embedding.weight",
                   "text_model.embeddings.position_embedding.weight": "positional_embedding",
                   "text_model.final_layer_norm.weight": "ln_final.weight",
                   "text_model.final_layer_norm.bias": "ln_final.bias"}[name]
            result[TE2_PREFIX + out] = value
    for name, parts in fused.items():
        result[TE2_PREFIX + name] = np.concatenate([parts["q"], parts["k"], parts["v"]], axis=0)
    result[TE2_PREFIX + "logit_scale"] = np.asarray(np.log(100.0), dtype=result[TE2_PREFIX + "positional_embedding"].dtype)
    return result
