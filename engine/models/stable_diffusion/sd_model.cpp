#include "engine/models/stable_diffusion/sd_model.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/graph/ops.h"
#include "engine/io/clip_chunks.h"

namespace mantissa {

namespace {

/// Each state's weight, repeated for each of its values.
void feed_weights(Executor& executor, const char* name, std::span<const TokenIds> batch,
                  int width) {
  if (!executor.has_input(name)) {
    return;
  }
  std::vector<float> values;
  for (const TokenIds& ids : batch) {
    const auto weights = ids.weights.find(name);
    if (weights == ids.weights.end()) {
      continue;
    }
    for (float weight : weights->second) {
      values.insert(values.end(), static_cast<std::size_t>(width), weight);
    }
  }
  executor.feed(name, values);
}

}  // namespace

StableDiffusion::StableDiffusion(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                                 const PrecisionRules& rules)
    : DiffusionModel(kernels, source, adapters, rules),
      unet_config_(mantissa::unet_config(source)) {
  if (has(kTe1)) {
    te1_config_ = clip_config(source, kTe1);
  }
  if (has(kTe2)) {
    te2_config_ = clip_config(source, kTe2);
  }
  if (!two_encoders() && has(kTe1) && te1_config_.hidden != unet_config_.cross_attention_dim) {
    throw Error(message<"{path}: the text encoder gives {given} values a token, but the UNet takes "
                        "{wanted}; are they parts of one model?">(
        path_to_utf8(source.path()), te1_config_.hidden, unet_config_.cross_attention_dim));
  }
  if (has(kTe1) && has(kTe2)) {
    const int context = te1_config_.hidden + te2_config_.hidden;
    const std::string name = path_to_utf8(source.path());
    if (context != unet_config_.cross_attention_dim) {
      throw Error(message<"{path}: the text encoders give {given} values a token, but the UNet "
                          "takes {wanted}; are they parts of one model?">(
          name, context, unet_config_.cross_attention_dim));
    }
    if (unet_config_.addition_time_embed_dim > 0 &&
        te2_config_.projection_dim != unet_config_.pooled_dim()) {
      throw Error(message<"{path}: the second text encoder's pooled vector has {given} values, but "
                          "the UNet takes {wanted}; are they parts of one model?">(
          name, te2_config_.projection_dim, unet_config_.pooled_dim()));
    }
  }
}

Unet& StableDiffusion::unet() {
  if (!unet_) {
    unet_ = std::make_unique<Unet>(unet_config_, scope(kDenoiser));
  }
  return *unet_;
}

ClipText& StableDiffusion::text(Part part, std::unique_ptr<ClipText>& slot,
                                const ClipConfig& config) {
  if (!slot) {
    require(part);
    slot = std::make_unique<ClipText>(config, scope(part));
  }
  return *slot;
}

ClipText& StableDiffusion::te1() {
  return text(kTe1, te1_, te1_config_);
}

ClipText& StableDiffusion::te2() {
  return text(kTe2, te2_, te2_config_);
}

void StableDiffusion::bind_part(Part part) {
  if (part == kDenoiser) {
    unet();
  } else if (part == kTe1) {
    te1();
  } else if (part == kTe2) {
    te2();
  }
}

void StableDiffusion::drop_part(Part part) {
  if (part == kDenoiser) {
    unet_.reset();
  } else if (part == kTe1) {
    te1_.reset();
  } else if (part == kTe2) {
    te2_.reset();
  }
}

int StableDiffusion::chunk_length() const {
  return two_encoders() ? std::min(te1_config_.tokens, te2_config_.tokens) : te1_config_.tokens;
}

int StableDiffusion::clip_layers() const {
  return two_encoders() ? std::min(te1_config_.layers, te2_config_.layers) : te1_config_.layers;
}

std::int64_t StableDiffusion::text_tokens() const {
  return (chunk_length() - 2) * text_options().chunks + 2;
}

/// SDXL uses the last layer's input, unnormed; SD 1.5 the last layer's output, and SD 2.x, whose
/// OpenCLIP encoder has 24 layers unless diffusers removed one, the last layer's input, both
/// normed.
ClipTake StableDiffusion::take() const {
  const int skip = text_options().clip_skip;
  if (two_encoders()) {
    return {skip > 0 ? skip : 2, false};
  }
  constexpr int kOpenClipH = 24;
  const int own = !te1_config_.quick_gelu && te1_config_.layers == kOpenClipH ? 2 : 1;
  return {skip > 0 ? skip : own, true};
}

const ClipTokenizer& StableDiffusion::tokenizer(Part part, std::optional<ClipTokenizer>& slot,
                                                const ClipConfig& config) {
  if (!slot) {
    const auto folder = source().tokenizer_folder(part);
    slot = folder ? ClipTokenizer::from_folder(*folder) : ClipTokenizer::built_in();
    if (slot->vocab_size() > config.vocab) {
      throw Error(message<"the tokenizer knows {known} tokens but the text encoder has {count} "
                          "embeddings. Put the model's own tokenizer folders beside its weights">(
          slot->vocab_size(), config.vocab));
    }
  }
  return *slot;
}

ClipTokenizer StableDiffusion::reader(Part part, std::optional<ClipTokenizer>& slot,
                                      const ClipConfig& config) {
  return tokenizer(part, slot, config).with_words(new_words(config.vocab));
}

std::map<Part, std::vector<std::int32_t>> StableDiffusion::word_ids(const std::string& text) {
  std::map<Part, std::vector<std::int32_t>> ids;
  if (has(kTe1)) {
    ids[kTe1] = tokenizer(kTe1, tokenizer1_, te1_config_).encode(text);
  }
  if (has(kTe2)) {
    ids[kTe2] = tokenizer(kTe2, tokenizer2_, te2_config_).encode(text);
  }
  return ids;
}

int StableDiffusion::chunks_needed(const std::string& caption) {
  return clip_chunks_needed(reader(kTe1, tokenizer1_, te1_config_), caption, chunk_length(),
                            text_options().weighted);
}

std::vector<TextReach> StableDiffusion::text_reach(const std::string& caption) {
  std::vector<TextReach> reach;
  const auto add = [&](Part part, std::optional<ClipTokenizer>& slot, const ClipConfig& config) {
    if (has(part)) {
      reach.push_back({part,
                       clip_length(reader(part, slot, config), caption, text_options().weighted),
                       text_tokens() - 2});
    }
  };
  add(kTe1, tokenizer1_, te1_config_);
  if (two_encoders()) {
    add(kTe2, tokenizer2_, te2_config_);
  }
  return reach;
}

TokenIds StableDiffusion::tokenize(const std::string& caption) {
  const TextOptions& options = text_options();
  TokenIds tokens;
  const auto read = [&](Part part, std::optional<ClipTokenizer>& slot, const ClipConfig& config,
                        const std::string& name) {
    ClipChunks chunks = clip_chunks(reader(part, slot, config), caption, chunk_length(),
                                    options.chunks, config.pad_id, options.weighted);
    tokens.ids[name + "_ids"] = std::move(chunks.ids);
    if (options.weighted) {
      tokens.weights[name + "_weights"] = std::move(chunks.weights);
    }
  };
  read(kTe1, tokenizer1_, te1_config_, "te1");
  if (two_encoders()) {
    read(kTe2, tokenizer2_, te2_config_, "te2");
    std::vector<std::int32_t> first = tokens.of("te2_ids");
    first.resize(static_cast<std::size_t>(chunk_length()));
    tokens.ids["te2_pool"] = {clip_pool_index(std::move(first), te2_config_)};
  }
  return tokens;
}

std::map<std::string, Shape> StableDiffusion::text_shapes(std::int64_t tokens) const {
  std::map<std::string, Shape> shapes{{"context", {tokens, unet_config_.cross_attention_dim}}};
  if (two_encoders()) {
    shapes["pooled"] = {unet_config_.pooled_dim()};
  }
  return shapes;
}

/// States of pieces [batch·chunks, length, width] as one text: BOS of the first piece, the slots
/// between BOS and the last of each, the last slot of the last.
Value StableDiffusion::rejoined(Value hidden, std::int64_t batch) const {
  const std::int64_t chunks = text_options().chunks;
  if (chunks == 1) {
    return hidden;
  }
  const std::int64_t length = hidden.shape()[1], width = hidden.shape()[2];
  const Value rows = reshape(hidden, {batch * chunks, length * width});
  const auto column = [&](std::int64_t slot, std::int64_t chunk) {
    const Value all = reshape(slice_channels(rows, slot * width, width), {batch, chunks * width});
    return slice_channels(all, chunk * width, width);
  };
  const Value words = reshape(slice_channels(rows, width, (length - 2) * width),
                              {batch, chunks * (length - 2) * width});
  const Value whole =
      concat_channels(concat_channels(column(0, 0), words), column(length - 1, chunks - 1));
  return reshape(whole, {batch, chunks * (length - 2) + 2, width});
}

TextValues StableDiffusion::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const std::int64_t chunks = text_options().chunks, rows = batch * chunks;
  const Shape ids{rows, chunk_length()};
  const Value positions = graph.input("positions", DType::i32, ids);
  const auto weighted = [&](Value hidden, const char* name) {
    const Value text = rejoined(hidden, batch);
    return text_options().weighted
               ? multiply(text, graph.input(name, text.dtype(), {batch, tokens, text.shape()[2]}))
               : text;
  };
  const ClipOutput first =
      te1().forward(graph, graph.input("te1_ids", DType::i32, ids), positions, {}, take());
  const Value context = weighted(first.hidden, "te1_weights");
  if (!two_encoders()) {
    return {{"context", context}};
  }
  const ClipOutput second = te2().forward(graph, graph.input("te2_ids", DType::i32, ids), positions,
                                          graph.input("te2_pool", DType::i32, {rows}), take());
  Value pooled = second.pooled;
  if (chunks > 1) {
    const std::int64_t width = pooled.shape()[1];
    pooled = slice_channels(reshape(pooled, {batch, chunks * width}), 0, width);
  }
  return {{"context", concat_channels(context, weighted(second.hidden, "te2_weights"))},
          {"pooled", pooled}};
}

