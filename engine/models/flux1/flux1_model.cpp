#include "engine/models/flux1/flux1_model.h"

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/graph/ops.h"
#include "engine/io/clip_chunks.h"
#include "engine/models/flux1/flux1_forward.h"
#include "engine/models/t5/t5_model_tokenizer.h"

namespace mantissa {
namespace {

constexpr std::int64_t kDevTokens = 512, kSchnellTokens = 256;
constexpr int kFlux1Pixels = 1024;

}  // namespace

Flux1Model::Flux1Model(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                       const PrecisionRules& rules)
    : DiffusionModel(kernels, source, adapters, rules), config_(flux1_config(source)) {
  if (has(kTe1)) {
    clip_config_ = mantissa::clip_config(source, kTe1);
  }
  if (has(kTe2)) {
    t5_config_ = mantissa::t5_config(source, kTe2);
  }
  require_text_widths();
  use_kl_vae(config_.latent_channels());
}

void Flux1Model::require_text_widths() const {
  if (has(kTe1) && clip_config_.hidden != config_.pooled_channels) {
    throw Error(
        message<"{path}: the first text encoder's pooled vector has {given} values, but the "
                "transformer takes {wanted}; are they parts of one model?">(
            path_to_utf8(source().path()), clip_config_.hidden, config_.pooled_channels));
  }
  if (has(kTe2) && t5_config_.hidden != config_.context_channels) {
    refuse_text_width(t5_config_.hidden, config_.context_channels);
  }
}

Flux1Transformer& Flux1Model::transformer() {
  if (!transformer_) {
    transformer_ = std::make_unique<Flux1Transformer>(config_, scope(kDenoiser));
  }
  return *transformer_;
}

ClipText& Flux1Model::te1() {
  if (!te1_) {
    require(kTe1);
    te1_ = std::make_unique<ClipText>(clip_config_, scope(kTe1));
  }
  return *te1_;
}

T5Encoder& Flux1Model::te2() {
  if (!te2_) {
    require(kTe2);
    te2_ = std::make_unique<T5Encoder>(t5_config_, scope(kTe2));
  }
  return *te2_;
}

void Flux1Model::bind_part(Part part) {
  if (part == kDenoiser) {
    transformer();
  } else if (part == kTe1) {
    te1();
  } else {
    te2();
  }
}

void Flux1Model::drop_part(Part part) {
  if (part == kDenoiser) {
    transformer_.reset();
  } else if (part == kTe1) {
    te1_.reset();
  } else if (part == kTe2) {
    te2_.reset();
  }
}

int Flux1Model::native_side() const {
  return kFlux1Pixels / latent_factor();
}

std::int64_t Flux1Model::text_tokens() const {
  return config_.guidance ? kDevTokens : kSchnellTokens;
}

const ClipTokenizer& Flux1Model::own_clip_tokenizer() {
  if (!clip_tokenizer_) {
    const auto folder = source().tokenizer_folder(kTe1);
    clip_tokenizer_ = folder ? ClipTokenizer::from_folder(*folder) : ClipTokenizer::built_in();
    require_vocabulary(clip_tokenizer_->vocab_size(), clip_config_.vocab);
  }
  return *clip_tokenizer_;
}

const T5Tokenizer& Flux1Model::own_t5_tokenizer() {
  if (!t5_tokenizer_) {
    t5_tokenizer_ = mantissa::t5_tokenizer(source(), kTe2, t5_config_.vocab);
  }
  return *t5_tokenizer_;
}

ClipTokenizer Flux1Model::clip_tokenizer() {
  return own_clip_tokenizer().with_words(new_words(clip_config_.vocab));
}

T5Tokenizer Flux1Model::t5_tokenizer() {
  return own_t5_tokenizer().with_words(new_words(t5_config_.vocab));
}

std::map<Part, std::vector<std::int32_t>> Flux1Model::word_ids(const std::string& text) {
  return {{kTe1, own_clip_tokenizer().encode(text)}, {kTe2, own_t5_tokenizer().encode(text)}};
}

std::vector<TextReach> Flux1Model::text_reach(const std::string& caption) {
  if (!has(kTe2)) {
    return {};
  }
  // The last is the end of the text.
  return {{kTe2, std::ssize(t5_tokenizer().encode(caption)), text_tokens() - 1}};
}

TokenIds Flux1Model::tokenize(const std::string& caption) {
  TokenIds tokens;
  if (has(kTe1)) {
    std::vector<std::int32_t>& ids = tokens.ids["te1_ids"];
    ids = clip_chunks(clip_tokenizer(), caption, clip_config_.tokens, 1, clip_config_.pad_id, false)
              .ids;
    tokens.ids["te1_pool"] = {clip_pool_index(ids, clip_config_)};
  }
  if (has(kTe2)) {
    tokens.ids["te2_ids"] = t5_tokenizer().encode_padded(caption, static_cast<int>(text_tokens()),
                                                         t5_config_.pad_id, t5_config_.eos_id);
  }
  return tokens;
}

std::map<std::string, Shape> Flux1Model::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config_.context_channels}}, {"pooled", {config_.pooled_channels}}};
}

TextValues Flux1Model::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const Shape clip{batch, clip_config_.tokens};
  const ClipTake take{.from_end = 1, .final_norm = true, .pools_states = true};
  const Value pooled = te1()
                           .forward(graph, graph.input("te1_ids", DType::i32, clip),
                                    graph.input("te1_positions", DType::i32, clip),
                                    graph.input("te1_pool", DType::i32, {batch}), take)
                           .pooled;
  // Without a mask: T5 and the transformer read the rows of padding too.
  const Value context = te2().forward(graph, graph.input("te2_ids", DType::i32, {batch, tokens}),
                                      {}, graph.input("te2_buckets", DType::i32, {tokens, tokens}));
  return {{"context", context}, {"pooled", pooled}};
}

void Flux1Model::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  ClipText::feed_ids(executor, "te1_ids", joined_ids(batch, "te1_ids"), clip_config_);
  executor.feed("te1_positions",
                clip_position_ids(std::ssize(batch), executor.input("te1_ids").shape[1]));
  executor.feed("te1_pool", joined_ids(batch, "te1_pool"));
  T5Encoder::feed_ids(executor, "te2_ids", joined_ids(batch, "te2_ids"), t5_config_);
  executor.feed("te2_buckets", t5_relative_buckets(executor.input("te2_ids").shape[1], t5_config_));
}

Value Flux1Model::predict_edit(Graph& graph, Value noised, Value timesteps, const TextValues& text,
                               std::span<const Value> references) {
  Flux1Inputs inputs;
  inputs.references.assign(references.begin(), references.end());
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.pooled = text.at("pooled");
  if (config_.guidance) {
    inputs.guidance = graph.input("guidance", DType::f32, {noised.shape()[0]});
  }
  const Flux1Attended at =
      flux1_position_inputs(graph, inputs.text.shape()[1], noised, config_.head_dim, references);
  inputs.cos = at.cos;
  inputs.sin = at.sin;
  return transformer().forward(graph, noised, inputs);
}

void Flux1Model::feed_sizes(Executor& executor, std::span<const float> /*time_ids*/,
                            std::int64_t height, std::int64_t width) const {
  feed_flux1_positions(executor, height, width, config_.axes_dims);
  feed_guidance(executor, 1.0);
}

}  // namespace mantissa
