#include "engine/models/chroma/chroma_model.h"

#include <algorithm>

#include "engine/graph/ops.h"
#include "engine/models/flux1/flux1_forward.h"

namespace mantissa {
namespace {

constexpr std::int64_t kChromaTokens = 512;
/// What a caption takes beside its pieces: the end of the text, and padding that is read.
constexpr std::int64_t kChromaEnd = 1, kChromaPadding = 1;

}  // namespace

ChromaModel::ChromaModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                         const PrecisionRules& rules)
    : TransformerModel(kernels, source, adapters, rules, chroma_config) {
  require_text_width(config().context_channels);
  use_kl_vae(config().latent_channels());
}

std::int64_t ChromaModel::most_tokens() const {
  return kChromaTokens;
}

std::int64_t ChromaModel::text_tokens() const {
  return tokens_of_run(kChromaTokens);
}

std::int64_t ChromaModel::tokens_needed(const std::string& caption) {
  if (!has(kTe1) || !source().tokenizer_folder(kTe1)) {
    return 0;
  }
  return std::min(std::ssize(t5_tokenizer().encode(caption)) + kChromaEnd + kChromaPadding,
                  kChromaTokens);
}

std::map<std::string, Shape> ChromaModel::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config().context_channels}}, {"mask", {tokens}}};
}

TextValues ChromaModel::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const Value mask = graph.input("te1_mask", DType::f32, {batch, tokens});
  return {{"context", t5_states(graph, batch, tokens, mask)},
          {"mask", graph.input("mask", DType::f32, {batch, tokens})}};
}

void ChromaModel::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  std::vector<float> encoded, attended;
  for (const TokenIds& tokens : batch) {
    std::vector<float> row = text_mask(tokens.of("te1_ids"), t5_config().eos_id);
    encoded.insert(encoded.end(), row.begin(), row.end());
    const auto padding = std::ranges::find_if(row, [](float value) { return value != 0; });
    std::fill(padding, padding + std::min(kChromaPadding, row.end() - padding), 0.0F);
    attended.insert(attended.end(), row.begin(), row.end());
  }
  feed_t5(executor, batch);
  executor.feed("te1_mask", encoded);
  executor.feed("mask", attended);
}

Value ChromaModel::predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) {
  ChromaInputs inputs;
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.keys = text.at("mask");
  const Flux1Attended at =
      flux1_position_inputs(graph, inputs.text.shape()[1], noised, config().head_dim);
  inputs.cos = at.cos;
  inputs.sin = at.sin;
  inputs.numbers =
      graph.input("modulation_numbers", DType::f32,
                  {noised.shape()[0], config().modulations(), config().approximator_channels});
  return transformer().forward(graph, noised, inputs);
}

void ChromaModel::feed_sizes(Executor& executor, std::span<const float> /*time_ids*/,
                             std::int64_t height, std::int64_t width) const {
  feed_flux1_positions(executor, height, width, config().axes_dims);
  const std::vector<float> one = chroma_numbers(config());
  std::vector<float> all;
  for (std::int64_t b = executor.input("modulation_numbers").shape[0]; b > 0; --b) {
    all.insert(all.end(), one.begin(), one.end());
  }
  executor.feed("modulation_numbers", all);
}

}  // namespace mantissa
