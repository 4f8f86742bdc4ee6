#include "engine/models/qwen_image21/qwen_image21_model.h"

#include <algorithm>
#include <string>

#include "engine/graph/ops.h"
#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "engine/models/qwen3/qwen3_seeing.h"
#include "engine/models/references.h"
#include "engine/models/vae/qwen_vae.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr int kQwenImage21Tokens = 1024;
/// Tokens of the instruction in Qwen3's own vocabulary.
constexpr int kQwenImage21Instruction = 14;
/// Pixels per latent side of the released autoencoder.
constexpr int kQwenImage21Factor = 16;
/// Tokens before the first reference's own and between those of two with one digit, in the same
/// vocabulary.
constexpr std::int64_t kQwenImage21First = 8, kQwenImage21Further = 6;
/// A further digit is a token of its own.
constexpr std::size_t kQwenImage21Digit = 9;

}  // namespace

QwenImage21Model::QwenImage21Model(Kernels* kernels, const WeightSource& source,
                                   AdapterSet* adapters, const PrecisionRules& rules)
    : TransformerModel(kernels, source, adapters, rules, qwen_image21_config, kQwen3VlTheta) {
  if (has(kTe1)) {
    require_text_states(config().context_channels);
  }
  use_vae(qwen_model_vae(source, qwen_image21_vae_config,
                         plain_qwen_latents(config().in_channels, kQwenImage21Factor)),
          config().in_channels);
}

std::int64_t QwenImage21Model::text_tokens() const {
  return tokens_of_run(kQwenImage21Tokens);
}

std::int64_t QwenImage21Model::tokens_needed(const std::string& caption) {
  if (!reads_text()) {
    return 0;
  }
  const PromptTokens prompt =
      analysis_prompt_tokens(tokenizer(), caption, kQwenImage21Tokens, text_options().references);
  return std::count(prompt.real.begin(), prompt.real.end(), 1) - prompt.dropped;
}

std::vector<TextReach> QwenImage21Model::text_reach(const std::string& caption) {
  if (!has(kTe1)) {
    return {};
  }
  const PromptLength n =
      analysis_length(tokenizer(), caption, kQwenImage21Tokens, text_options().references);
  return {{kTe1, n.prompt, n.room}};
}

int QwenImage21Model::dropped_tokens() {
  return reads_text()
             ? analysis_prompt_tokens(tokenizer(), "", static_cast<int>(text_tokens())).dropped
             : kQwenImage21Instruction;
}

TokenIds QwenImage21Model::tokenize(const std::string& caption) {
  return tokenize_beside(caption, 0);
}

TokenIds QwenImage21Model::tokenize_beside(const std::string& caption, std::size_t references) {
  const PromptTokens prompt =
      analysis_prompt_tokens(tokenizer(), caption, static_cast<int>(text_tokens()), references);
  TokenIds tokens;
  tokens.ids["te1_ids"] = prompt.ids;
  tokens.ids["te1_real"].assign(prompt.real.begin(), prompt.real.end());
  return tokens;
}

