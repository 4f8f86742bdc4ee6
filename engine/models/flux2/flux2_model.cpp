#include "engine/models/flux2/flux2_model.h"

#include <algorithm>

#include "engine/graph/ops.h"
#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "engine/models/vae/flux2_vae.h"

namespace mantissa {
namespace {

constexpr std::int64_t kKleinTokens = 512;
constexpr std::array kKleinStates{9, 18, 27};
/// Of transformers distilled with a scale: the pipelines' default.
constexpr float kUsualGuidance = 4.0F;

}  // namespace

double flux2_sampling_mu(double tokens, int steps) {
  // The slopes and offsets of the pipeline's fit, at 10 and at 200 steps.
  const double few = 8.73809524e-05 * tokens + 1.89833333;
  const double many = 0.00016927 * tokens + 0.45666666;
  constexpr double kFew = 10, kMany = 200, kMostFitted = 4300;
  return tokens > kMostFitted ? many : many + (many - few) / (kMany - kFew) * (steps - kMany);
}

Flux2Model::Flux2Model(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                       const PrecisionRules& rules)
    : TransformerModel(kernels, source, adapters, rules, flux2_config) {
  if (has(kTe1)) {
    require_text_states(config().context_channels);
  }
  use_vae(flux2_model_vae(source, config().in_channels), config().in_channels);
}

std::vector<int> Flux2Model::text_states() const {
  return {kKleinStates.begin(), kKleinStates.end()};
}

std::int64_t Flux2Model::text_tokens() const {
  return kKleinTokens;
}

std::vector<TextReach> Flux2Model::text_reach(const std::string& caption) {
  return chat_reach(caption, kKleinTokens);
}

TokenIds Flux2Model::tokenize(const std::string& caption) {
  const PromptTokens prompt = padded_prompt_tokens(
      tokenizer(), qwen3_chat(caption, Thinking::skipped), static_cast<int>(text_tokens()));
  TokenIds tokens;
  tokens.ids["te1_ids"] = prompt.ids;
  tokens.ids["te1_length"] = {
      static_cast<std::int32_t>(std::count(prompt.real.begin(), prompt.real.end(), 1))};
  return tokens;
}

std::map<std::string, Shape> Flux2Model::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config().context_channels}}};
}

TextValues Flux2Model::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  // The rows of padding too: the transformer attends to them.
  return {
      {"context", te1().forward(graph, qwen3_inputs(graph, "te1", text_config(), batch, tokens))}};
}

void Flux2Model::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  const std::int64_t tokens = executor.input("te1_ids").shape[1];
  feed_qwen3(executor, "te1", text_config(), joined_ids(batch, "te1_ids"),
             real_tokens(batch, "te1", tokens));
}

Value Flux2Model::predict_edit(Graph& graph, Value noised, Value timesteps, const TextValues& text,
                               std::span<const Value> references) {
  Flux2Inputs inputs;
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.references.assign(references.begin(), references.end());
  const auto positions = [](Value image) { return image.shape()[1] * image.shape()[2]; };
  std::int64_t tokens = inputs.text.shape()[1] + positions(noised);
  for (const Value reference : references) {
    tokens += positions(reference);
  }
  const Shape table{1, tokens, config().head_dim / 2};
  inputs.cos = graph.input("token_cos", DType::f32, table);
  inputs.sin = graph.input("token_sin", DType::f32, table);
  if (config().guidance) {
    inputs.guidance = constant(graph, timesteps.dtype(), timesteps.shape(), kUsualGuidance);
  }
  return transformer().forward(graph, noised, inputs);
}

void Flux2Model::feed_sizes(Executor& executor, std::span<const float> /*time_ids*/,
                            std::int64_t height, std::int64_t width) const {
  const std::vector<LatentSize> references = reference_sizes(executor);
  std::int64_t tokens = executor.input("token_cos").shape[1] - height * width;
  for (const LatentSize& reference : references) {
    tokens -= reference.positions();
  }
  const RotaryTables tables = flux2_positions(tokens, {height, width}, references, config());
  executor.feed("token_cos", tables.cos);
  executor.feed("token_sin", tables.sin);
}

}  // namespace mantissa
