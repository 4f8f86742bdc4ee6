#include "engine/models/qwen_image/qwen_image_keys.h"

#include "engine/models/block_names.h"

namespace mantissa {

namespace {

/// What is in no table is unknown.
constexpr std::array kQwenImageTop{
    same_name("img_in"),
    same_name("txt_in"),
    same_name("txt_norm"),
    same_name("time_text_embed.timestep_embedder.linear_1"),
    same_name("time_text_embed.timestep_embedder.linear_2"),
    same_name("norm_out.linear"),
    same_name("proj_out"),
};

constexpr std::array kQwenImageBlock{
    same_name("img_mod.1"),          same_name("txt_mod.1"),
    same_name("attn.to_q"),          same_name("attn.to_k"),
    same_name("attn.to_v"),          same_name("attn.to_out.0"),
    same_name("attn.norm_q"),        same_name("attn.norm_k"),
    same_name("attn.add_q_proj"),    same_name("attn.add_k_proj"),
    same_name("attn.add_v_proj"),    same_name("attn.to_add_out"),
    same_name("attn.norm_added_q"),  same_name("attn.norm_added_k"),
    same_name("img_mlp.net.0.proj"), same_name("img_mlp.net.2"),
    same_name("txt_mlp.net.0.proj"), same_name("txt_mlp.net.2"),
};

constexpr std::array kQwenImageStack{same_name("transformer_blocks.")};

}  // namespace

std::optional<std::string> qwen_image_path(std::string_view path) {
  auto top = rename_head(path, kQwenImageTop, true);
  return top ? top : rename_in_block(path, kQwenImageStack, kQwenImageBlock, true);
}

std::optional<NameMapping> qwen_image_to_diffusers(std::string_view name) {
  return renamed_weight(qwen_image_path(name));
}

std::optional<OriginalTensor> qwen_image_to_original(std::string_view name) {
  return renamed_tensor(qwen_image_path(name));
}

}  // namespace mantissa