void StableDiffusion::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  const auto chunks = static_cast<std::size_t>(text_options().chunks);
  ClipText::feed_ids(executor, "te1_ids", joined_ids(batch, "te1_ids"), te1_config_);
  executor.feed("positions", clip_position_ids(static_cast<std::int64_t>(batch.size() * chunks),
                                               chunk_length()));
  feed_weights(executor, "te1_weights", batch, te1_config_.hidden);
  if (two_encoders()) {
    std::vector<std::int32_t> pool;
    for (const std::int32_t first : joined_ids(batch, "te2_pool")) {
      pool.push_back(first);
      pool.resize(pool.size() + chunks - 1, 0);  // the other chunks' pooled vectors are not used
    }
    ClipText::feed_ids(executor, "te2_ids", joined_ids(batch, "te2_ids"), te2_config_);
    executor.feed("te2_pool", pool);
    feed_weights(executor, "te2_weights", batch, te2_config_.hidden);
  }
}

Value StableDiffusion::predict(Graph& graph, Value noised, Value timesteps,
                               const TextValues& text) {
  if (unet_config_.addition_time_embed_dim == 0) {
    return unet().forward(graph, noised, timesteps, text.at("context"), {}, {});
  }
  const Value sizes = graph.input("time_ids", DType::f32, {noised.shape()[0], 6});
  return unet().forward(graph, noised, timesteps, text.at("context"), text.at("pooled"), sizes);
}

void StableDiffusion::feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t,
                                 std::int64_t) const {
  if (unet_config_.addition_time_embed_dim > 0) {
    executor.feed("time_ids", time_ids);
  }
}

}  // namespace mantissa
