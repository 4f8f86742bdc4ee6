#include <array>

#include "engine/io/key_map.h"
#include "engine/io/name_parts.h"

namespace mantissa {

namespace {

constexpr std::array<NamePair, 5> kClipLayer{{
    {"ln_1", "layer_norm1"},
    {"ln_2", "layer_norm2"},
    {"attn.out_proj", "self_attn.out_proj"},
    {"mlp.c_fc", "mlp.fc1"},
    {"mlp.c_proj", "mlp.fc2"},
}};

constexpr std::array<std::string_view, 3> kFusedProjections{"q_proj", "k_proj", "v_proj"};

}  // namespace

std::optional<NameMapping> openclip_to_hf(std::string_view name) {
  const auto plain = [](std::string text) {
    return NameMapping{NameTransform::none, {std::move(text)}};
  };
  if (name == "token_embedding.weight") {
    return plain("text_model.embeddings.token_embedding.weight");
  }
  if (name == "positional_embedding") {
    return plain("text_model.embeddings.position_embedding.weight");
  }
  if (name == "text_projection") {
    return NameMapping{NameTransform::transpose, {"text_projection.weight"}};
  }
  if (name == "logit_scale") {
    return NameMapping{NameTransform::dropped, {}};
  }
  std::string_view rest = name;
  if (take(rest, "ln_final.")) {
    return plain("text_model.final_layer_norm." + std::string(rest));
  }
  if (!take(rest, "transformer.resblocks.")) {
    return std::nullopt;
  }
  const auto layer = take_index(rest);
  if (!layer) {
    return std::nullopt;
  }
  const std::string head = "text_model.encoder.layers." + std::to_string(*layer) + ".";
  if (rest == "attn.in_proj_weight" || rest == "attn.in_proj_bias") {
    NameMapping mapping{NameTransform::split_rows, {}};
    for (std::string_view projection : kFusedProjections) {
      mapping.names.push_back(head + "self_attn." + std::string(projection) +
                              (rest.ends_with("weight") ? ".weight" : ".bias"));
    }
    return mapping;
  }
  if (auto tail = rename_head(rest, kClipLayer, true)) {
    return plain(head + *tail);
  }
  return std::nullopt;
}

std::optional<OpenClipSource> hf_to_openclip(std::string_view name) {
  if (name == "text_model.embeddings.token_embedding.weight") {
    return OpenClipSource{"token_embedding.weight"};
  }
  if (name == "text_model.embeddings.position_embedding.weight") {
    return OpenClipSource{"positional_embedding"};
  }
  if (name == "text_projection.weight") {
    return OpenClipSource{"text_projection", NameTransform::transpose};
  }
  std::string_view rest = name;
  if (take(rest, "text_model.final_layer_norm.")) {
    return OpenClipSource{"ln_final." + std::string(rest)};
  }
  if (!take(rest, "text_model.encoder.layers.")) {
    return std::nullopt;
  }
  const auto layer = take_index(rest);
  if (!layer) {
    return std::nullopt;
  }
  const std::string head = "transformer.resblocks." + std::to_string(*layer) + ".";
  for (std::size_t i = 0; i < kFusedProjections.size(); ++i) {
    for (std::string_view kind : {"weight", "bias"}) {
      if (rest == "self_attn." + std::string(kFusedProjections[i]) + "." + std::string(kind)) {
        return OpenClipSource{head + "attn.in_proj_" + std::string(kind), NameTransform::split_rows,
                              static_cast<int>(i)};
      }
    }
  }
  if (auto tail = rename_head(rest, kClipLayer, false)) {
    return OpenClipSource{head + *tail};
  }
  return std::nullopt;
}

}  // namespace mantissa
