// EncodedDataset: finding and encoding what isn't cached.
#include <algorithm>
#include <future>
#include <optional>
#include <thread>

#include "engine/core/error.h"
#include "engine/data/encoded_dataset.h"
#include "engine/data/masks.h"
#include "engine/programs/text_encoding.h"

namespace mantissa {
namespace {

/// Its name in messages.
std::string caption_name(const std::string& caption) {
  return "caption \"" + caption.substr(0, 60) + "\"";
}

void report(const Progress& progress, RunPhase phase, std::size_t done, std::size_t total) {
  if (progress) {
    progress(phase, static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
  }
}

/// Runs `use`, which reads image `index`; adds the image to `rejected` if it can't be used.
template <typename Use>
void use_or_reject(std::size_t index, std::vector<RejectedImage>& rejected, Use&& use) {
  try {
    use();
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::input) {
      throw;
    }
    rejected.push_back({index, skip_kind(e), e.message()});
  }
}

/// Of one encoded caption.
std::uint64_t text_bytes(const DiffusionModel& model) {
  std::int64_t values = 0;
  for (const auto& [name, shape] : model.text_shapes(model.text_tokens())) {
    values += shape.count();
  }
  return static_cast<std::uint64_t>(values) * sizeof(float);
}

}  // namespace

std::uint64_t LatentFormat::bytes(const Bucket& bucket) const {
  const std::int64_t positions = std::int64_t{bucket.width / factor} * (bucket.height / factor);
  return static_cast<std::uint64_t>(2 * channels * positions) * sizeof(float);
}

/// A version of an image whose latents (plain or mirrored) or mask must be encoded.
struct EncodedDataset::Wanted {
  /// Input for its uncached encodings.
  struct Cut {
    Image image;
    std::optional<HostTensor> mask;
  };
  std::size_t index = 0;
  ImageVersion version;
  std::vector<bool> flips;
  bool mask = false;
  bool first = true;  ///< of its image's versions: it reports what is odd about the file
  std::future<Cut> cut;
};

EncodeWork EncodedDataset::missing(const DiffusionModel& model, Look look,
                                   const Progress& progress) {
  identify(model, progress);
  const auto there = [&](const EncodingEntry& entry) {
    return look == Look::whole ? store_.has(entry) : store_.lists(entry);
  };
  EncodeWork work;
  const auto add_bytes = [&](const EncodingEntry& entry, std::uint64_t bytes) {
    work.cache_bytes += store_.has_disk() && entry.on_disk ? bytes : 0;
  };
  for (std::size_t i = 0; i < images_.count(); ++i) {
    const Bucket bucket = images_.placement(images_.item(i)).bucket;
    bool cached = !trains_vae(preset());
    for (const EncodingEntry& entry : cached ? latent_entries(i) : std::vector<EncodingEntry>{}) {
      if (!there(entry)) {
        cached = false;
        add_bytes(entry, format_.bytes(bucket));
      }
    }
    if (!cached && bucket.width * bucket.height > work.width * work.height) {
      work.width = bucket.width;
      work.height = bucket.height;
    }
    report(progress, RunPhase::scanning, i + 1, images_.count());
  }
  if (!trains_text(preset()) && !trains_vae(preset())) {
    const std::uint64_t bytes = text_bytes(model);
    for (const std::string& caption : captions_and_prompts()) {
      const EncodingEntry entry = text_entry(caption, caption_name(caption));
      if (!there(entry)) {
        work.texts = true;
        add_bytes(entry, bytes);
      }
    }
  }
  return work;
}

std::vector<EncodingEntry> EncodedDataset::latent_entries(std::size_t index) const {
  std::vector<EncodingEntry> entries;
  std::set<std::string> keys;  // versions may be equal
  for (const ImageVersion& version : versions(index)) {
    for (const bool flipped : flips(index)) {
      EncodingEntry entry = latent_entry(images_.item(index), version, flipped);
      if (keys.insert(entry.key).second) {
        entries.push_back(std::move(entry));
      }
    }
  }
  return entries;
}

void EncodedDataset::encode(Kernels& kernels, DiffusionModel& model, const Progress& progress) {
  identify(model, progress);
  if (trains_vae(preset())) {
    read_images(progress);
    return;
  }
  encode_images(kernels, model, progress);
  if (trains_text(preset())) {
    for (const std::string& caption : captions()) {
      tokens_[caption] = model.tokenize(caption);
    }
  } else {
    encode_texts(kernels, model, progress);
  }
}

std::vector<EncodedDataset::Wanted> EncodedDataset::wanted_images(const Progress& progress) {
  std::vector<Wanted> wanted;
  for (std::size_t i = 0; i < images_.count(); ++i) {
    add_wanted(i, wanted);
    report(progress, RunPhase::scanning, i + 1, images_.count());
  }
  return wanted;
}

void EncodedDataset::add_wanted(std::size_t index, std::vector<Wanted>& wanted) {
  const ImageItem& item = images_.item(index);
  std::set<std::string> keys;  // versions may be equal, or differ in their colours only
  const auto missing = [&](const EncodingEntry& entry) {
    return keys.insert(entry.key).second && !store_.has(entry);
  };
  bool first = true;
  for (const ImageVersion& version : versions(index)) {
    Wanted w{index, version, {}, false, first, {}};
    for (const bool flipped : flips(index)) {
      if (missing(latent_entry(item, version, flipped))) {
        w.flips.push_back(flipped);
      }
    }
    w.mask = images_.has_mask(item) && missing(mask_entry(item, version));
    if (!w.flips.empty() || w.mask) {
      wanted.push_back(std::move(w));
      first = false;
    }
  }
}

void EncodedDataset::encode_images(Kernels& kernels, DiffusionModel& model,
                                   const Progress& progress) {
  std::vector<Wanted> wanted = wanted_images(progress);
  const auto cut = [this](std::size_t index, const ImageVersion& version, bool image, bool mask) {
    const ImageItem& item = images_.item(index);
    Wanted::Cut made;
    if (image) {
      made.image = cut_image(item.path, version);
    }
    if (mask) {
      made.mask = load_mask(item, preset().data.masks, version.placement, format_.factor);
    }
    return made;
  };
  LatentEncoder encoder(kernels, model);
  std::vector<RejectedImage> rejected;
  // While one image is encoded, the next are read and cropped, each on its own thread.
  const std::size_t ahead = std::max(1U, std::thread::hardware_concurrency());
  std::size_t started = 0;
  for (std::size_t n = 0; n < wanted.size(); ++n) {
    for (; started < std::min(wanted.size(), n + ahead); ++started) {
      Wanted& next = wanted[started];
      // Deferred to get() if the system can't start a thread.
      next.cut = std::async(std::launch::async | std::launch::deferred, cut, next.index,
                            next.version, !next.flips.empty(), next.mask);
    }
    if (!rejected.empty() && rejected.back().index == wanted[n].index) {
      wanted[n].cut.wait();  // rejected in another version; its thread still uses the images
    } else {
      use_or_reject(wanted[n].index, rejected, [&] { encode_image(wanted[n], encoder); });
    }
    report(progress, RunPhase::caching, n + 1, wanted.size());
  }
  images_.reject(rejected);
}

void EncodedDataset::encode_image(Wanted& wanted, LatentEncoder& encoder) {
  const ImageItem& item = images_.item(wanted.index);
  Wanted::Cut made = wanted.cut.get();
  Image& image = made.image;
  if (wanted.first && !image.notice.empty()) {
    notice_(1, message<"{path}: {notice}">(item.name, image.notice));
  }
  if (made.mask) {
    store_.keep(mask_entry(item, wanted.version), {{"mask", std::move(*made.mask)}});
  }
  bool mirrored = false;
  for (const bool flipped : wanted.flips) {
    if (flipped != mirrored) {
      mirror(image);
      mirrored = flipped;
    }
    LatentMoments latent = encoder.encode(image);
    store_.keep(latent_entry(item, wanted.version, flipped),
                {{"mean", std::move(latent.mean)}, {"std", std::move(latent.std)}});
  }
}

void EncodedDataset::encode_texts(Kernels& kernels, DiffusionModel& model,
                                  const Progress& progress) {
  texts_ = captions_and_prompts();
  std::optional<TextEncoder> encoder;
  std::size_t done = 0;
  for (const std::string& caption : texts_) {
    const EncodingEntry entry = text_entry(caption, caption_name(caption));
    if (!store_.has(entry)) {
      if (!encoder) {
        encoder.emplace(kernels, model);
      }
      store_.keep(entry, encoder->encode(caption));
    }
    report(progress, RunPhase::caching_text, ++done, texts_.size());
  }
}

void EncodedDataset::read_images(const Progress& progress) {
  std::vector<RejectedImage> rejected;
  const std::vector<ImageItem>& items = images_.dataset().items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    use_or_reject(i, rejected, [&] {
      const Image read = image(i, 0);
      if (!read.notice.empty()) {
        notice_(1, message<"{path}: {notice}">(items[i].name, read.notice));
      }
    });
    report(progress, RunPhase::reading, i + 1, items.size());
  }
  if (!rejected.empty()) {
    shelf_.clear();  // indices change
  }
  images_.reject(rejected);
}

}  // namespace mantissa
