#include "engine/models/qwen_image21/qwen_image21_model.h"

#include <algorithm>

#include "engine/graph/ops.h"
#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr int kQwenImage21Tokens = 1024;
/// Tokens of the instruction in Qwen3's own vocabulary.
constexpr int kQwenImage21Instruction = 14;
/// Pixels per latent side of the released autoencoder.
constexpr int kQwenImage21Factor = 16;

}  // namespace

QwenImage21Model::QwenImage21Model(Kernels* kernels, const WeightSource& source,
                                   AdapterSet* adapters, const PrecisionRules& rules)
    : Qwen3Conditioned(kernels, source, adapters, rules, qwen_image21_config, kQwen3VlTheta) {
  if (has(kTe1)) {
    require_text_states(config().context_channels);
  }
  if (has(kVae)) {
    vae_ = qwen_image21_vae_config(source);
  }
  set_latents(vae_ ? qwen_latents(*vae_)
                   : plain_qwen_latents(config().in_channels, kQwenImage21Factor));
  require_latent_channels(config().in_channels);
}

std::unique_ptr<Autoencoder> QwenImage21Model::make_vae() {
  return std::make_unique<QwenVae>(*vae_, scope(kVae));
}

std::int64_t QwenImage21Model::text_tokens() const {
  return tokens_of_run(kQwenImage21Tokens);
}

std::int64_t QwenImage21Model::tokens_needed(const std::string& caption) {
  if (!reads_text()) {
    return 0;
  }
  const PromptTokens prompt = analysis_prompt_tokens(tokenizer(), caption, kQwenImage21Tokens);
  return std::count(prompt.real.begin(), prompt.real.end(), 1) - prompt.dropped;
}

std::vector<TextReach> QwenImage21Model::text_reach(const std::string& caption) {
  if (!has(kTe1)) {
    return {};
  }
  const PromptLength n = analysis_length(tokenizer(), caption, kQwenImage21Tokens);
  return {{kTe1, n.prompt, n.room}};
}

int QwenImage21Model::dropped_tokens() {
  return reads_text()
             ? analysis_prompt_tokens(tokenizer(), "", static_cast<int>(text_tokens())).dropped
             : kQwenImage21Instruction;
}

TokenIds QwenImage21Model::tokenize(const std::string& caption) {
  const PromptTokens prompt =
      analysis_prompt_tokens(tokenizer(), caption, static_cast<int>(text_tokens()));
  TokenIds tokens;
  tokens.ids["te1_ids"] = prompt.ids;
  tokens.ids["te1_real"].assign(prompt.real.begin(), prompt.real.end());
  return tokens;
}

std::map<std::string, Shape> QwenImage21Model::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config().context_channels}}, {"mask", {tokens}}, {"length", {1}}};
}

TextValues QwenImage21Model::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const int dropped = dropped_tokens();
  const Qwen3Inputs inputs = qwen3_inputs(graph, "te1", text_config(), batch, tokens + dropped);
  return {{"context", take_tokens(te1().forward(graph, inputs), dropped, tokens)},
          {"mask", graph.input("mask", DType::f32, {batch, tokens})},
          {"length", graph.input("length", DType::f32, {batch, 1})}};
}

void QwenImage21Model::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  const auto tokens = executor.input("te1_ids").shape[1];
  const auto kept = executor.input("mask").shape[1];
  const std::vector<std::int32_t> flags = joined_ids(batch, "te1_real");
  const std::vector<std::uint8_t> real(flags.begin(), flags.end());
  std::vector<std::uint8_t> passed_on;
  std::vector<float> lengths;
  for (auto end = real.begin() + tokens; lengths.size() < batch.size(); end += tokens) {
    passed_on.insert(passed_on.end(), end - kept, end);
    lengths.push_back(static_cast<float>(std::count(end - kept, end, 1)));
  }
  feed_qwen3(executor, "te1", text_config(), joined_ids(batch, "te1_ids"), real);
  executor.feed("mask", qwen3_key_mask(passed_on));
  executor.feed("length", lengths);
}

Value QwenImage21Model::predict(Graph& graph, Value noised, Value timesteps,
                                const TextValues& text) {
  const Shape s = noised.shape();
  QwenImage21Inputs inputs;
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.keys = text.at("mask");
  inputs.lengths = reshape(text.at("length"), {s[0]});
  const Shape table{s[0], inputs.text.shape()[1] + s[1] * s[2], config().head_dim / 2};
  inputs.cos = graph.input("token_cos", DType::f32, table);
  inputs.sin = graph.input("token_sin", DType::f32, table);
  return transformer().forward(graph, noised, inputs);
}

void QwenImage21Model::feed_sizes(Executor& executor, std::span<const float> /*time_ids*/,
                                  std::int64_t height, std::int64_t width) const {
  const Shape table = executor.input("token_cos").shape;
  const RotaryTables one =
      qwen_image21_positions(table[1] - height * width, height, width, config());
  const auto repeated = [&](const std::vector<float>& values) {
    std::vector<float> all;
    for (std::int64_t b = 0; b < table[0]; ++b) {
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  };
  executor.feed("token_cos", repeated(one.cos));
  executor.feed("token_sin", repeated(one.sin));
}

}  // namespace mantissa
