#include "engine/train/training_data.h"

#include <algorithm>
#include <future>
#include <set>
#include <thread>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/random.h"
#include "engine/data/masks.h"
#include "engine/data/tags.h"
#include "engine/graph/device_values.h"
#include "engine/io/file.h"
#include "engine/preset/names.h"
#include "engine/train/backend.h"
#include "engine/train/encoding_fingerprint.h"
#include "engine/train/latent_encoding.h"
#include "engine/train/model_objective.h"
#include "engine/train/text_encoding.h"

namespace mantissa {
namespace {

/// What a cache lacks of a picture is made from.
struct CutPicture {
  Image image;
  std::optional<HostTensor> mask;
};

/// A picture of which latents have to be made, as it is or mirrored, or its mask.
struct WantedPicture {
  std::size_t item = 0;
  std::vector<bool> flips;
  bool mask = false;
  std::future<CutPicture> cut;
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
    const std::ptrdiff_t width = image.width;
    const auto row = image.pixels.begin() + 3 * y * width;
    for (std::ptrdiff_t x = 0; x < width / 2; ++x) {
      std::swap_ranges(row + 3 * x, row + 3 * x + 3, row + 3 * (width - 1 - x));
    }
  }
}

/// As messages name it.
std::string caption_name(const std::string& caption) {
  return "caption \"" + caption.substr(0, 60) + "\"";
}

void report(const Progress& progress, RunPhase phase, std::size_t done, std::size_t total) {
  if (progress) {
    progress(phase_name(phase), static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
  }
}

}  // namespace

TrainingData::TrainingData(const Preset& preset, const SetFolders& folders, int quantum,
                           const Notice& notice, const Progress& progress)
    : preset_(preset), notice_(notice), train_text_(trains_text(preset)) {
  ScanOptions options;
  options.decode = false;  // encoding decodes every picture that isn't cached
  options.masks = preset.data.masks;
  options.progress = progress;
  PictureSets sets = gather_sets(folders, preset, options);
  dataset_ = std::move(sets.train);
  validation_ = std::move(sets.validation);
  buckets_ = make_buckets(bucket_options(preset, quantum));
  require_masks();
  sort_into_buckets();
  if (preset.data.cache != CacheMode::none) {
    disk_.emplace(cache_dir() / "tensors", [this](const Message& text) { notice_(2, text); });
  }
}

void TrainingData::sort_into_buckets() {
  bucket_of_item_.clear();
  for (const ImageItem& item : dataset_.items) {
    bucket_of_item_.push_back(
        choose_bucket(buckets_, preset_.data.bucket_rule, item.width, item.height));
  }
  loader_.emplace(bucket_of_item_, loader_options(preset_), item_repeats(dataset_, preset_));
}

const ImageItem& TrainingData::item_at(std::size_t index) const {
  const std::size_t trained = dataset_.items.size();
  return index < trained ? dataset_.items[index] : validation_[index - trained];
}

Placement TrainingData::placement_of(const ImageItem& item) const {
  const std::size_t bucket =
      choose_bucket(buckets_, preset_.data.bucket_rule, item.width, item.height);
  return place_image(buckets_[bucket], item.width, item.height);
}

bool TrainingData::has_mask(const ImageItem& item) const {
  return preset_.data.masks == MaskMode::files   ? !item.mask.empty()
         : preset_.data.masks == MaskMode::alpha ? item.alpha
                                                 : false;
}

void TrainingData::require_masks() const {
  if (preset_.data.masks == MaskMode::off) {
    return;
  }
  const std::int64_t masks = dataset_.report.masks;
  if (masks == 0) {
    throw Error(
        message<"data.masks is {mode}, but no image has {what}. Add masks, or set it to off">(
            enum_name(preset_.data.masks), preset_.data.masks == MaskMode::alpha
                                               ? message<"an alpha channel">()
                                               : message<"a <name>-masklabel.png">()));
  }
  const std::size_t all = dataset_.items.size() + validation_.size();
  notice_(1,
          message<"{images} of {all} images have a mask; the others count everywhere">(masks, all));
}

std::string TrainingData::latent_key(const ImageItem& item, bool flipped) const {
  return cache_key(LatentKey{item.content_hash, placement_of(item), flipped, vae_fingerprint_});
}

std::string TrainingData::mask_key(const ImageItem& item) const {
  const bool alpha = preset_.data.masks == MaskMode::alpha;
  return cache_key(MaskKey{alpha ? item.content_hash : item.mask_hash, preset_.data.masks,
                           placement_of(item), latent_factor_});
}

std::string TrainingData::text_key(const std::string& caption) const {
  return cache_key(TextKey{caption, text_fingerprint_});
}

bool TrainingData::have(const std::string& key, const std::string& source, bool on_disk) {
  if (memory_.contains(key) || read_.contains(key)) {
    return true;
  }
  std::map<std::string, HostTensor> tensors;
  if (!on_disk || !disk_ || !disk_->get(key, source, tensors)) {
    return false;
  }
  read_.insert(key);
  return true;
}

bool TrainingData::listed(const std::string& key, bool on_disk) const {
  return memory_.contains(key) || (on_disk && disk_ && disk_->contains(key));
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
    throw Error(message<"{source}: its cached encoding disappeared from {place} while training. "
                        "Start the run again to re-encode it">(
        source, disk_ ? Message::verbatim(path_to_utf8(disk_->folder())) : message<"memory">()));
  }
  return tensors;
}

