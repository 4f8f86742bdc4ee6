#include "engine/data/batch_source.h"

#include "engine/core/random.h"
#include "engine/data/masks.h"
#include "engine/data/preserved_caption.h"
#include "engine/data/tags.h"
#include "engine/diffusion/timesteps.h"

namespace mantissa {

BatchSource::BatchSource(const EncodedDataset& data, std::shared_ptr<const Objective> objective,
                         Kernels& kernels)
    : data_(data),
      objective_(std::move(objective)),
      kernels_(kernels),
      weighted_(data.images().dataset().weighted()) {}

void BatchSource::read_captions_with(DiffusionModel& model, Arena& arena) {
  const Preset& preset = data_.preset();
  if (preset.data.shuffle_captions && !trains_vae(preset)) {
    reader_ = &model;
    if (reads_captions_live(preset)) {
      live_text_ = std::make_unique<TextEncoder>(kernels_, model, &arena);
    }
  }
}

void BatchSource::warm_up(std::int64_t values) {
  normal_values(kernels_, values, {});
  if (live_text_) {
    live_text_->encode("");
  }
}

void BatchSource::record_ahead() {
  if (live_text_) {
    live_text_->record_ahead();
  }
}

template <typename Make>
StepInputs BatchSource::with_encodings(const Make& make) {
  try {
    return make();
  } catch (const EncodingGone&) {
    if (!encode_again_) {
      throw;
    }
  }
  encode_again_();
  return make();
}

StepInputs BatchSource::inputs(std::int64_t micro_step) {
  return with_encodings([&] { return training_inputs(micro_step); });
}

std::optional<StepInputs> BatchSource::inputs_beside_step(std::int64_t micro_step) {
  return live_text_ ? std::nullopt : std::optional(training_inputs(micro_step));
}

StepInputs BatchSource::validation_inputs(std::size_t image, std::size_t which) {
  const ImageItem& item = data_.images().validation()[image];
  return with_encodings(
      [&] { return alone(item, {data_.images().placement(item)}, which, item.caption); });
}

StepInputs BatchSource::fixed_inputs(std::size_t image, std::size_t which,
                                     const std::string& caption) {
  const BucketedImages& images = data_.images();
  const ImageItem& item = images.dataset().items[image];
  const ImageVersion version = images.version(item, images.sizes(item).front(), 0);
  return with_encodings([&] { return alone(item, version, which, caption); });
}

StepInputs BatchSource::training_inputs(std::int64_t micro_step) {
  const BatchPlan plan = data_.images().plan(micro_step);
  const Preset& preset = data_.preset();
  if (trains_vae(preset)) {
    return autoencoder_inputs(micro_step, plan);
  }
  const Dataset& dataset = data_.images().dataset();
  const Bucket& size = data_.images().bucket(plan.bucket);
  StepInputs in = sized_for(plan.items.size(), size);
  in.timesteps = draw_timesteps(*objective_, level_distribution(preset), tokens_of(in),
                                static_cast<std::uint64_t>(preset.training.seed),
                                static_cast<std::uint64_t>(micro_step), static_cast<int>(in.batch));
  const std::int64_t count = in.height * in.width * in.channels;
  for (std::size_t b = 0; b < plan.items.size(); ++b) {
    const std::size_t index = plan.items[b];
    const ImageItem& item = dataset.items[index];
    in.sources.push_back(item.name);
    const TextPlace place{item, data_.images().version(item, size, plan.variant[b]), plan.flip[b]};
    add_latents(in, item, place.version, place.flipped,
                draw(count, RandomStream::vae, micro_step, b));
    const std::vector<float> noise = draw_noise(count, micro_step, b);
    in.noise.insert(in.noise.end(), noise.begin(), noise.end());
    if (weighted_) {
      const double prior = item.prior ? preset.training.prior_weight : 1;
      in.sample_weight.push_back(static_cast<float>(prior * item.weight));
    }
    const std::string caption = caption_in(plan.epoch, index);
    const std::string trained = plan.drop_caption[b] ? std::string() : caption;
    add_text(in, trained, place);
    if (preserves(preset)) {
      add_preserved(in, caption, trained, place);
    }
  }
  return in;
}

StepInputs BatchSource::autoencoder_inputs(std::int64_t micro_step, const BatchPlan& plan) {
  const Bucket& size = data_.images().bucket(plan.bucket);
  StepInputs in = sized_for(plan.items.size(), size);
  for (std::size_t b = 0; b < plan.items.size(); ++b) {
    Image image = data_.image(plan.items[b], size, plan.variant[b]);
    if (plan.flip[b]) {
      mirror(image);
    }
    in.sources.push_back(data_.images().dataset().items[plan.items[b]].name);
    const std::vector<float> pixels = to_float(image);
    in.images.insert(in.images.end(), pixels.begin(), pixels.end());
    const std::vector<float> noise =
        draw(in.height * in.width * in.channels, RandomStream::vae, micro_step, b);
    in.noise.insert(in.noise.end(), noise.begin(), noise.end());
  }
  return in;
}

StepInputs BatchSource::alone(const ImageItem& item, const ImageVersion& version, std::size_t which,
                              const std::string& caption) {
  StepInputs in = sized_for(1, version.placement.bucket);
  const double share = (2.0 * static_cast<double>(which) + 1) / (2.0 * kValidationDraws);
  // By the model's own schedule, so that runs with other distributions compare.
  const double level = objective_->trained_level(share, {.tokens = tokens_of(in)});
  in.timesteps = {objective_->timestep(level)};
  in.sources = {item.name};
  add_latents(in, item, version, false, {});
  in.noise = normal_values(kernels_, in.height * in.width * in.channels,
                           random_key(std::stoull(item.content_hash.substr(0, 16), nullptr, 16),
                                      RandomStream::validation, which));
  add_text(in, caption, {item, version, false});
  return in;
}

StepInputs BatchSource::sized_for(std::size_t batch, const Bucket& bucket) const {
  const LatentFormat& format = data_.latent_format();
  StepInputs in;
  in.batch = static_cast<std::int64_t>(batch);
  in.height = bucket.height / format.factor;
  in.width = bucket.width / format.factor;
  in.channels = format.channels;
  return in;
}

double BatchSource::tokens_of(const StepInputs& in) const {
  return image_tokens(in.height, in.width, data_.latent_format().patch);
}

void BatchSource::add_latents(StepInputs& in, const ImageItem& item, const ImageVersion& version,
                              bool flipped, const std::vector<float>& draw) const {
  const std::vector<float> values = drawn(data_.latents(item, version, flipped), draw);
  in.latents.insert(in.latents.end(), values.begin(), values.end());
  const auto ids = time_ids(version.placement, data_.preset().data.bucket_rule, flipped);
  in.time_ids.insert(in.time_ids.end(), ids.begin(), ids.end());
  add_mask(in, item, version, flipped);
  add_references(in, item, version, flipped, draw);
}

std::vector<float> BatchSource::drawn(const LatentMoments& latents,
                                      const std::vector<float>& draw) const {
  const LatentFormat& format = data_.latent_format();
  const std::vector<float>&mean = latents.mean.data, &deviation = latents.std.data;
  std::vector<float> values(mean.size());
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const float value = draw.empty() ? mean[i] : mean[i] + deviation[i] * draw[i];
    const std::size_t channel = i % format.gain.size();
    values[i] = format.gain[channel] * (value - format.shift[channel]);
  }
  return values;
}

