#include "engine/train/training_data.h"

#include <algorithm>
#include <fmt/format.h>
#include <future>
#include <set>
#include <thread>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/random.h"
#include "engine/diffusion/timesteps.h"
#include "engine/graph/device_values.h"
#include "engine/io/file.h"
#include "engine/train/latent_encoding.h"
#include "engine/train/text_encoding.h"

namespace mantissa {
namespace {

/// A picture of which latents have to be made, as it is or mirrored.
struct WantedLatents {
  std::size_t item = 0;
  std::vector<bool> flips;
  std::future<Image> image;  ///< cut for its bucket
};

Image cut_picture(const std::filesystem::path& path, const Placement& p) {
  const Image whole = load_image(path);
  Image image = resize_crop(whole, p.scaled_width, p.scaled_height, p.left, p.top, p.bucket.width,
                            p.bucket.height);
  image.notice = whole.notice;
  return image;
}

/// Left becomes right.
void mirror(Image& image) {
  for (int y = 0; y < image.height; ++y) {
    const auto row = image.pixels.begin() + std::ptrdiff_t{3} * y * image.width;
    for (int x = 0; x < image.width / 2; ++x) {
      std::swap_ranges(row + 3 * x, row + 3 * x + 3, row + 3 * (image.width - 1 - x));
    }
  }
}

}  // namespace

std::string weight_fingerprint(const WeightSource& source, ModelPart part) {
  constexpr std::size_t kEnd = 4096;
  Sha256 hash;
  for (const std::string& name : source.names(part)) {
    const WeightView v = source.view(part, name);
    hash.update(
        fmt::format("{} {} {} {};", name, dtype_name(v.dtype), v.shape.str(), v.transposed));
    const std::size_t bytes = static_cast<std::size_t>(v.shape.count()) * dtype_size(v.dtype);
    const std::size_t end = std::min(bytes, kEnd);
    hash.update(std::span(v.data, end));
    hash.update(std::span(v.data + (bytes - end), end));
  }
  return hash.hex();
}

TrainingData::TrainingData(const Preset& preset, const std::vector<std::filesystem::path>& folders,
                           int quantum, const Notice& notice, const Progress& progress)
    : preset_(preset), notice_(notice), quantum_(quantum), train_text_(trains_text(preset)) {
  ScanOptions options;
  options.decode = false;  // encoding decodes every picture that isn't cached
  options.progress = progress;
  dataset_ = scan_images(folders, options);
  buckets_ = make_buckets(bucket_options(preset, quantum));
  sort_into_buckets();
  if (preset.data.cache != CacheMode::none) {
    disk_.emplace(cache_dir() / "tensors", [this](const std::string& text) { notice_(2, text); });
  }
}

void TrainingData::sort_into_buckets() {
  bucket_of_item_.clear();
  for (const ImageItem& item : dataset_.items) {
    bucket_of_item_.push_back(
        choose_bucket(buckets_, preset_.data.bucket_rule, item.width, item.height));
  }
  loader_.emplace(bucket_of_item_, loader_options(preset_));
}

std::string TrainingData::latent_key(std::size_t item, bool flipped) const {
  const ImageItem& i = dataset_.items[item];
  return cache_key(LatentKey{i.content_hash,
                             place_image(buckets_[bucket_of_item_[item]], i.width, i.height),
                             flipped, vae_fingerprint_});
}

std::string TrainingData::text_key(const std::string& caption) const {
  return cache_key(TextKey{caption, text_fingerprint_});
}

bool TrainingData::have(const std::string& key, const std::string& source, bool on_disk) {
  if (memory_.contains(key)) {
    return true;
  }
  std::map<std::string, HostTensor> tensors;
  // Read whole once: a damaged entry is found, and made anew, before training begins.
  return on_disk && disk_ && disk_->get(key, source, tensors);
}

void TrainingData::keep(const std::string& key, const std::string& source,
                        std::map<std::string, HostTensor> tensors, bool on_disk) {
  if (on_disk && disk_) {
    disk_->put(key, source, tensors);
  } else {
    memory_[key] = std::move(tensors);
  }
}

std::map<std::string, HostTensor> TrainingData::load(const std::string& key,
                                                     const std::string& source) const {
  if (const auto it = memory_.find(key); it != memory_.end()) {
    return it->second;
  }
  std::map<std::string, HostTensor> tensors;
  if (!disk_ || !disk_->get(key, source, tensors)) {
    throw Error(source + ": its cached encoding disappeared from " +
                (disk_ ? path_to_utf8(disk_->folder()) : "memory") +
                " while training. Start the run again: it is encoded anew");
  }
  return tensors;
}

void TrainingData::encode(Kernels& kernels, DiffusionModel& model, const Progress& progress) {
  vae_fingerprint_ =
      weight_fingerprint(model.source(), ModelPart::vae) + model.rules().signature("vae");
  text_fingerprint_ = weight_fingerprint(model.source(), ModelPart::te1) +
                      weight_fingerprint(model.source(), ModelPart::te2) +
                      model.rules().signature("te1") + model.text_options().signature();
  latent_scale_ = static_cast<float>(model.vae_config().scaling_factor);
  latent_factor_ = model.latent_factor();
  latent_channels_ = model.latent_channels();
  if (trains_vae(preset_)) {
    read_pictures(progress);
    return;
  }
  encode_latents(kernels, model, progress);
  if (train_text_) {
    for (const std::string& caption : captions()) {
      tokens_[caption] = model.tokenize(caption);
    }
  } else {
    encode_texts(kernels, model, progress);
  }
}

void TrainingData::encode_latents(Kernels& kernels, DiffusionModel& model,
                                  const Progress& progress) {
  std::vector<WantedLatents> wanted;
  const auto report = [&](const char* phase, std::size_t done, std::size_t total) {
    if (progress) {
      progress(phase, static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
    }
  };
  for (std::size_t i = 0; i < dataset_.items.size(); ++i) {
    WantedLatents w{i, {}, {}};
    for (const bool flipped : {false, true}) {
      if ((!flipped || preset_.data.flip) &&
          !have(latent_key(i, flipped), dataset_.items[i].name, true)) {
        w.flips.push_back(flipped);
      }
    }
    if (!w.flips.empty()) {
      wanted.push_back(std::move(w));
    }
    report("scanning", i + 1, dataset_.items.size());
  }
  LatentEncoder encoder(kernels, model);
  std::vector<std::pair<std::size_t, std::string>> rejected;
  // While one picture is encoded, the next are read and cut, each by a thread of its own.
  const std::size_t ahead = std::max(1U, std::thread::hardware_concurrency());
  std::size_t started = 0;
  for (std::size_t n = 0; n < wanted.size(); ++n) {
    for (; started < std::min(wanted.size(), n + ahead); ++started) {
      const ImageItem& next = dataset_.items[wanted[started].item];
      wanted[started].image = std::async(
          std::launch::async, cut_picture, next.path,
          place_image(buckets_[bucket_of_item_[wanted[started].item]], next.width, next.height));
    }
    const ImageItem& item = dataset_.items[wanted[n].item];
    try {
      Image image = wanted[n].image.get();
      if (!image.notice.empty()) {
        notice_(1, item.name + ": " + image.notice);
      }
      bool mirrored = false;
      for (const bool flipped : wanted[n].flips) {
        if (flipped != mirrored) {
          mirror(image);
          mirrored = flipped;
        }
        LatentMoments latent = encoder.encode(image);
        keep(latent_key(wanted[n].item, flipped), item.name,
             {{"mean", std::move(latent.mean)}, {"std", std::move(latent.std)}}, true);
      }
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::input) {
        throw;
      }
      rejected.emplace_back(wanted[n].item, e.what());
    }
    report("caching", n + 1, wanted.size());
  }
  reject(rejected);
}

void TrainingData::reject(const std::vector<std::pair<std::size_t, std::string>>& items) {
  for (auto it = items.rbegin(); it != items.rend(); ++it) {
    notice_(2, "skipped: " + it->second);
    dataset_.reject(it->first, it->second);
  }
  if (dataset_.items.empty()) {
    throw Error("no picture could be read. The first: " + items.front().second);
  }
  if (!items.empty()) {
    sort_into_buckets();
  }
}

std::set<std::string> TrainingData::captions() const {
  std::set<std::string> captions;
  for (const ImageItem& item : dataset_.items) {
    captions.insert(item.caption);
  }
  if (preset_.data.caption_dropout > 0) {
    captions.insert("");
  }
  return captions;
}

void TrainingData::encode_texts(Kernels& kernels, DiffusionModel& model, const Progress& progress) {
  const std::set<std::string> all = captions();
  const bool on_disk = preset_.data.cache == CacheMode::all;
  std::optional<TextEncoder> encoder;
  std::int64_t done = 0;
  for (const std::string& caption : all) {
    const std::string key = text_key(caption);
    const std::string source = "caption \"" + caption.substr(0, 60) + "\"";
    if (!have(key, source, on_disk)) {
      if (!encoder) {
        encoder.emplace(kernels, model);
      }
      keep(key, source, encoder->encode(caption), on_disk);
    }
    if (progress) {
      progress("caching text", ++done, static_cast<std::int64_t>(all.size()));
    }
  }
}

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

StepInputs TrainingData::inputs(std::int64_t micro_step, Kernels& kernels) const {
  const BatchPlan plan = loader_->plan(micro_step);
  const auto seed = static_cast<std::uint64_t>(preset_.training.seed);
  const auto key_step = static_cast<std::uint64_t>(micro_step);
  if (trains_vae(preset_)) {
    return autoencoder_inputs(micro_step, plan, kernels);
  }
  StepInputs in;
  in.batch = static_cast<std::int64_t>(plan.items.size());
  in.timesteps = draw_timesteps(seed, key_step, static_cast<int>(in.batch), 0, 1000);
  for (std::size_t b = 0; b < plan.items.size(); ++b) {
    const std::size_t index = plan.items[b];
    const ImageItem& item = dataset_.items[index];
    in.sources.push_back(item.name);
    const auto latent = load(latent_key(index, plan.flip[b]), item.name);
    const HostTensor &mean = latent.at("mean"), &deviation = latent.at("std");
    in.height = mean.shape[0];
    in.width = mean.shape[1];
    in.channels = mean.shape[2];
    const std::size_t count = mean.data.size();
    const auto draws = [&](RandomStream stream, std::size_t number) {
      return normal_values(kernels, static_cast<std::int64_t>(number),
                           random_key(seed, stream, key_step, b));
    };
    const std::vector<float> draw = draws(RandomStream::vae, count);
    std::vector<float> noise = draws(RandomStream::noise, count);
    if (preset_.training.noise_offset > 0) {
      const std::vector<float> offset =
          draws(RandomStream::offset_noise, static_cast<std::size_t>(in.channels));
      for (std::size_t i = 0; i < count; ++i) {
        noise[i] += static_cast<float>(preset_.training.noise_offset) *
                    offset[i % static_cast<std::size_t>(in.channels)];
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      in.latents.push_back(latent_scale_ * (mean.data[i] + deviation.data[i] * draw[i]));
    }
    in.noise.insert(in.noise.end(), noise.begin(), noise.end());
    const Placement placement =
        place_image(buckets_[bucket_of_item_[index]], item.width, item.height);
    const auto ids = time_ids(placement, preset_.data.bucket_rule, plan.flip[b]);
    in.time_ids.insert(in.time_ids.end(), ids.begin(), ids.end());
    const std::string caption = plan.drop_caption[b] ? std::string() : item.caption;
    if (train_text_) {
      in.tokens.push_back(tokens_.at(caption));
    } else {
      for (const auto& [name, tensor] : load(text_key(caption), item.name)) {
        std::vector<float>& all = in.text[name];
        all.insert(all.end(), tensor.data.begin(), tensor.data.end());
      }
    }
  }
  return in;
}

Image TrainingData::picture(std::size_t index) const {
  if (const auto kept = pictures_.find(index); kept != pictures_.end()) {
    return kept->second;
  }
  const ImageItem& item = dataset_.items[index];
  Image image = cut_picture(item.path,
                            place_image(buckets_[bucket_of_item_[index]], item.width, item.height));
  if (picture_bytes_ + image.pixels.size() <= kPictureBytes) {
    picture_bytes_ += image.pixels.size();
    pictures_[index] = image;
  }
  return image;
}

void TrainingData::read_pictures(const Progress& progress) {
  std::vector<std::pair<std::size_t, std::string>> rejected;
  for (std::size_t i = 0; i < dataset_.items.size(); ++i) {
    try {
      const Image image = picture(i);
      if (!image.notice.empty()) {
        notice_(1, dataset_.items[i].name + ": " + image.notice);
      }
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::input) {
        throw;
      }
      rejected.emplace_back(i, e.what());
    }
    if (progress) {
      progress("reading", static_cast<std::int64_t>(i + 1),
               static_cast<std::int64_t>(dataset_.items.size()));
    }
  }
  if (!rejected.empty()) {
    pictures_.clear();  // their numbers change
    picture_bytes_ = 0;
  }
  reject(rejected);
}

StepInputs TrainingData::autoencoder_inputs(std::int64_t micro_step, const BatchPlan& plan,
                                            Kernels& kernels) const {
  StepInputs in;
  in.batch = static_cast<std::int64_t>(plan.items.size());
  in.channels = latent_channels_;
  for (std::size_t b = 0; b < plan.items.size(); ++b) {
    Image image = picture(plan.items[b]);
    if (plan.flip[b]) {
      mirror(image);
    }
    in.sources.push_back(dataset_.items[plan.items[b]].name);
    in.height = image.height / latent_factor_;
    in.width = image.width / latent_factor_;
    const std::vector<float> pixels = to_float(image);
    in.images.insert(in.images.end(), pixels.begin(), pixels.end());
    const std::vector<float> noise =
        normal_values(kernels, in.height * in.width * in.channels,
                      random_key(static_cast<std::uint64_t>(preset_.training.seed),
                                 RandomStream::vae, static_cast<std::uint64_t>(micro_step), b));
    in.noise.insert(in.noise.end(), noise.begin(), noise.end());
  }
  return in;
}

}  // namespace mantissa
