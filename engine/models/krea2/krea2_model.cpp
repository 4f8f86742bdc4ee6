#include "engine/models/krea2/krea2_model.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "engine/graph/ops.h"
#include "engine/models/krea2/krea2_seen_size.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "engine/models/qwen3/qwen3_seeing.h"
#include "engine/models/references.h"
#include "engine/models/vae/qwen_vae.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr std::int64_t kKrea2Tokens = 512;
/// Tokens of the instruction in Qwen3's own vocabulary.
constexpr int kKrea2Instruction = 34;

std::int64_t krea2_patches(LatentSize size) {
  return size.positions() / (std::int64_t{Krea2Config::kPatch} * Krea2Config::kPatch);
}

/// States with rows of zeros behind them, which the mask leaves out: [b, tokens, c].
Value lengthened(Value states, std::int64_t tokens) {
  const Shape s = states.shape();
  return s[1] == tokens ? states
                        : join_tokens(states, constant(states.graph(), states.dtype(),
                                                       {s[0], tokens - s[1], s[2]}, 0.0F));
}

}  // namespace

Krea2Model::Krea2Model(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                       const PrecisionRules& rules)
    : TransformerModel(kernels, source, adapters, rules, krea2_config, kQwen3VlTheta),
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
  const int channels = config().in_channels / (Krea2Config::kPatch * Krea2Config::kPatch);
  use_vae(qwen_model_vae(source, qwen_vae_config, plain_qwen_latents(channels)), channels);
}

std::string Krea2Model::text_layout() const {
  if (source().model_index().find(kKrea2States) == source().model_index().end()) {
    return {};
  }
  return fmt::format("states {}", fmt::join(states_, ","));
}

std::int64_t Krea2Model::seen_tokens() const {
  return static_cast<std::int64_t>(text_options().references) * kKrea2SeenTokens;
}

std::int64_t Krea2Model::text_tokens() const {
  return tokens_of_run(kKrea2Tokens + seen_tokens());
}

std::int64_t Krea2Model::tokens_needed(const std::string& caption) {
  if (!reads_text()) {
    return 0;
  }
  const PromptTokens prompt =
      prompt_of(caption, static_cast<int>(kKrea2Tokens), text_options().references);
  return std::count(prompt.real.begin(), prompt.real.end(), 1) - prompt.dropped + seen_tokens();
}

std::vector<TextReach> Krea2Model::text_reach(const std::string& caption) {
  if (!has(kTe1)) {
    return {};
  }
  const int most = static_cast<int>(kKrea2Tokens);
  const PromptLength n =
      text_options().references == 0
          ? description_length(tokenizer(), caption, most)
          : pictured_length(tokenizer(), caption, most, text_options().references);
  return {{kTe1, n.prompt, n.room}};
}

PromptTokens Krea2Model::prompt_of(const std::string& caption, int length, std::size_t references) {
  return references == 0 ? description_prompt_tokens(tokenizer(), caption, length)
                         : pictured_prompt_tokens(tokenizer(), caption, length, references);
}

int Krea2Model::dropped_tokens() {
  return reads_text() ? prompt_of("", static_cast<int>(kKrea2Tokens), 0).dropped
                      : kKrea2Instruction;
}

TokenIds Krea2Model::tokenize(const std::string& caption) {
  return tokenize_beside(caption, 0);
}

TokenIds Krea2Model::tokenize_beside(const std::string& caption, std::size_t references) {
  const PromptTokens prompt =
      prompt_of(caption, static_cast<int>(text_tokens() - seen_tokens()), references);
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
  const std::int64_t own = tokens - seen_tokens();
  const Qwen3Inputs inputs =
      qwen3_inputs(graph, "te1", text_config(), batch, own + dropped, Qwen3Positions::real);
  const Value states = take_tokens(te1().forward(graph, inputs), dropped, own);
  return {{"context", lengthened(states, tokens)},
          {"mask", graph.input("mask", DType::f32, {batch, tokens})}};
}

void Krea2Model::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  const std::int64_t tokens = executor.input("te1_ids").shape[1];
  const std::int64_t kept = executor.input("mask").shape[1];
  const std::vector<std::int32_t> flags = joined_ids(batch, "te1_real");
  const std::vector<std::uint8_t> real(flags.begin(), flags.end());
  std::vector<std::uint8_t> passed_on;
  for (auto end = real.begin() + tokens; std::ssize(passed_on) < std::ssize(batch) * kept;
       end += tokens) {
    passed_on.insert(passed_on.end(), end - (kept - seen_tokens()), end);
    passed_on.insert(passed_on.end(), static_cast<std::size_t>(seen_tokens()), 0);
  }
  feed_qwen3(executor, "te1", text_config(), joined_ids(batch, "te1_ids"), real,
             Qwen3Positions::real);
  executor.feed("mask", qwen3_key_mask(passed_on));
}