void BatchSource::add_references(StepInputs& in, const ImageItem& item, const ImageVersion& version,
                                 bool flipped, const std::vector<float>& draw) const {
  std::vector<ReferenceLatents> own;
  if (trains_pair_slider(data_.preset())) {
    own.push_back({{in.height, in.width}, drawn(data_.negative(item, version, flipped), draw)});
  } else {
    own = data_.references(item, version, flipped);
  }
  in.references.resize(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    in.references[i].size = own[i].size;
    in.references[i].values.insert(in.references[i].values.end(), own[i].values.begin(),
                                   own[i].values.end());
  }
}

void BatchSource::add_mask(StepInputs& in, const ImageItem& item, const ImageVersion& version,
                           bool flipped) const {
  const Preset::Data& options = data_.preset().data;
  if (options.masks == MaskMode::off) {
    return;
  }
  std::vector<float> weights(static_cast<std::size_t>(in.height * in.width), 1.0F);
  if (data_.images().has_mask(item)) {
    weights = mask_weights(data_.mask(item, version), options.unmasked_weight, flipped);
  }
  in.mask.insert(in.mask.end(), weights.begin(), weights.end());
}

/// A text can't both be learned and stay as it is.
void BatchSource::add_preserved(StepInputs& in, const std::string& caption,
                                const std::string& trained, const TextPlace& place) {
  const Preset::Training& training = data_.preset().training;
  const std::string preserved = preserved_caption(training, caption);
  add_text(in, preserved, place, kPreserved);
  in.preservation_weight.push_back(preserved == trained || preserved == caption
                                       ? 0.0F
                                       : static_cast<float>(training.preservation_weight));
}

void BatchSource::add_text(StepInputs& in, const std::string& caption, const TextPlace& place,
                           const std::string& head) {
  if (trains_text(data_.preset())) {
    const TokenIds* known = data_.tokens(caption);
    in.tokens.push_back(known != nullptr ? *known : reader_->tokenize(caption));
    return;
  }
  const bool known = live_text_ == nullptr || data_.has_text(caption);
  for (const auto& [name, tensor] :
       known ? data_.text(caption, place.item, place.version, place.flipped)
             : live_text_->encode(caption)) {
    std::vector<float>& all = in.text[head + name];
    all.insert(all.end(), tensor.data.begin(), tensor.data.end());
  }
}

std::vector<float> BatchSource::draw(std::int64_t count, RandomStream stream,
                                     std::int64_t micro_step, std::size_t sample) {
  return normal_values(kernels_, count,
                       random_key(static_cast<std::uint64_t>(data_.preset().training.seed), stream,
                                  static_cast<std::uint64_t>(micro_step), sample));
}

std::vector<float> BatchSource::draw_noise(std::int64_t count, std::int64_t micro_step,
                                           std::size_t sample) {
  std::vector<float> noise = draw(count, RandomStream::noise, micro_step, sample);
  const double offset = data_.preset().training.noise_offset;
  if (offset > 0) {
    const std::vector<float> by_channel =
        draw(data_.latent_format().channels, RandomStream::offset_noise, micro_step, sample);
    for (std::size_t i = 0; i < noise.size(); ++i) {
      noise[i] += static_cast<float>(offset) * by_channel[i % by_channel.size()];
    }
  }
  return noise;
}

std::string BatchSource::caption_in(std::int64_t epoch, std::size_t index) const {
  const Preset& preset = data_.preset();
  const std::string& caption = data_.images().dataset().items[index].caption;
  return preset.data.shuffle_captions
             ? shuffled_caption(caption, preset.data.keep_tokens, preset.data.weighted_captions,
                                random_key(static_cast<std::uint64_t>(preset.training.seed),
                                           RandomStream::caption_order,
                                           static_cast<std::uint64_t>(epoch), index))
             : caption;
}

}  // namespace mantissa
