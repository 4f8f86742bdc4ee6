#include "engine/models/ernie_image/ernie_image_keys.h"

#include "engine/models/block_names.h"

namespace mantissa {

namespace {

constexpr NamePair unchanged_name(std::string_view name) {
  return {name, name};
}

/// What is in no table is unknown.
constexpr std::array kErnieImageTop{
    unchanged_name("x_embedder.proj"),
    unchanged_name("text_proj"),
    unchanged_name("time_embedding.linear_1"),
    unchanged_name("time_embedding.linear_2"),
    unchanged_name("adaLN_modulation.1"),
    unchanged_name("final_norm.linear"),
    unchanged_name("final_linear"),
};

constexpr std::array kErnieImageLayer{
    unchanged_name("adaLN_sa_ln"),           unchanged_name("adaLN_mlp_ln"),
    unchanged_name("self_attention.to_q"),   unchanged_name("self_attention.to_k"),
    unchanged_name("self_attention.to_v"),   unchanged_name("self_attention.to_out.0"),
    unchanged_name("self_attention.norm_q"), unchanged_name("self_attention.norm_k"),
    unchanged_name("mlp.gate_proj"),         unchanged_name("mlp.up_proj"),
    unchanged_name("mlp.linear_fc2"),
};

constexpr std::array kErnieImageStack{unchanged_name("layers.")};

}  // namespace

std::optional<std::string> ernie_image_path(std::string_view path) {
  auto top = rename_head(path, kErnieImageTop, true);
  return top ? top : rename_in_block(path, kErnieImageStack, kErnieImageLayer, true);
}

std::optional<NameMapping> ernie_image_to_diffusers(std::string_view name) {
  auto known = ernie_image_path(name);
  return known ? std::optional(NameMapping{NameTransform::none, {std::move(*known)}, kDenoiser})
               : std::nullopt;
}

std::optional<OriginalTensor> ernie_image_to_original(std::string_view name) {
  auto known = ernie_image_path(name);
  return known ? std::optional(OriginalTensor{std::move(*known)}) : std::nullopt;
}

}  // namespace mantissa