ReferenceSequence Krea2Model::encoded_sequence(std::int64_t tokens,
                                               std::span<const LatentSize> references) {
  const PromptTokens prompt = prompt_of("", static_cast<int>(kKrea2Tokens), references.size());
  const Qwen3VisionConfig& tower = vision().config();
  const int factor = latent_factor();
  std::vector<LatentSize> seen;
  for (const LatentSize& size : references) {
    const ImageSize pixels{static_cast<int>(size.width) * factor,
                           static_cast<int>(size.height) * factor};
    seen.push_back(krea2_seen_size(pixels, tower.patch * tower.merge));
  }
  std::vector<std::int64_t> before = prompt.images;
  for (std::int64_t& place : before) {
    place += prompt.dropped;
  }
  return {tokens - seen_tokens() + prompt.dropped, seen, before};
}

TextValues Krea2Model::encode_text_beside(Graph& graph, std::int64_t tokens,
                                          std::span<const LatentSize> references) {
  const ReferenceSequence sequence = encoded_sequence(tokens, references);
  const Value states = seen_text(graph, te1(), vision(), sequence);
  const int dropped = dropped_tokens();
  return {{"context", lengthened(take_tokens(states, dropped, sequence.count() - dropped), tokens)},
          {"mask", graph.input("mask", DType::f32, {1, tokens})}};
}

void Krea2Model::feed_tokens_beside(Executor& executor, const TokenIds& text,
                                    std::span<const Image> references) {
  const std::int64_t tokens = executor.input("mask").shape[1];
  std::vector<LatentSize> sizes;
  for (const Image& image : references) {
    sizes.push_back({image.height / latent_factor(), image.width / latent_factor()});
  }
  const ReferenceSequence sequence = encoded_sequence(tokens, sizes);
  feed_seen_text(executor, text_config(), vision().config(), vision_places(), sequence,
                 text.of("te1_ids"), references);
  const std::vector<std::int32_t>& flags = text.of("te1_real");
  std::vector<std::uint8_t> real;
  for (const ReferenceSequence::Run& run : sequence.runs()) {
    if (run.reference >= 0) {
      real.insert(real.end(), static_cast<std::size_t>(run.count), 1);
    } else {
      real.insert(real.end(), flags.begin() + run.text, flags.begin() + run.text + run.count);
    }
  }
  real.erase(real.begin(), real.begin() + dropped_tokens());
  real.resize(static_cast<std::size_t>(tokens), 0);
  executor.feed("mask", qwen3_key_mask(real));
}

Value Krea2Model::predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) {
  return predict_edit(graph, noised, timesteps, text, {});
}

Value Krea2Model::predict_edit(Graph& graph, Value noised, Value timesteps, const TextValues& text,
                               std::span<const Value> references) {
  Krea2Inputs inputs;
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.keys = text.at("mask");
  inputs.references.assign(references.begin(), references.end());
  std::int64_t tokens =
      inputs.text.shape()[1] + krea2_patches({noised.shape()[1], noised.shape()[2]});
  for (const Value reference : references) {
    tokens += krea2_patches({reference.shape()[1], reference.shape()[2]});
  }
  const Shape table{1, tokens, config().head_dim / 2};
  inputs.cos = graph.input("token_cos", DType::f32, table);
  inputs.sin = graph.input("token_sin", DType::f32, table);
  return transformer().forward(graph, noised, inputs);
}

void Krea2Model::feed_sizes(Executor& executor, std::span<const float> /*time_ids*/,
                            std::int64_t height, std::int64_t width) const {
  const std::vector<LatentSize> references = reference_sizes(executor);
  std::int64_t tokens = executor.input("token_cos").shape[1] - krea2_patches({height, width});
  for (const LatentSize& reference : references) {
    tokens -= krea2_patches(reference);
  }
  const RotaryTables tables = krea2_positions(tokens, {height, width}, references, config());
  executor.feed("token_cos", tables.cos);
  executor.feed("token_sin", tables.sin);
}

}  // namespace mantissa
