#include "engine/models/z_image/z_image_model.h"

#include <algorithm>

#include "engine/graph/ops.h"
#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen3_inputs.h"

namespace mantissa {
namespace {

constexpr std::int64_t kMostTokens = 512;

}  // namespace

ZImageModel::ZImageModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                         const PrecisionRules& rules)
    : TransformerModel(kernels, source, adapters, rules, z_image_config) {
  if (has(kTe1) && text_config().hidden != config().caption_channels) {
    refuse_text_width(text_config().hidden, config().caption_channels);
  }
  require_latent_channels(config().in_channels);
}

std::int64_t ZImageModel::most_tokens() const {
  return std::min<std::int64_t>(kMostTokens, config().most_text_tokens());
}

std::int64_t ZImageModel::text_tokens() const {
  return tokens_of_run(most_tokens());
}

std::int64_t ZImageModel::tokens_needed(const std::string& caption) {
  if (!reads_text()) {
    return 0;
  }
  return std::ssize(prompt_tokens(tokenizer(), qwen3_chat(caption, Thinking::allowed),
                                  static_cast<int>(most_tokens()))
                        .ids);
}

std::vector<TextReach> ZImageModel::text_reach(const std::string& caption) {
  return chat_reach(caption, most_tokens());
}

TokenIds ZImageModel::tokenize(const std::string& caption) {
  const PromptTokens prompt = prompt_tokens(tokenizer(), qwen3_chat(caption, Thinking::allowed),
                                            static_cast<int>(text_tokens()));
  TokenIds tokens;
  tokens.ids["te1_length"] = {static_cast<std::int32_t>(prompt.ids.size())};
  std::vector<std::int32_t>& ids = tokens.ids["te1_ids"];
  ids = prompt.ids;
  ids.resize(static_cast<std::size_t>(text_tokens()), 0);  // never attended to, whatever they are
  return tokens;
}

std::map<std::string, Shape> ZImageModel::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config().caption_channels}}, {"layout", {tokens, 2}}};
}

TextValues ZImageModel::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const Value hidden =
      te1().forward(graph, qwen3_inputs(graph, "te1", text_config(), batch, tokens));
  return {
      {"context", zero_padding(hidden, graph.input("te1_real", hidden.dtype(), {batch, tokens}))},
      {"layout", graph.input("layout", DType::f32, {batch, tokens, 2})}};
}

void ZImageModel::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  const std::int64_t tokens = executor.input("te1_ids").shape[1];
  std::vector<float> layout;
  for (const TokenIds& prompt : batch) {
    const std::vector<float> own = z_image_layout(prompt.of("te1_length").at(0), tokens);
    layout.insert(layout.end(), own.begin(), own.end());
  }
  feed_qwen3(executor, "te1", text_config(), joined_ids(batch, "te1_ids"),
             real_tokens(batch, "te1", tokens));
  executor.feed("layout", layout);
}

Value ZImageModel::predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) {
  const Shape s = noised.shape();
  ZImageInputs inputs;
  inputs.text = text.at("context");
  inputs.layout = text.at("layout");
  const std::int64_t tokens = inputs.text.shape()[1];
  const std::int64_t n =
      z_image_sequence((s[1] / config().patch_size) * (s[2] / config().patch_size)) + tokens;
  inputs.order = graph.input("token_order", DType::f32, {2, n});
  inputs.grid = graph.input("token_grid", DType::f32, {s[0], n, 2});
  inputs.frequencies = graph.input("token_frequencies", DType::f32, {3, config().head_dim() / 2});
  inputs.times = z_image_times(graph, timesteps);
  return scale(transformer().forward(graph, noised, inputs), -1.0F);
}

void ZImageModel::feed_sizes(Executor& executor, std::span<const float> time_ids,
                             std::int64_t height, std::int64_t width) const {
  const std::int64_t n = executor.input("token_order").shape[1];
  const std::int64_t patches =
      z_image_sequence((height / config().patch_size) * (width / config().patch_size));
  const ZImagePositions positions = z_image_positions(height, width, n - patches, config());
  executor.feed("token_order", positions.order);
  executor.feed("token_frequencies", positions.frequencies);
  std::vector<float> grid;
  for (std::size_t b = 0; b * 6 < time_ids.size(); ++b) {
    grid.insert(grid.end(), positions.grid.begin(), positions.grid.end());
  }
  executor.feed("token_grid", grid);
}

}  // namespace mantissa
