#pragma once
// Names of a Qwen3 decoder's weights: transformers' own, in the forms that different files have.

#include <array>
#include <optional>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/target_kind.h"

namespace mantissa {

struct ModelContents;

/// The mapping of a text encoder's tensor; empty if it isn't Qwen3's. Canonical names begin with
/// "model.", as Qwen3ForCausalLM's do; those of Qwen3Model have no prefix, those of Qwen3-VL one
/// more level. The head that predicts tokens and the vision tower are dropped.
std::optional<NameMapping> qwen3_weight(Part part, std::string_view name);

/// Mapping for a Qwen3-VL or Qwen2.5-VL whose vision tower is used: its names begin with "visual.".
std::optional<NameMapping> qwen3_vl_weight(Part part, std::string_view name);

/// Present in every such tower.
inline constexpr std::string_view kQwenTower = "visual.patch_embed.proj.weight";

/// Mapping for a Ministral 3, but not by llama.cpp's names; of the Mistral 3 around it, what reads
/// images is dropped too, and the tokenizer that ComfyUI's files hold.
std::optional<NameMapping> ministral3_weight(Part part, std::string_view name);

/// Family::to_folder where te1 is a model that reads images too: its language model is one level
/// down in Qwen3VLModel and Mistral3Model, two in the classes …ForConditionalGeneration.
void to_vl_model_folder(ModelContents& model);
void to_vl_generation_folder(ModelContents& model);

inline constexpr std::array kQwen3Targets{
    TargetRow{"*.self_attn.q_proj", TargetKind::attention},
    TargetRow{"*.self_attn.k_proj", TargetKind::attention},
    TargetRow{"*.self_attn.v_proj", TargetKind::attention},
    TargetRow{"*.self_attn.o_proj", TargetKind::attention},
    TargetRow{"*.mlp.gate_proj", TargetKind::mlp},
    TargetRow{"*.mlp.up_proj", TargetKind::mlp},
    TargetRow{"*.mlp.down_proj", TargetKind::mlp},
};

}  // namespace mantissa
