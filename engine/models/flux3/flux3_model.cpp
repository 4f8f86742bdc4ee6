#include "engine/models/flux3/flux3_model.h"

#include <algorithm>

#include "engine/graph/ops.h"
#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "engine/models/vae/flux2_vae.h"

namespace mantissa {
namespace {

/// Captions are padded to a multiple of it, and the transformer attends to that padding.
constexpr std::int64_t kFlux3Window = 80;
constexpr std::int64_t kFlux3Tokens = 7 * kFlux3Window;
constexpr std::array kFlux3States{4, 8, 12, 16, 20, 24, 28, 32};

std::int64_t flux3_window(std::int64_t tokens) {
  return std::min((tokens + kFlux3Window - 1) / kFlux3Window * kFlux3Window, kFlux3Tokens);
}

}  // namespace

Flux3Model::Flux3Model(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                       const PrecisionRules& rules)
    : TransformerModel(kernels, source, adapters, rules, flux3_config, kQwen3VlTheta) {
  if (has(kTe1)) {
    require_text_states(config().context_channels);
  }
  use_vae(flux2_model_vae(source, config().in_channels), config().in_channels);
}

std::vector<int> Flux3Model::text_states() const {
  return {kFlux3States.begin(), kFlux3States.end()};
}

std::unique_ptr<Flux3Transformer> Flux3Model::make_transformer() {
  return std::make_unique<Flux3Transformer>(
      config(), scope(kDenoiser),
      text_options().references > 0 ? Flux3References::given : Flux3References::none);
}

std::int64_t Flux3Model::text_tokens() const {
  const std::int64_t needed = text_options().tokens;
  return needed == 0 ? kFlux3Tokens : flux3_window(needed);
}

std::int64_t Flux3Model::tokens_needed(const std::string& caption) {
  if (!reads_text()) {
    return 0;
  }
  return flux3_window(chat_length(tokenizer(), caption, Thinking::allowed).whole);
}

std::vector<TextReach> Flux3Model::text_reach(const std::string& caption) {
  return chat_reach(caption, kFlux3Tokens);
}

TokenIds Flux3Model::tokenize(const std::string& caption) {
  const PromptTokens prompt = padded_prompt_tokens(
      tokenizer(), qwen3_chat(caption, Thinking::allowed), static_cast<int>(text_tokens()));
  TokenIds tokens;
  tokens.ids["te1_ids"] = prompt.ids;
  tokens.ids["te1_real"].assign(prompt.real.begin(), prompt.real.end());
  return tokens;
}

std::map<std::string, Shape> Flux3Model::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config().context_channels}}, {"mask", {tokens}}};
}

TextValues Flux3Model::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const Qwen3Inputs inputs =
      qwen3_inputs(graph, "te1", text_config(), batch, tokens, Qwen3Positions::padding_at_one);
  return {{"context", te1().forward(graph, inputs)},
          {"mask", graph.input("mask", DType::f32, {batch, tokens})}};
}

void Flux3Model::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  const auto tokens = static_cast<std::size_t>(executor.input("te1_ids").shape[1]);
  const std::vector<std::int32_t> flags = joined_ids(batch, "te1_real");
  const std::vector<std::uint8_t> real(flags.begin(), flags.end());
  std::vector<std::uint8_t> inside;  // each caption's window, padding in it too
  for (std::size_t begin = 0; begin < real.size(); begin += tokens) {
    const auto text = real.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto count = std::count(text, text + static_cast<std::ptrdiff_t>(tokens), 1);
    for (std::size_t i = 0; i < tokens; ++i) {
      inside.push_back(static_cast<std::int64_t>(i) < flux3_window(count) ? 1 : 0);
    }
  }
  feed_qwen3(executor, "te1", text_config(), joined_ids(batch, "te1_ids"), real,
             Qwen3Positions::padding_at_one);
  executor.feed("mask", qwen3_key_mask(inside));
}

Value Flux3Model::predict_edit(Graph& graph, Value noised, Value timesteps, const TextValues& text,
                               std::span<const Value> references) {
  Flux3Inputs inputs;
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.keys = text.at("mask");
  inputs.references.assign(references.begin(), references.end());
  const auto positions = [](Value image) { return image.shape()[1] * image.shape()[2]; };
  std::int64_t tokens = inputs.text.shape()[1] + positions(noised);
  for (const Value reference : references) {
    tokens += positions(reference);
  }
  const Shape table{1, tokens, config().head_dim / 2};
  inputs.cos = graph.input("token_cos", DType::f32, table);
  inputs.sin = graph.input("token_sin", DType::f32, table);
  return transformer().forward(graph, noised, inputs);
}

void Flux3Model::feed_sizes(Executor& executor, std::span<const float> /*time_ids*/,
                            std::int64_t height, std::int64_t width) const {
  const std::vector<LatentSize> references = reference_sizes(executor);
  std::int64_t tokens = executor.input("token_cos").shape[1] - height * width;
  for (const LatentSize& reference : references) {
    tokens -= reference.positions();
  }
  const RotaryTables tables = flux3_positions(tokens, {height, width}, references, config());
  executor.feed("token_cos", tables.cos);
  executor.feed("token_sin", tables.sin);
}

}  // namespace mantissa
