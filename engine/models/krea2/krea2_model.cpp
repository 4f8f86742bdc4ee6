#include "engine/models/krea2/krea2_model.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "engine/graph/ops.h"
#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr std::int64_t kKrea2Tokens = 512;
/// Tokens of the instruction in Qwen3's own vocabulary.
constexpr int kKrea2Instruction = 34;

}  // namespace

Krea2Model::Krea2Model(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                       const PrecisionRules& rules)
    : Qwen3Conditioned(kernels, source, adapters, rules, krea2_config, kQwen3VlTheta),
      states_(krea2_text_states(source)) {
  if (has(kTe1)) {
    check_krea2_states(source, config(), text_config().layers);
    const int states = static_cast<int>(states_.size());
    if (text_config().hidden != config().text_channels || states != config().text_layers) {
      refuse_text_width(states * text_config().hidden,
                        config().text_layers * config().text_channels);
    }
    require_text_layers();
  }
  if (has(kVae)) {
    vae_ = qwen_vae_config(source);
  }
  const int channels = config().in_channels / (Krea2Config::kPatch * Krea2Config::kPatch);
  set_latents(vae_ ? qwen_latents(*vae_) : plain_qwen_latents(channels));
  require_latent_channels(channels);
}

std::string Krea2Model::text_layout() const {
  if (source().model_index().find(kKrea2States) == source().model_index().end()) {
    return {};
  }
  return fmt::format("states {}", fmt::join(states_, ","));
}

std::unique_ptr<Autoencoder> Krea2Model::make_vae() {
  return std::make_unique<QwenVae>(*vae_, scope(kVae));
}

std::int64_t Krea2Model::text_tokens() const {
  return tokens_of_run(kKrea2Tokens);
}

std::int64_t Krea2Model::tokens_needed(const std::string& caption) {
  if (!reads_text()) {
    return 0;
  }
  const PromptTokens prompt =
      description_prompt_tokens(tokenizer(), caption, static_cast<int>(kKrea2Tokens));
  return std::count(prompt.real.begin(), prompt.real.end(), 1) - prompt.dropped;
}

std::vector<TextReach> Krea2Model::text_reach(const std::string& caption) {
  if (!has(kTe1)) {
    return {};
  }
  const PromptLength n = description_length(tokenizer(), caption, static_cast<int>(kKrea2Tokens));
  return {{kTe1, n.prompt, n.room}};
}

int Krea2Model::dropped_tokens() {
  return reads_text()
             ? description_prompt_tokens(tokenizer(), "", static_cast<int>(text_tokens())).dropped
             : kKrea2Instruction;
}

TokenIds Krea2Model::tokenize(const std::string& caption) {
  const PromptTokens prompt =
      description_prompt_tokens(tokenizer(), caption, static_cast<int>(text_tokens()));
  TokenIds tokens;
  tokens.ids["te1_ids"] = prompt.ids;
  tokens.ids["te1_real"].assign(prompt.real.begin(), prompt.real.end());
  return tokens;
}

std::map<std::string, Shape> Krea2Model::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, std::int64_t{config().text_layers} * config().text_channels}},
          {"mask", {tokens}}};
}

TextValues Krea2Model::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const int dropped = dropped_tokens();
  const Qwen3Inputs inputs =
      qwen3_inputs(graph, "te1", text_config(), batch, tokens + dropped, Qwen3Positions::real);
  return {{"context", take_tokens(te1().forward(graph, inputs), dropped, tokens)},
          {"mask", graph.input("mask", DType::f32, {batch, tokens})}};
}

void Krea2Model::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  const auto tokens = static_cast<std::size_t>(executor.input("te1_ids").shape[1]);
  const auto kept = static_cast<std::size_t>(executor.input("mask").shape[1]);
  const std::vector<std::int32_t> flags = joined_ids(batch, "te1_real");
  const std::vector<std::uint8_t> real(flags.begin(), flags.end());
  std::vector<std::uint8_t> passed_on;
  for (std::size_t i = 0; i < real.size(); ++i) {
    if (i % tokens >= tokens - kept) {
      passed_on.push_back(real[i]);
    }
  }
  feed_qwen3(executor, "te1", text_config(), joined_ids(batch, "te1_ids"), real,
             Qwen3Positions::real);
  executor.feed("mask", qwen3_key_mask(passed_on));
}

Value Krea2Model::predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) {
  const Shape s = noised.shape();
  Krea2Inputs inputs;
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.keys = text.at("mask");
  const std::int64_t patches = s[1] * s[2] / (Krea2Config::kPatch * Krea2Config::kPatch);
  const Shape table{1, inputs.text.shape()[1] + patches, config().head_dim / 2};
  inputs.cos = graph.input("token_cos", DType::f32, table);
  inputs.sin = graph.input("token_sin", DType::f32, table);
  return transformer().forward(graph, noised, inputs);
}

void Krea2Model::feed_sizes(Executor& executor, std::span<const float> /*time_ids*/,
                            std::int64_t height, std::int64_t width) const {
  const std::int64_t patches = height * width / (Krea2Config::kPatch * Krea2Config::kPatch);
  const std::int64_t tokens = executor.input("token_cos").shape[1] - patches;
  const RotaryTables tables = krea2_positions(tokens, height, width, config());
  executor.feed("token_cos", tables.cos);
  executor.feed("token_sin", tables.sin);
}

}  // namespace mantissa
