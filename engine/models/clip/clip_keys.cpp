#include "engine/models/clip/clip_keys.h"

#include <array>

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
    return NameMapping{NameTransform::none, {std::move(text)}, kTe1};
  };
  if (name == "token_embedding.weight") {
    return plain("text_model.embeddings.token_embedding.weight");
  }
  if (name == "positional_embedding") {
    return plain("text_model.embeddings.position_embedding.weight");
  }
  if (name == "text_projection") {
    return NameMapping{NameTransform::transpose, {"text_projection.weight"}, kTe1};
  }
  if (name == "logit_scale") {
    return NameMapping{NameTransform::dropped, {}, kTe1};
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
    NameMapping mapping{NameTransform::split_rows, {}, kTe1};
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

std::optional<OriginalTensor> hf_to_openclip(std::string_view name) {
  if (name == "text_model.embeddings.token_embedding.weight") {
    return OriginalTensor{"token_embedding.weight"};
  }
  if (name == "text_model.embeddings.position_embedding.weight") {
    return OriginalTensor{"positional_embedding"};
  }
  if (name == "text_projection.weight") {
    return OriginalTensor{"text_projection", NameTransform::transpose};
  }
  std::string_view rest = name;
  if (take(rest, "text_model.final_layer_norm.")) {
    return OriginalTensor{"ln_final." + std::string(rest)};
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
        return OriginalTensor{head + "attn.in_proj_" + std::string(kind), NameTransform::split_rows,
                              static_cast<int>(i), static_cast<int>(kFusedProjections.size())};
      }
    }
  }
  if (auto tail = rename_head(rest, kClipLayer, false)) {
    return OriginalTensor{head + *tail};
  }
  return std::nullopt;
}

std::optional<std::string> clip_name(std::string_view name) {
  // Some versions of transformers leave out the outer level.
  const bool bare = name.starts_with("embeddings.") || name.starts_with("encoder.layers.") ||
                    name.starts_with("final_layer_norm.");
  const std::string whole = (bare ? "text_model." : "") + std::string(name);
  const bool known = whole.starts_with("text_model.") || whole == "text_projection.weight";
  return known ? std::optional(whole) : std::nullopt;
}

}  // namespace mantissa
