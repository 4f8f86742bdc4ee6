#include "engine/models/pixart/pixart_model.h"

#include "engine/graph/ops.h"

namespace mantissa {
namespace {

constexpr std::int64_t kAlphaTokens = 120, kSigmaTokens = 300;

}  // namespace

PixartModel::PixartModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                         const PrecisionRules& rules)
    : TransformerModel(kernels, source, adapters, rules, pixart_config) {
  require_text_width(config().caption_channels);
  require_latent_channels(config().in_channels);
}

std::int64_t PixartModel::text_tokens() const {
  // No config says it. Alpha at 1024 is conditioned on sizes; below, it differs from Sigma by the
  // VAE: Sigma has SDXL's, with a scale of 0.13025 instead of alpha's 0.18215.
  constexpr double kBetweenScales = 0.15;
  const bool alpha =
      config().additional_conditions || (has(kVae) && vae_config().scaling_factor > kBetweenScales);
  return alpha ? kAlphaTokens : kSigmaTokens;
}

std::string PixartModel::prepared(const std::string& caption) const {
  return lower_trimmed(caption);
}

std::map<std::string, Shape> PixartModel::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config().caption_channels}}, {"mask", {tokens}}};
}

TextValues PixartModel::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const Value mask = graph.input("mask", DType::f32, {batch, tokens});
  return {{"context", t5_states(graph, batch, tokens, mask)}, {"mask", mask}};
}

void PixartModel::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  std::vector<float> mask;
  for (const TokenIds& tokens : batch) {
    const std::vector<float> row = text_mask(tokens.of("te1_ids"), t5_config().eos_id);
    mask.insert(mask.end(), row.begin(), row.end());
  }
  feed_t5(executor, batch);
  executor.feed("mask", mask);
}

Value PixartModel::predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) {
  const Shape s = noised.shape();
  const std::int64_t patch = config().patch_size;
  const Shape patches{(s[1] / patch) * (s[2] / patch)};
  PixartInputs inputs;
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.text_mask = text.at("mask");
  if (config().additional_conditions) {
    inputs.sizes = graph.input("sizes", DType::f32, {s[0], 3});
  }
  inputs.columns = graph.input("patch_columns", DType::f32, patches);
  inputs.rows = graph.input("patch_rows", DType::f32, patches);
  return slice_channels(transformer().forward(graph, noised, inputs), 0, config().in_channels);
}

void PixartModel::feed_sizes(Executor& executor, std::span<const float> time_ids,
                             std::int64_t height, std::int64_t width) const {
  const auto grid = pixart_grid(height, width, config());
  executor.feed("patch_columns", grid.first);
  executor.feed("patch_rows", grid.second);
  if (config().additional_conditions) {
    std::vector<float> sizes;
    for (std::size_t b = 0; b * 6 < time_ids.size(); ++b) {
      // The cropped size, as in sampling, where there is no original.
      const float target_height = time_ids[b * 6 + 4], target_width = time_ids[b * 6 + 5];
      sizes.insert(sizes.end(), {target_height, target_width, target_height / target_width});
    }
    executor.feed("sizes", sizes);
  }
}

}  // namespace mantissa
