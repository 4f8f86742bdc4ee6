#include "engine/models/ernie_image/ernie_image_model.h"

#include <algorithm>

#include "engine/graph/ops.h"
#include "engine/models/qwen3/ministral3_tokenizer.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "engine/models/vae/flux2_vae.h"

namespace mantissa {
namespace {

constexpr std::int64_t kErnieImageTokens = 1024;
/// What the pipeline adds to the variances of the latents, whatever the VAE's config says.
constexpr double kErnieImageLatentEps = 1e-5;

}  // namespace

ErnieImageModel::ErnieImageModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                                 const PrecisionRules& rules)
    : TransformerModel(kernels, source, adapters, rules, ernie_image_config, kQwen3Theta,
                       DecoderKind::ministral3) {
  if (has(kTe1)) {
    require_text_states(config().context_channels);
  }
  ModelVae vae = flux2_model_vae(source, config().in_channels);
  if (has(kVae)) {
    Flux2VaeConfig of_latents = flux2_vae_config(source);
    of_latents.norm_eps = kErnieImageLatentEps;
    vae.latents = flux2_latents(source, of_latents);
  }
  use_vae(std::move(vae), config().in_channels);
}

BpeTokenizer ErnieImageModel::read_tokenizer() const {
  return ministral3_tokenizer(source(), kTe1, text_config().vocab);
}

std::vector<std::int32_t> ErnieImageModel::ids_of(const std::string& caption, std::int64_t most) {
  std::vector<std::int32_t> ids = ministral3_ids(tokenizer(), caption);
  ids.resize(std::min(ids.size(), static_cast<std::size_t>(most)));
  return ids;
}

std::int64_t ErnieImageModel::text_tokens() const {
  return tokens_of_run(kErnieImageTokens);
}

std::int64_t ErnieImageModel::tokens_needed(const std::string& caption) {
  return reads_text() ? std::ssize(ids_of(caption, kErnieImageTokens)) : 0;
}

std::vector<TextReach> ErnieImageModel::text_reach(const std::string& caption) {
  if (!has(kTe1)) {
    return {};
  }
  constexpr std::int64_t kBegin = 1;
  return {{kTe1, std::ssize(ministral3_ids(tokenizer(), caption)) - kBegin,
           kErnieImageTokens - kBegin}};
}

TokenIds ErnieImageModel::tokenize(const std::string& caption) {
  TokenIds tokens;
  std::vector<std::int32_t>& ids = tokens.ids["te1_ids"];
  ids = ids_of(caption, text_tokens());
  tokens.ids["te1_length"] = {static_cast<std::int32_t>(ids.size())};
  ids.resize(static_cast<std::size_t>(text_tokens()), 0);  // never attended to, whatever they are
  return tokens;
}

std::map<std::string, Shape> ErnieImageModel::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config().context_channels}},
          {"mask", {tokens}},
          {"place", {2, config().axes_dims[0]}}};
}

TextValues ErnieImageModel::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const Qwen3Inputs inputs = qwen3_inputs(graph, "te1", text_config(), batch, tokens);
  return {{"context", te1().forward(graph, inputs)},
          {"mask", graph.input("mask", DType::f32, {batch, tokens})},
          {"place", graph.input("place", DType::f32, {batch, 2, config().axes_dims[0]})}};
}

void ErnieImageModel::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  const std::int64_t tokens = executor.input("te1_ids").shape[1];
  const std::vector<std::uint8_t> real = real_tokens(batch, "te1", tokens);
  feed_qwen3(executor, "te1", text_config(), joined_ids(batch, "te1_ids"), real);
  executor.feed("mask", qwen3_key_mask(real));
  std::vector<float> places;
  for (const TokenIds& text : batch) {
    const std::vector<float> own = ernie_image_place(text.of("te1_length").at(0), config());
    places.insert(places.end(), own.begin(), own.end());
  }
  executor.feed("place", places);
}

Value ErnieImageModel::predict(Graph& graph, Value noised, Value timesteps,
                               const TextValues& text) {
  ErnieImageInputs inputs;
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.keys = text.at("mask");
  inputs.place = text.at("place");
  const Shape s = noised.shape();
  const Shape table{1, s[1] * s[2] + inputs.text.shape()[1], config().head_dim()};
  inputs.cos = graph.input("token_cos", DType::f32, table);
  inputs.sin = graph.input("token_sin", DType::f32, table);
  return transformer().forward(graph, noised, inputs);
}

void ErnieImageModel::feed_sizes(Executor& executor, std::span<const float> /*time_ids*/,
                                 std::int64_t height, std::int64_t width) const {
  const std::int64_t tokens = executor.input("token_cos").shape[1] - height * width;
  const RotaryTables tables = ernie_image_positions(tokens, height, width, config());
  executor.feed("token_cos", tables.cos);
  executor.feed("token_sin", tables.sin);
}

}  // namespace mantissa
