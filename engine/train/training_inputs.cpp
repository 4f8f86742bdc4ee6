// What a step reads: shapes, and the inputs of a batch or of a held-out picture.
#include <algorithm>
#include <set>

#include "engine/core/random.h"
#include "engine/data/masks.h"
#include "engine/diffusion/timesteps.h"
#include "engine/graph/device_values.h"
#include "engine/train/training_data.h"

namespace mantissa {

std::vector<StepShape> TrainingData::shapes(std::int64_t tokens, int factor) const {
  std::vector<StepShape> shapes;
  for (const BucketUse& use : loader_->use()) {
    const Bucket& b = buckets_[use.bucket];
    shapes.push_back({preset_.data.batch_size, b.height / factor, b.width / factor, tokens});
  }
  std::sort(shapes.begin(), shapes.end(), [](const StepShape& a, const StepShape& b) {
    const std::int64_t x = a.height * a.width, y = b.height * b.width;
    return x != y ? x > y : a < b;
  });
  return shapes;
}

void TrainingData::add_latents(StepInputs& in, const ImageItem& item, bool flipped,
                               const std::vector<float>& draw) const {
  const auto latent = load(latent_key(item, flipped), item.name);
  const HostTensor &mean = latent.at("mean"), &deviation = latent.at("std");
  for (std::size_t i = 0; i < mean.data.size(); ++i) {
    const float value = draw.empty() ? mean.data[i] : mean.data[i] + deviation.data[i] * draw[i];
    const std::size_t channel = i % latent_gain_.size();
    in.latents.push_back(latent_gain_[channel] * (value - latent_shift_[channel]));
  }
  const auto ids = time_ids(placement_of(item), preset_.data.bucket_rule, flipped);
  in.time_ids.insert(in.time_ids.end(), ids.begin(), ids.end());
  if (preset_.data.masks == MaskMode::off) {
    return;
  }
  const std::size_t places = static_cast<std::size_t>(in.height * in.width);
  std::vector<float> weights(places, 1.0F);
  if (has_mask(item)) {
    weights = mask_weights(load(mask_key(item), item.name).at("mask"), preset_.data.unmasked_weight,
                           flipped);
  }
  in.mask.insert(in.mask.end(), weights.begin(), weights.end());
}

void TrainingData::add_text(StepInputs& in, const std::string& caption,
                            const std::string& source) const {
  if (train_text_) {
    const auto known = tokens_.find(caption);
    in.tokens.push_back(known != tokens_.end() ? known->second : reader_->tokenize(caption));
    return;
  }
  const bool known = live_text_ == nullptr || known_texts_.contains(caption);
  for (const auto& [name, tensor] :
       known ? load(text_key(caption), source) : live_text_->encode(caption)) {
    std::vector<float>& all = in.text[name];
    all.insert(all.end(), tensor.data.begin(), tensor.data.end());
  }
}

StepInputs TrainingData::inputs(std::int64_t micro_step, Kernels& kernels) const {
  const BatchPlan plan = loader_->plan(micro_step);
  const auto seed = static_cast<std::uint64_t>(preset_.training.seed);
  const auto key_step = static_cast<std::uint64_t>(micro_step);
  if (trains_vae(preset_)) {
    return autoencoder_inputs(micro_step, plan, kernels);
  }
  StepInputs in;
  in.batch = static_cast<std::int64_t>(plan.items.size());
  in.timesteps = draw_timesteps(*objective_, {}, seed, key_step, static_cast<int>(in.batch));
  const Bucket& bucket = buckets_[plan.bucket];
  in.height = bucket.height / latent_factor_;
  in.width = bucket.width / latent_factor_;
  in.channels = latent_channels_;
  const auto count = static_cast<std::size_t>(in.height * in.width * in.channels);
  for (std::size_t b = 0; b < plan.items.size(); ++b) {
    const std::size_t index = plan.items[b];
    const ImageItem& item = dataset_.items[index];
    in.sources.push_back(item.name);
    const auto draws = [&](RandomStream stream, std::size_t number) {
      return draws_.draw(kernels, static_cast<std::int64_t>(number),
                         random_key(seed, stream, key_step, b));
    };
    add_latents(in, item, plan.flip[b], draws(RandomStream::vae, count));
    std::vector<float> noise = draws(RandomStream::noise, count);
    if (preset_.training.noise_offset > 0) {
      const std::vector<float> offset =
          draws(RandomStream::offset_noise, static_cast<std::size_t>(in.channels));
      for (std::size_t i = 0; i < count; ++i) {
        noise[i] += static_cast<float>(preset_.training.noise_offset) *
                    offset[i % static_cast<std::size_t>(in.channels)];
      }
    }
    in.noise.insert(in.noise.end(), noise.begin(), noise.end());
    if (dataset_.report.prior > 0) {
      in.sample_weight.push_back(item.prior ? static_cast<float>(preset_.training.prior_weight)
                                            : 1.0F);
    }
    add_text(in, plan.drop_caption[b] ? std::string() : caption_in(plan.epoch, index), item.name);
  }
  return in;
}

StepInputs TrainingData::validation_inputs(std::size_t picture, std::size_t which,
                                           Kernels& kernels) const {
  const ImageItem& item = validation_[picture];
  const Bucket bucket = placement_of(item).bucket;
  StepInputs in;
  in.batch = 1;
  in.height = bucket.height / latent_factor_;
  in.width = bucket.width / latent_factor_;
  in.channels = latent_channels_;
  const double share = (2.0 * static_cast<double>(which) + 1) / (2.0 * kValidationDraws);
  in.timesteps = {objective_->timestep(objective_->trained_level(share))};
  in.sources = {item.name};
  add_latents(in, item, false, {});
  in.noise = draws_.draw(kernels, in.height * in.width * in.channels,
                         random_key(std::stoull(item.content_hash.substr(0, 16), nullptr, 16),
                                    RandomStream::validation, which));
  add_text(in, item.caption, item.name);
  return in;
}

std::vector<StepShape> TrainingData::validation_shapes(std::int64_t tokens, int factor) const {
  std::set<StepShape> shapes;
  for (const ImageItem& item : validation_) {
    const Bucket bucket = placement_of(item).bucket;
    shapes.insert({1, bucket.height / factor, bucket.width / factor, tokens});
  }
  return {shapes.begin(), shapes.end()};
}

}  // namespace mantissa
