#include "engine/models/diffusion_model.h"

#include <algorithm>
#include <array>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/models/missing_parts.h"

namespace mantissa {

TextOptions TextOptions::of(const Preset& preset) {
  TextOptions options{preset.data.caption_chunks, preset.data.weighted_captions,
                      preset.training.clip_skip};
  if (trains_embeddings(preset)) {
    for (const EmbeddingToken& word : preset.embedding.tokens) {
      options.words.push_back({word.token, word.vectors});
    }
  }
  return options;
}

std::string TextOptions::signature() const {
  return " chunks " + std::to_string(chunks) + (weighted ? " weighted" : "") + " skip " +
         std::to_string(clip_skip);
}

const std::vector<std::int32_t>& TokenIds::of(const std::string& input) const {
  const auto found = ids.find(input);
  if (found == ids.end()) {
    throw Error(Message::verbatim("there are no " + input + " for a text encoder of this model"));
  }
  return found->second;
}

std::vector<std::int32_t> joined_ids(std::span<const TokenIds> batch, const std::string& input) {
  std::vector<std::int32_t> all;
  for (const TokenIds& tokens : batch) {
    const std::vector<std::int32_t>& own = tokens.of(input);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

std::vector<std::uint8_t> real_tokens(std::span<const TokenIds> batch, const std::string& part,
                                      std::int64_t tokens) {
  std::vector<std::uint8_t> real;
  for (const TokenIds& text : batch) {
    const std::int64_t length = text.of(part + "_length").at(0);
    for (std::int64_t i = 0; i < tokens; ++i) {
      real.push_back(i < length ? 1 : 0);
    }
  }
  return real;
}

namespace {

LatentSpace latents_of(const VaeConfig& vae) {
  LatentSpace space;
  space.channels = vae.latent_channels;
  space.factor = vae.block_out_channels.empty() ? space.factor : vae.factor();
  for (std::size_t c = 0; c < static_cast<std::size_t>(vae.latent_channels); ++c) {
    space.gain.push_back(vae.latent_gain(c));
    space.shift.push_back(vae.latent_shift(c));
  }
  return space;
}

}  // namespace

std::unique_ptr<DiffusionModel> DiffusionModel::open(Kernels& kernels, const WeightSource& source,
                                                     AdapterSet* adapters,
                                                     const PrecisionRules& rules) {
  return source.family().make(&kernels, source, adapters, rules);
}

std::unique_ptr<DiffusionModel> DiffusionModel::open_planning(const WeightSource& source,
                                                              AdapterSet* adapters,
                                                              const PrecisionRules& rules) {
  return source.family().make(nullptr, source, adapters, rules);
}

DiffusionModel::DiffusionModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                               const PrecisionRules& rules)
    : source_(source),
      weights_(kernels != nullptr ? WeightStore(*kernels, source) : WeightStore::planning(source)),
      adapters_(adapters),
      rules_(rules),
      fp8_scales_(std::make_unique<Fp8Scales>(kernels)) {
  if (has(kVae) && family().part(kVae)->model.name == "AutoencoderKL") {
    vae_config_ = mantissa::vae_config(source);
  }
  latents_ = latents_of(vae_config_);
  make_vae_ = [this](const Scope& scope) { return std::make_unique<Vae>(vae_config_, scope); };
}

Scope DiffusionModel::scope(Part part) {
  return {weights_, adapters_, part, &rules_, fp8_scales_.get()};
}

void DiffusionModel::require(Part part) const {
  if (!has(part)) {
    throw Error(without_parts(source_, std::array{part}));
  }
}

void DiffusionModel::refuse_text_width(int given, int wanted) const {
  throw Error(message<"{path}: the text encoder gives {given} values a token, but the "
                      "transformer takes {wanted}; are they parts of one model?">(
      path_to_utf8(source_.path()), given, wanted));
}

void DiffusionModel::require_latent_channels(int wanted) const {
  if (has(kVae) && latent_channels() != wanted) {
    throw Error(message<"{path}: the transformer takes {wanted} channels, the vae makes latents of "
                        "{given}; the two parts belong to different models">(
        path_to_utf8(source_.path()), wanted, latent_channels()));
  }
}

Autoencoder& DiffusionModel::vae() {
  if (!vae_) {
    require(kVae);
    vae_ = make_vae_(scope(kVae));
  }
  return *vae_;
}

void DiffusionModel::use_vae(ModelVae vae, int channels) {
  latents_ = std::move(vae.latents);
  make_vae_ = std::move(vae.make);
  require_latent_channels(channels);
}

void DiffusionModel::use_kl_vae(int channels) {
  if (!has(kVae)) {
    latents_.channels = channels;
    latents_.gain.assign(static_cast<std::size_t>(channels), family().latent_scale);
    latents_.shift.assign(static_cast<std::size_t>(channels), family().latent_shift);
  }
  require_latent_channels(channels);
}

TextValues DiffusionModel::text_inputs(Graph& graph, std::int64_t batch, std::int64_t tokens,
                                       const std::string& head) const {
  TextValues values;
  for (const auto& [name, shape] : text_shapes(tokens)) {
    Shape batched{batch};
    for (int i = 0; i < shape.rank(); ++i) {
      batched.push_back(shape[i]);
    }
    values[name] = graph.input(head + name, DType::f32, batched);
  }
  return values;
}

NewWords DiffusionModel::new_words(std::int32_t vocabulary) const {
  std::vector<NewWords::Word> words;
  for (const TextWord& word : text_options_.words) {
    words.push_back({word.text, vocabulary, word.vectors});
    vocabulary += word.vectors;
  }
  return NewWords(std::move(words));
}

TokenIds DiffusionModel::tokenize_beside(const std::string& caption, std::size_t) {
  return tokenize(caption);
}

TextValues DiffusionModel::encode_text_beside(Graph& graph, std::int64_t tokens,
                                              std::span<const LatentSize>) {
  return encode_text(graph, 1, tokens);
}

void DiffusionModel::feed_tokens_beside(Executor& executor, const TokenIds& text,
                                        std::span<const Image>) {
  feed_tokens(executor, {&text, 1});
}

Value DiffusionModel::predict_edit(Graph& graph, Value noised, Value timesteps,
                                   const TextValues& text, std::span<const Value> references) {
  if (!references.empty()) {
    throw Error(message<"{family} reads no reference images">(family().title()));
  }
  return predict(graph, noised, timesteps, text);
}

void DiffusionModel::feed_guidance(Executor& executor, double scale) const {
  if (takes_guidance()) {
    const auto batch = static_cast<std::size_t>(executor.input("guidance").shape[0]);
    executor.feed("guidance", std::vector<float>(batch, static_cast<float>(scale)));
  }
}

std::vector<Part> DiffusionModel::training_parts(bool train_text) const {
  std::vector<Part> parts{kDenoiser};
  if (train_text) {
    const std::vector<Part> text = text_parts();
    parts.insert(parts.end(), text.begin(), text.end());
  }
  return parts;
}

std::vector<Part> DiffusionModel::training_parts(const Preset& preset) const {
  return trains_vae(preset) ? std::vector{kVae} : training_parts(trains_text(preset));
}

void DiffusionModel::bind(std::span<const Part> parts) {
  std::vector<Part> known = training_parts(true);
  known.push_back(kVae);
  for (Part part : parts) {
    if (std::find(known.begin(), known.end(), part) == known.end()) {
      throw Error(
          message<
              "{path}: training.parts names {part}, which this model doesn't have; take it out">(
              path_to_utf8(source_.path()), part.name()));
    }
  }
  for (Part part : known) {
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) {
      continue;
    }
    if (part == kVae) {
      vae();
    } else {
      bind_part(part);
    }
  }
}

void DiffusionModel::release(Part part) {
  if (part == kVae) {
    vae_.reset();
  } else {
    drop_part(part);
  }
  weights_.release(part);
}

std::array<float, 6> micro_conditioning(int original_height, int original_width, int crop_top,
                                        int crop_left, int target_height, int target_width) {
  return {static_cast<float>(original_height), static_cast<float>(original_width),
          static_cast<float>(crop_top),        static_cast<float>(crop_left),
          static_cast<float>(target_height),   static_cast<float>(target_width)};
}

std::int64_t DiffusionModel::tokens_of_run(std::int64_t most) const {
  constexpr std::int64_t kStep = 32;
  const std::int64_t needed = (text_options_.tokens + kStep - 1) / kStep * kStep;
  return needed == 0 ? most : std::min(needed, most);
}

void require_clip_layers(const DiffusionModel& model, int clip_skip, std::string_view setting) {
  const int layers = model.clip_layers();
  if (layers > 0 && clip_skip > layers) {
    throw Error(message<"{setting} is {clip_skip}, but the text encoder has {layers} layers. Set "
                        "it to {layers} or less">(setting, clip_skip, layers));
  }
}

}  // namespace mantissa