std::vector<std::int64_t> QwenImage21Model::places(std::size_t references) {
  if (places_.size() < references && reads_text()) {
    places_ = analysis_prompt_tokens(tokenizer(), "", kQwenImage21Tokens, references).images;
  }
  while (places_.size() < references) {
    const std::int64_t digits = places_.size() >= kQwenImage21Digit ? 1 : 0;
    places_.push_back(places_.empty() ? kQwenImage21First
                                      : places_.back() + kQwenImage21Further + digits);
  }
  return {places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(references)};
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

ReferenceSequence QwenImage21Model::encoded_sequence(std::int64_t tokens,
                                                     std::span<const LatentSize> references) {
  const int dropped = dropped_tokens();
  const Qwen3VisionConfig& tower = vision().config();
  const std::int64_t side = std::int64_t{tower.patch} * tower.merge;
  std::vector<LatentSize> seen;
  for (const LatentSize& size : references) {
    seen.push_back({size.height * latent_factor() / side, size.width * latent_factor() / side});
  }
  std::vector<std::int64_t> before = places(references.size());
  for (std::int64_t& place : before) {
    place += dropped;
  }
  return {tokens + dropped, seen, before};
}

TextValues QwenImage21Model::encode_text_beside(Graph& graph, std::int64_t tokens,
                                                std::span<const LatentSize> references) {
  const ReferenceSequence sequence = encoded_sequence(tokens, references);
  const Value states = seen_text(graph, te1(), vision(), sequence);
  return {{"context", take_tokens(sequence.text_of(states), sequence.tokens() - tokens, tokens)},
          {"mask", graph.input("mask", DType::f32, {1, tokens})},
          {"length", graph.input("length", DType::f32, {1, 1})}};
}

void QwenImage21Model::feed_tokens_beside(Executor& executor, const TokenIds& text,
                                          std::span<const Image> references) {
  std::vector<LatentSize> sizes;
  for (const Image& image : references) {
    sizes.push_back({image.height / latent_factor(), image.width / latent_factor()});
  }
  feed_seen_text(executor, text_config(), vision().config(), vision_places(),
                 encoded_sequence(executor.input("mask").shape[1], sizes), text.of("te1_ids"),
                 references);
  feed_lengths(executor, {&text, 1});
}

void QwenImage21Model::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  const std::vector<std::int32_t> flags = joined_ids(batch, "te1_real");
  const std::vector<std::uint8_t> real(flags.begin(), flags.end());
  feed_qwen3(executor, "te1", text_config(), joined_ids(batch, "te1_ids"), real);
  feed_lengths(executor, batch);
}

void QwenImage21Model::feed_lengths(Executor& executor, std::span<const TokenIds> batch) const {
  const auto tokens = executor.input("te1_ids").shape[1];
  const auto kept = executor.input("mask").shape[1];
  const std::vector<std::int32_t> real = joined_ids(batch, "te1_real");
  std::vector<std::uint8_t> passed_on;
  std::vector<float> lengths;
  for (auto end = real.begin() + tokens; lengths.size() < batch.size(); end += tokens) {
    passed_on.insert(passed_on.end(), end - kept, end);
    lengths.push_back(static_cast<float>(std::count(end - kept, end, 1)));
  }
  executor.feed("mask", qwen3_key_mask(passed_on));
  executor.feed("length", lengths);
}

Value QwenImage21Model::predict(Graph& graph, Value noised, Value timesteps,
                                const TextValues& text) {
  return predict_edit(graph, noised, timesteps, text, {});
}

Value QwenImage21Model::predict_edit(Graph& graph, Value noised, Value timesteps,
                                     const TextValues& text, std::span<const Value> references) {
  const Shape s = noised.shape();
  QwenImage21Inputs inputs;
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.keys = text.at("mask");
  inputs.lengths = reshape(text.at("length"), {s[0]});
  inputs.references.assign(references.begin(), references.end());
  inputs.places = places(references.size());
  const std::int64_t tokens = inputs.text.shape()[1];
  std::int64_t before = tokens;
  for (const Value reference : references) {
    before += reference.shape()[1] * reference.shape()[2];
  }
  const Shape table{s[0], before + s[1] * s[2], config().head_dim / 2};
  inputs.cos = graph.input("token_cos", DType::f32, table);
  inputs.sin = graph.input("token_sin", DType::f32, table);
  if (!references.empty()) {
    inputs.order = graph.input("token_order", DType::f32, {1, tokens, before});
  }
  return transformer().forward(graph, noised, inputs);
}

void QwenImage21Model::feed_sizes(Executor& executor, std::span<const float> /*time_ids*/,
                                  std::int64_t height, std::int64_t width) const {
  const Shape table = executor.input("token_cos").shape;
  const std::vector<LatentSize> references = reference_sizes(executor);
  std::int64_t tokens = table[1] - height * width;
  for (const LatentSize& reference : references) {
    tokens -= reference.positions();
  }
  const ReferenceSequence sequence(tokens, references, places_);
  const RotaryTables one = qwen_image21_positions(sequence, {height, width}, config());
  const auto repeated = [&](const std::vector<float>& values) {
    std::vector<float> all;
    for (std::int64_t b = 0; b < table[0]; ++b) {
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  };
  executor.feed("token_cos", repeated(one.cos));
  executor.feed("token_sin", repeated(one.sin));
  if (!references.empty()) {
    executor.feed("token_order", qwen_image21_order(sequence));
  }
}

}  // namespace mantissa
