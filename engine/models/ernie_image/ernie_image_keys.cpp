#include "engine/models/ernie_image/ernie_image_keys.h"

#include "engine/models/block_names.h"

namespace mantissa {

namespace {

/// What is in no table is unknown.
constexpr std::array kErnieImageTop{
    same_name("x_embedder.proj"),
    same_name("text_proj"),
    same_name("time_embedding.linear_1"),
    same_name("time_embedding.linear_2"),
    same_name("adaLN_modulation.1"),
    same_name("final_norm.linear"),
    same_name("final_linear"),
};

constexpr std::array kErnieImageLayer{
    same_name("adaLN_sa_ln"),           same_name("adaLN_mlp_ln"),
    same_name("self_attention.to_q"),   same_name("self_attention.to_k"),
    same_name("self_attention.to_v"),   same_name("self_attention.to_out.0"),
    same_name("self_attention.norm_q"), same_name("self_attention.norm_k"),
    same_name("mlp.gate_proj"),         same_name("mlp.up_proj"),
    same_name("mlp.linear_fc2"),
};

constexpr std::array kErnieImageStack{same_name("layers.")};

}  // namespace

std::optional<std::string> ernie_image_path(std::string_view path) {
  auto top = rename_head(path, kErnieImageTop, true);
  return top ? top : rename_in_block(path, kErnieImageStack, kErnieImageLayer, true);
}

std::optional<NameMapping> ernie_image_to_diffusers(std::string_view name) {
  return renamed_weight(ernie_image_path(name));
}

std::optional<OriginalTensor> ernie_image_to_original(std::string_view name) {
  return renamed_tensor(ernie_image_path(name));
}

}  // namespace mantissa
