#include "engine/models/qwen_image/qwen_image_model.h"

#include <algorithm>

#include "engine/graph/ops.h"
#include "engine/models/flux1/flux1_forward.h"
#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr int kQwenImageTokens = 1024;
/// Tokens of the instruction in Qwen's own vocabulary.
constexpr int kQwenImageInstruction = 34;

}  // namespace

QwenImageModel::QwenImageModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                               const PrecisionRules& rules)
    : Qwen3Conditioned(kernels, source, adapters, rules, qwen_image_config, kQwen3Theta,
                       DecoderKind::qwen2) {
  if (has(kTe1)) {
    require_text_states(config().context_channels);
  }
  if (has(kVae)) {
    vae_ = qwen_vae_config(source);
  }
  set_latents(vae_ ? qwen_latents(*vae_) : plain_qwen_latents(config().latent_channels()));
  require_latent_channels(config().latent_channels());
}

std::unique_ptr<Autoencoder> QwenImageModel::make_vae() {
  return std::make_unique<QwenVae>(*vae_, scope(kVae));
}

std::int64_t QwenImageModel::text_tokens() const {
  return tokens_of_run(kQwenImageTokens);
}

std::int64_t QwenImageModel::tokens_needed(const std::string& caption) {
  if (!reads_text()) {
    return 0;
  }
  const PromptTokens prompt = qwen_image_prompt_tokens(tokenizer(), caption, kQwenImageTokens);
  return std::count(prompt.real.begin(), prompt.real.end(), 1) - prompt.dropped;
}

std::vector<TextReach> QwenImageModel::text_reach(const std::string& caption) {
  if (!has(kTe1)) {
    return {};
  }
  const PromptLength n = qwen_image_length(tokenizer(), caption, kQwenImageTokens);
  return {{kTe1, n.prompt, n.room}};
}

int QwenImageModel::dropped_tokens() {
  return reads_text()
             ? qwen_image_prompt_tokens(tokenizer(), "", static_cast<int>(text_tokens())).dropped
             : kQwenImageInstruction;
}

TokenIds QwenImageModel::tokenize(const std::string& caption) {
  const PromptTokens prompt =
      qwen_image_prompt_tokens(tokenizer(), caption, static_cast<int>(text_tokens()));
  TokenIds tokens;
  tokens.ids["te1_ids"] = prompt.ids;
  tokens.ids["te1_real"].assign(prompt.real.begin(), prompt.real.end());
  return tokens;
}

std::map<std::string, Shape> QwenImageModel::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config().context_channels}}, {"mask", {tokens}}};
}

TextValues QwenImageModel::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const int dropped = dropped_tokens();
  const Qwen3Inputs inputs = qwen3_inputs(graph, "te1", text_config(), batch, tokens + dropped);
  return {{"context", take_tokens(te1().forward(graph, inputs), dropped, tokens)},
          {"mask", graph.input("mask", DType::f32, {batch, tokens})}};
}

void QwenImageModel::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  const auto tokens = executor.input("te1_ids").shape[1];
  const auto kept = executor.input("mask").shape[1];
  const std::vector<std::int32_t> flags = joined_ids(batch, "te1_real");
  const std::vector<std::uint8_t> real(flags.begin(), flags.end());
  std::vector<std::uint8_t> passed_on;
  for (std::int64_t end = tokens; end <= std::ssize(real); end += tokens) {
    passed_on.insert(passed_on.end(), real.begin() + (end - kept), real.begin() + end);
  }
  feed_qwen3(executor, "te1", text_config(), joined_ids(batch, "te1_ids"), real);
  executor.feed("mask", qwen3_key_mask(passed_on));
}

Value QwenImageModel::predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) {
  QwenImageInputs inputs;
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.keys = text.at("mask");
  const Flux1Attended at =
      flux1_position_inputs(graph, inputs.text.shape()[1], noised, config().head_dim);
  inputs.cos = at.cos;
  inputs.sin = at.sin;
  return transformer().forward(graph, noised, inputs);
}

void QwenImageModel::feed_sizes(Executor& executor, std::span<const float> /*time_ids*/,
                                std::int64_t height, std::int64_t width) const {
  const std::int64_t patches = (height / kFlux1Patch) * (width / kFlux1Patch);
  const std::int64_t tokens = executor.input("token_cos").shape[1] - patches;
  const RotaryTables tables = qwen_image_positions(tokens, height, width, config());
  executor.feed("token_cos", tables.cos);
  executor.feed("token_sin", tables.sin);
}

}  // namespace mantissa