void TrainingData::identify(const DiffusionModel& model, const Progress& progress) {
  if (disk_) {  // what stays in memory is of this model anyway
    const ContentHashes hashes = ContentHashes::shared();
    vae_fingerprint_ = latent_fingerprint(model, hashes, progress);
    text_fingerprint_ = text_fingerprint(model, hashes, progress);
  }
  latent_factor_ = model.latent_factor();
  latent_channels_ = model.latent_channels();
  latent_gain_.clear();
  latent_shift_.clear();
  for (std::size_t c = 0; c < static_cast<std::size_t>(latent_channels_); ++c) {
    latent_gain_.push_back(static_cast<float>(model.vae_config().latent_gain(c)));
    latent_shift_.push_back(static_cast<float>(model.vae_config().latent_shift(c)));
  }
  objective_ = model_objective(model.source(), preset_);
}

std::vector<bool> TrainingData::flips_of(std::size_t item) const {
  return preset_.data.flip && item < dataset_.items.size() ? std::vector<bool>{false, true}
                                                           : std::vector<bool>{false};
}

EncodeWork TrainingData::missing(const DiffusionModel& model, Look look, const Progress& progress) {
  identify(model, progress);
  const auto there = [&](const std::string& key, const std::string& source, bool on_disk) {
    return look == Look::whole ? have(key, source, on_disk) : listed(key, on_disk);
  };
  EncodeWork work;
  const std::size_t total = dataset_.items.size() + validation_.size();
  for (std::size_t i = 0; i < total; ++i) {
    const ImageItem& item = item_at(i);
    const std::vector<bool> flips = flips_of(i);
    const Bucket bucket = placement_of(item).bucket;
    const bool cached =
        !trains_vae(preset_) && std::all_of(flips.begin(), flips.end(), [&](bool flipped) {
          return there(latent_key(item, flipped), item.name, true);
        });
    if (!cached && bucket.width * bucket.height > work.width * work.height) {
      work.width = bucket.width;
      work.height = bucket.height;
    }
    report(progress, RunPhase::scanning, i + 1, total);
  }
  const std::set<std::string> all = texts();
  const bool on_disk = preset_.data.cache == CacheMode::all;
  work.texts = !train_text_ && !trains_vae(preset_) &&
               std::any_of(all.begin(), all.end(), [&](const std::string& caption) {
                 return !there(text_key(caption), caption_name(caption), on_disk);
               });
  return work;
}

void TrainingData::encode(Kernels& kernels, DiffusionModel& model, const Progress& progress) {
  identify(model, progress);
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
  std::vector<WantedPicture> wanted;
  const std::size_t total = dataset_.items.size() + validation_.size();
  for (std::size_t i = 0; i < total; ++i) {
    const ImageItem& item = item_at(i);
    WantedPicture w{i, {}, false, {}};
    for (const bool flipped : flips_of(i)) {
      if (!have(latent_key(item, flipped), item.name, true)) {
        w.flips.push_back(flipped);
      }
    }
    w.mask = has_mask(item) && !have(mask_key(item), item.name, true);
    if (!w.flips.empty() || w.mask) {
      wanted.push_back(std::move(w));
    }
    report(progress, RunPhase::scanning, i + 1, total);
  }
  const auto cut = [this](std::size_t index, bool image, bool mask) {
    const ImageItem& item = item_at(index);
    const Placement placement = placement_of(item);
    CutPicture made;
    if (image) {
      made.image = cut_picture(item.path, placement);
    }
    if (mask) {
      made.mask = load_mask(item, preset_.data.masks, placement, latent_factor_);
    }
    return made;
  };
  LatentEncoder encoder(kernels, model);
  std::vector<std::pair<std::size_t, Message>> rejected;
  // While one picture is encoded, the next are read and cut, each by a thread of its own.
  const std::size_t ahead = std::max(1U, std::thread::hardware_concurrency());
  std::size_t started = 0;
  for (std::size_t n = 0; n < wanted.size(); ++n) {
    for (; started < std::min(wanted.size(), n + ahead); ++started) {
      WantedPicture& next = wanted[started];
      // Deferred to get() where the system has no thread for it.
      next.cut = std::async(std::launch::async | std::launch::deferred, cut, next.item,
                            !next.flips.empty(), next.mask);
    }
    const ImageItem& item = item_at(wanted[n].item);
    try {
      CutPicture made = wanted[n].cut.get();
      Image& image = made.image;
      if (!image.notice.empty()) {
        notice_(1, message<"{path}: {notice}">(item.name, image.notice));
      }
      if (made.mask) {
        keep(mask_key(item), item.name, {{"mask", std::move(*made.mask)}}, true);
      }
      bool mirrored = false;
      for (const bool flipped : wanted[n].flips) {
        if (flipped != mirrored) {
          mirror(image);
          mirrored = flipped;
        }
        LatentMoments latent = encoder.encode(image);
        keep(latent_key(item, flipped), item.name,
             {{"mean", std::move(latent.mean)}, {"std", std::move(latent.std)}}, true);
      }
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::input) {
        throw;
      }
      rejected.emplace_back(wanted[n].item, e.message());
    }
    report(progress, RunPhase::caching, n + 1, wanted.size());
  }
  reject(rejected);
}

