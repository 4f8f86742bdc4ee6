#include "engine/models/clip/clip_config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/io/tokenizer_folder.h"
#include "engine/io/transformers_fields.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

/// Fields for initialisation and for dropout in training: not used here.
constexpr std::array<std::string_view, 4> kClipHarmless{"initializer_factor", "initializer_range",
                                                        "attention_dropout", "dropout"};

/// A complete CLIP config, with its vision half, has the text encoder's fields one level down.
const json& text_part(const json& object) {
  const bool whole = object.is_object() && object.value("model_type", json()) == "clip" &&
                     object.contains("text_config");
  return whole ? object["text_config"] : object;
}

ClipConfig detect_clip(const WeightSource& weights, Part part) {
  ClipConfig c;
  c.vocab = dim(weights, part, "text_model.embeddings.token_embedding.weight", 0);
  c.hidden = dim(weights, part, "text_model.embeddings.token_embedding.weight", 1);
  c.positions = dim(weights, part, "text_model.embeddings.position_embedding.weight", 0);
  c.layers = count_names(weights, part, "text_model.encoder.layers.", ".layer_norm1.weight");
  if (c.layers == 0) {
    throw Error(message<"'{path}': {part} has no layer text_model.encoder.layers.0; it is no CLIP "
                        "text encoder">(path_to_utf8(weights.path()), part.name()));
  }
  c.intermediate = dim(weights, part, "text_model.encoder.layers.0.mlp.fc1.weight", 0);
  c.heads = usual_heads(c.hidden);
  // CLIP ViT-L uses quick GELU; SD 2.x's encoder from OpenCLIP, 1024 wide, doesn't.
  constexpr int kOpenClipWidth = 1024;
  c.quick_gelu = part == kTe1 && c.hidden < kOpenClipWidth;
  c.use_usual_ids(part);
  c.pad_id = c.quick_gelu ? c.eos_id : 0;
  c.projection_dim = part == kTe2 && weights.contains(part, "text_projection.weight")
                         ? dim(weights, part, "text_projection.weight", 0)
                         : 0;
  return c;
}

/// Reads the model's tokenizer folder: transformers pads with EOS if it names no other token.
void read_tokenizer(const WeightSource& weights, Part part, ClipConfig& c) {
  const auto folder = weights.tokenizer_folder(part);
  if (!folder) {
    return;
  }
  const BpeFiles files = read_bpe_folder(*folder);
  const std::string pad = files.notes.pad_token.value_or("<|endoftext|>");
  const auto added = std::find_if(files.notes.added.begin(), files.notes.added.end(),
                                  [&](const AddedToken& token) { return token.content == pad; });
  const auto at = files.vocab.find(pad);
  if (added == files.notes.added.end() && at == files.vocab.end()) {
    throw Error(message<"{file}: pad_token '{token}' is not in the vocabulary">(files.label, pad));
  }
  c.pad_id = added != files.notes.added.end() ? added->id : at->get<int>();
  c.tokens = std::min(c.tokens, files.notes.max_length.value_or(c.tokens));
}

}  // namespace

ClipConfig clip_config_from_json(const json& object, Part part, const std::string& label) {
  const ConfigFields f(text_part(object), label);
  f.one_of("model_type", "clip_text_model", {"clip_text_model"});
  ClipConfig c;
  c.hidden = f.integer("hidden_size", 512);
  c.layers = f.integer("num_hidden_layers", 12);
  c.heads = f.integer("num_attention_heads", 8);
  c.intermediate = f.integer("intermediate_size", 2048);
  c.vocab = f.integer("vocab_size", 49408, 4);
  c.positions = f.integer("max_position_embeddings", 77, 2);
  c.quick_gelu = f.one_of("hidden_act", "quick_gelu", {"quick_gelu", "gelu"}) == "quick_gelu";
  const int projection = f.integer("projection_dim", 512);
  c.projection_dim = part == kTe2 ? projection : 0;
  c.norm_eps = f.number("layer_norm_eps", 1e-5);
  c.use_usual_ids(part);
  // Published configs say 2, which was never the id of EOS: it means the greatest id.
  const int eos = f.integer("eos_token_id", c.eos_id, 0);
  c.eos_id = eos >= c.vocab ? c.eos_id : eos;
  for (const char* key : {"bos_token_id", "pad_token_id"}) {
    f.find(key);  // taken from the tokenizer; published configs have other numbers
  }
  refuse_other_fields(f, kClipHarmless);
  if (c.hidden % c.heads != 0) {
    f.fail("num_attention_heads",
           message<"is {heads}, which does not divide the {channels} channels of hidden_size">(
               c.heads, c.hidden));
  }
  return c;
}

ClipConfig clip_config(const WeightSource& weights, Part part) {
  require_part(weights, part);
  const ClipConfig found = detect_clip(weights, part);
  ClipConfig c = declared_or(found, weights, part, [part](const auto& json, const auto& label) {
    return clip_config_from_json(json, part, label);
  });
  same(weights, part, "hidden_size", c.hidden, found.hidden);
  same(weights, part, "num_hidden_layers", c.layers, found.layers);
  same(weights, part, "intermediate_size", c.intermediate, found.intermediate);
  same(weights, part, "vocab_size", c.vocab, found.vocab);
  same(weights, part, "max_position_embeddings", c.positions, found.positions);
  if (found.projection_dim != 0) {
    same(weights, part, "projection_dim", c.projection_dim, found.projection_dim);
  }
  c.projection_dim = found.projection_dim;
  c.tokens = c.positions;
  read_tokenizer(weights, part, c);
  return c;
}

json to_json(const ClipConfig& c) {
  return json{
      {"architectures", {c.projection_dim != 0 ? "CLIPTextModelWithProjection" : "CLIPTextModel"}},
      {"model_type", "clip_text_model"},
      {"hidden_size", c.hidden},
      {"num_hidden_layers", c.layers},
      {"num_attention_heads", c.heads},
      {"intermediate_size", c.intermediate},
      {"hidden_act", c.quick_gelu ? "quick_gelu" : "gelu"},
      {"vocab_size", c.vocab},
      {"max_position_embeddings", c.positions},
      {"projection_dim", c.projection_dim != 0 ? c.projection_dim : c.hidden},
      {"layer_norm_eps", c.norm_eps},
      {"bos_token_id", c.bos_id},
      {"eos_token_id", c.eos_id},
      {"pad_token_id", c.pad_id}};
}

}  // namespace mantissa