void TrainingData::reject(const std::vector<std::pair<std::size_t, Message>>& items) {
  if (items.empty()) {
    return;
  }
  for (auto it = items.rbegin(); it != items.rend(); ++it) {
    notice_(2, message<"skipped: {reason}">(it->second));
    if (it->first < dataset_.items.size()) {
      dataset_.reject(it->first, it->second);
      continue;
    }
    const auto held =
        validation_.begin() + static_cast<std::ptrdiff_t>(it->first - dataset_.items.size());
    dataset_.report.skipped.push_back({held->path, it->second});
    --dataset_.report.held_out;
    validation_.erase(held);
  }
  if (dataset_.report.images == 0) {
    throw Error(message<"no image could be read. The first: {reason}">(items.front().second));
  }
  sort_into_buckets();
}

std::set<std::string> TrainingData::captions() const {
  std::set<std::string> captions;
  const Preset::Data& d = preset_.data;
  for (const ImageItem& item : dataset_.items) {
    if (!d.shuffle_captions || !can_shuffle(item.caption, d.keep_tokens, d.weighted_captions)) {
      captions.insert(item.caption);
    }
  }
  for (const ImageItem& item : validation_) {
    captions.insert(item.caption);
  }
  if (d.caption_dropout > 0) {
    captions.insert("");
  }
  return captions;
}

std::set<std::string> TrainingData::texts() const {
  std::set<std::string> all = captions();
  for (const SamplePrompt& prompt : preset_.samples.prompts) {
    all.insert({prompt.prompt, prompt.negative});
  }
  return all;
}

TextEncoding TrainingData::text(const std::string& caption) const {
  return load(text_key(caption), "text \"" + caption.substr(0, 60) + "\"");
}

std::string TrainingData::caption_in(std::int64_t epoch, std::size_t index) const {
  const Preset::Data& d = preset_.data;
  const std::string& caption = dataset_.items[index].caption;
  return d.shuffle_captions
             ? shuffled_caption(caption, d.keep_tokens, d.weighted_captions,
                                random_key(static_cast<std::uint64_t>(preset_.training.seed),
                                           RandomStream::caption_order,
                                           static_cast<std::uint64_t>(epoch), index))
             : caption;
}

void TrainingData::read_captions_with(Kernels& kernels, DiffusionModel& model, Arena& arena) {
  if (preset_.data.shuffle_captions && !trains_vae(preset_)) {
    reader_ = &model;
    if (reads_captions_live(preset_)) {
      live_text_ = std::make_unique<TextEncoder>(kernels, model, &arena);
    }
  }
}

void TrainingData::encode_texts(Kernels& kernels, DiffusionModel& model, const Progress& progress) {
  known_texts_ = texts();
  const std::set<std::string>& all = known_texts_;
  const bool on_disk = preset_.data.cache == CacheMode::all;
  std::optional<TextEncoder> encoder;
  std::size_t done = 0;
  for (const std::string& caption : all) {
    const std::string key = text_key(caption);
    const std::string source = caption_name(caption);
    if (!have(key, source, on_disk)) {
      if (!encoder) {
        encoder.emplace(kernels, model);
      }
      keep(key, source, encoder->encode(caption), on_disk);
    }
    report(progress, RunPhase::caching_text, ++done, all.size());
  }
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
  std::vector<std::pair<std::size_t, Message>> rejected;
  for (std::size_t i = 0; i < dataset_.items.size(); ++i) {
    try {
      const Image image = picture(i);
      if (!image.notice.empty()) {
        notice_(1, message<"{path}: {notice}">(dataset_.items[i].name, image.notice));
      }
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::input) {
        throw;
      }
      rejected.emplace_back(i, e.message());
    }
    report(progress, RunPhase::reading, i + 1, dataset_.items.size());
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
        draws_.draw(kernels, in.height * in.width * in.channels,
                    random_key(static_cast<std::uint64_t>(preset_.training.seed), RandomStream::vae,
                               static_cast<std::uint64_t>(micro_step), b));
    in.noise.insert(in.noise.end(), noise.begin(), noise.end());
  }
  return in;
}

}  // namespace mantissa
