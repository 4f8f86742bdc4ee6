// EncodedDataset: finding and encoding what isn't cached.
#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <thread>

#include "engine/core/error.h"
#include "engine/data/encoded_dataset.h"
#include "engine/data/finite_encoding.h"
#include "engine/data/masks.h"
#include "engine/io/input_file.h"

namespace mantissa {
namespace {

void report(const Progress& progress, RunPhase phase, std::size_t done, std::size_t total) {
  if (progress) {
    progress(phase, static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
  }
}

/// Reports between the ops of one long encoding, so that a cancelled one ends at once: where ops
/// run on the host. `done` is read each time.
std::function<void()> while_encoding(const Kernels& kernels, const Progress& progress,
                                     RunPhase phase, const std::size_t& done, std::size_t total) {
  if (!progress || !kernels.host_memory()) {
    return {};
  }
  return [&, phase, total, last = std::chrono::steady_clock::time_point{}]() mutable {
    constexpr std::chrono::milliseconds kGap{200};
    if (const auto now = std::chrono::steady_clock::now(); now - last >= kGap) {
      last = now;
      report(progress, phase, done, total);
    }
  };
}

/// Runs `use`, which reads image `index`, `item`; adds the image to `rejected` if it can't be used.
/// One that has changed is none of those: the run was planned with it. Then throws InputChanged.
template <typename Use>
void use_or_reject(std::size_t index, const ImageItem& item, std::vector<RejectedImage>& rejected,
                   Use&& use) {
  try {
    use();
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::input) {
      throw;
    }
    item.require_unchanged();
    if (!item.mask_hash.empty()) {
      item.require_unchanged_mask();
    }
    item.require_unchanged_references();
    if (dynamic_cast<const InputChanged*>(&e) != nullptr) {
      throw;
    }
    rejected.push_back({index, skip_kind(e), e.message()});
  }
}

/// Bytes of one encoded caption on disk.
std::uint64_t text_bytes(DiffusionModel& model) {
  const std::map<std::string, DType> types = text_types(model);
  std::uint64_t bytes = 0;
  for (const auto& [name, shape] : model.text_shapes(model.text_tokens())) {
    const std::size_t each = types.contains(name) ? 2 : sizeof(float);
    bytes += static_cast<std::uint64_t>(shape.count()) * each;
  }
  return bytes;
}

}  // namespace

/// A version of an image, or of one of its references, whose latents (plain or mirrored) or mask
/// must be encoded.
/// Input of an image's uncached encodings.
struct EncodedDataset::Cut {
  Image image;
  std::optional<HostTensor> mask;
};

struct EncodedDataset::Wanted {
  std::size_t index = 0;
  ImageVersion version;
  const ReferenceImage* reference = nullptr;  ///< null: the image itself
  std::vector<bool> flips;
  bool mask = false;
  bool first = true;  ///< of its image's versions: it reports what is odd about the file
  std::future<Cut> cut;
};

EncodeWork EncodedDataset::missing(DiffusionModel& model, Look look, const Progress& progress) {
  identify(model, progress);
  const auto there = [&](const EncodingEntry& entry) {
    return look == Look::whole ? store_.has(entry) : store_.lists(entry);
  };
  EncodeWork work;
  const auto add_bytes = [&](const EncodingEntry& entry, std::uint64_t bytes) {
    work.cache_bytes += store_.has_disk() && entry.on_disk ? bytes : 0;
  };
  const auto take = [&work](const Bucket& size) {
    if (size.width * size.height > work.width * work.height) {
      work.width = size.width;
      work.height = size.height;
    }
  };
  for (std::size_t i = 0; i < images_.count(); ++i) {
    if (trains_vae(preset())) {
      std::ranges::for_each(images_.sizes(images_.item(i)), take);
    } else {
      for (const auto& [entry, size] : latent_entries(i)) {
        if (!there(entry)) {
          add_bytes(entry, format_.bytes(size));
          take(size);
        }
      }
    }
    report(progress, RunPhase::scanning, i + 1, images_.count());
  }
  for (const std::vector<ReferenceImage>& prompt : images_.prompts()) {
    std::vector<LatentSize>& sizes = work.references.emplace_back();
    const std::vector<ImageVersion> versions = images_.alone(prompt);
    for (std::size_t i = 0; i < prompt.size(); ++i) {
      const Bucket& size = versions[i].placement.bucket;
      sizes.push_back(format_.size_of(size));
      if (const EncodingEntry entry = latent_entry(prompt[i], versions[i], false); !there(entry)) {
        add_bytes(entry, format_.bytes(size));
        take(size);
      }
    }
  }
  if (!trains_text(preset()) && !trains_vae(preset())) {
    std::optional<std::uint64_t> bytes;
    std::set<std::string> keys;  // some may be equal
    work.beside_texts.clear();
    for (const Text& text : texts()) {
      const EncodingEntry entry = text_entry(text);
      if (keys.insert(entry.key).second && !there(entry)) {
        work.texts = true;
        work.beside_texts.insert(sizes_beside(text));
        bytes = bytes ? *bytes : text_bytes(model);
        add_bytes(entry, *bytes);
      }
    }
  }
  return work;
}

std::vector<std::pair<EncodingEntry, Bucket>> EncodedDataset::latent_entries(
    std::size_t index) const {
  std::vector<std::pair<EncodingEntry, Bucket>> entries;
  std::set<std::string> keys;  // versions may be equal
  const auto add = [&](EncodingEntry entry, const ImageVersion& version) {
    if (keys.insert(entry.key).second) {
      entries.emplace_back(std::move(entry), version.placement.bucket);
    }
  };
  const ImageItem& item = images_.item(index);
  for (const ImageVersion& version : versions(index)) {
    const std::vector<ImageVersion> beside = images_.references(item, version);
    for (const bool flipped : flips(index)) {
      add(latent_entry(item, version, flipped), version);
      for (std::size_t r = 0; r < beside.size(); ++r) {
        add(latent_entry(item.references[r], beside[r], flipped), beside[r]);
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
  images_.reject(encode_images(kernels, model, progress));
  encode_prompt_references(kernels, model);
  if (trains_text(preset())) {
    for (const std::string& caption : captions()) {
      tokens_[caption] = model.tokenize(caption);
    }
  } else {
    encode_texts(kernels, model, progress);
  }
}

void EncodedDataset::encode_again(Kernels& kernels, DiffusionModel& model) {
  store_.forget_read();
  if (const auto rejected = encode_images(kernels, model, {}); !rejected.empty()) {
    throw Error(rejected.front().reason);
  }
  encode_prompt_references(kernels, model);
  if (!trains_text(preset())) {
    encode_texts(kernels, model, {});
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
    Wanted w{index, version, nullptr, {}, false, first, {}};
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
    const std::vector<ImageVersion> beside = images_.references(item, version);
    for (std::size_t r = 0; r < beside.size(); ++r) {
      Wanted reference{index, beside[r], &item.references[r], {}, false, false, {}};
      for (const bool flipped : flips(index)) {
        if (missing(latent_entry(item.references[r], beside[r], flipped))) {
          reference.flips.push_back(flipped);
        }
      }
      if (!reference.flips.empty()) {
        wanted.push_back(std::move(reference));
      }
    }
  }
}

std::vector<RejectedImage> EncodedDataset::encode_images(Kernels& kernels, DiffusionModel& model,
                                                         const Progress& progress) {
  std::vector<Wanted> wanted = wanted_images(progress);
  LatentEncoder encoder(kernels, model);
  std::size_t done = 0;
  encoder.set_between(while_encoding(kernels, progress, RunPhase::caching, done, wanted.size()));
  return cut_images(wanted, RunPhase::caching, progress, [&](const Wanted& w, Cut& cut) {
    done = static_cast<std::size_t>(&w - wanted.data());
    encode_image(w, cut, encoder);
  });
}

std::vector<RejectedImage> EncodedDataset::cut_images(
    std::vector<Wanted>& wanted, RunPhase phase, const Progress& progress,
    const std::function<void(const Wanted&, Cut&)>& use) {
  const auto cut = [this](std::size_t index, const ImageVersion& version,
                          const ReferenceImage* reference, bool image, bool mask) {
    const ImageItem& item = images_.item(index);
    Cut made;
    if (reference != nullptr) {
      made.image = cut_image(reference->path, version);
      reference->require_unchanged();
      return made;
    }
    if (image) {
      made.image = cut_image(item.path, version);
    }
    if (mask) {
      made.mask = load_mask(item, preset().data.masks, version.placement, format_.factor);
    }
    if (mask && preset().data.masks == MaskMode::files) {
      item.require_unchanged_mask();
    }
    item.require_unchanged();
    return made;
  };
  std::vector<RejectedImage> rejected;
  if (!wanted.empty()) {
    report(progress, phase, 0, wanted.size());  // the first may take long
  }
  // While one image is used, the next are read and cropped, each on its own thread.
  const std::size_t ahead = std::max(1U, std::thread::hardware_concurrency());
  std::size_t started = 0;
  for (std::size_t n = 0; n < wanted.size(); ++n) {
    for (; started < std::min(wanted.size(), n + ahead); ++started) {
      Wanted& next = wanted[started];
      // Deferred to get() if the system can't start a thread.
      next.cut = std::async(std::launch::async | std::launch::deferred, cut, next.index,
                            next.version, next.reference, !next.flips.empty(), next.mask);
    }
    if (!rejected.empty() && rejected.back().index == wanted[n].index) {
      wanted[n].cut.wait();  // rejected in another version; its thread still uses the images
    } else {
      std::optional<Cut> made;
      use_or_reject(wanted[n].index, images_.item(wanted[n].index), rejected,
                    [&] { made = wanted[n].cut.get(); });
      if (made) {
        use(wanted[n], *made);  // what fails from here on isn't the image's fault
      }
    }
    report(progress, phase, n + 1, wanted.size());
  }
  return rejected;
}

void EncodedDataset::encode_image(const Wanted& wanted, Cut& cut, LatentEncoder& encoder) {
  const ImageItem& item = images_.item(wanted.index);
  Image& image = cut.image;
  tell_image(wanted, image);
  if (cut.mask) {
    tell_mask(wanted, *cut.mask);
    keep(mask_entry(item, wanted.version), {{"mask", std::move(*cut.mask)}}, {{}, "mask", base_});
  }
  bool mirrored = false;
  for (const bool flipped : wanted.flips) {
    if (flipped != mirrored) {
      mirror(image);
      mirrored = flipped;
    }
    encode_latents(entry_of(wanted, flipped), image, encoder);
  }
}

EncodingEntry EncodedDataset::entry_of(const Wanted& wanted, bool flipped) const {
  return wanted.reference != nullptr
             ? latent_entry(*wanted.reference, wanted.version, flipped)
             : latent_entry(images_.item(wanted.index), wanted.version, flipped);
}

void EncodedDataset::encode_latents(const EncodingEntry& entry, const Image& image,
                                    LatentEncoder& encoder) {
  LatentMoments latent = encoder.encode(image);
  keep(entry, {{"mean", std::move(latent.mean)}, {"std", std::move(latent.std)}},
       {{}, "latents", base_});
}

void EncodedDataset::encode_prompt_references(Kernels& kernels, DiffusionModel& model) {
  LatentEncoder encoder(kernels, model);
  for (const std::vector<ReferenceImage>& prompt : images_.prompts()) {
    const std::vector<ImageVersion> versions = images_.alone(prompt);
    for (std::size_t i = 0; i < prompt.size(); ++i) {
      const EncodingEntry entry = latent_entry(prompt[i], versions[i], false);
      if (!store_.has(entry)) {
        const Image image = cut_image(prompt[i].path, versions[i]);
        prompt[i].require_unchanged();
        encode_latents(entry, image, encoder);
      }
    }
  }
}

void EncodedDataset::tell_mask(const Wanted& wanted, const HostTensor& mask) const {
  if (wanted.first && std::ranges::all_of(mask.data, [](float value) { return value == 0; })) {
    notice_(LogLevel::warning,
            message<"{path}: its mask is black all over the part that is trained, which counts for "
                    "no more than data.unmasked_weight">(images_.item(wanted.index).name));
  }
}

void EncodedDataset::tell_image(const Wanted& wanted, const Image& image) const {
  if (wanted.first) {
    tell_image(images_.item(wanted.index), image);
  }
}

void EncodedDataset::tell_image(const ImageItem& item, const Image& image) const {
  if (!image.notice.empty() && image.notice != item.notice) {
    notice_(LogLevel::info, message<"{path}: {notice}">(item.name, image.notice));
  }
}

void EncodedDataset::decode(DiffusionModel& model, const Progress& progress) {
  identify(model, progress);
  std::vector<Wanted> wanted;
  if (trains_vae(preset())) {
    const std::vector<ImageItem>& items = images_.dataset().items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Bucket size = images_.sizes(items[i]).front();
      wanted.push_back({i, images_.version(items[i], size, 0), nullptr, {false}, false, true, {}});
    }
  } else {
    wanted = wanted_images(progress);
  }
  images_.reject(cut_images(wanted, RunPhase::reading, progress, [this](const Wanted& w, Cut& cut) {
    tell_image(w, cut.image);
    if (cut.mask) {
      tell_mask(w, *cut.mask);
    }
  }));
}

void EncodedDataset::keep(const EncodingEntry& entry, std::map<std::string, HostTensor> tensors,
                          const EntryForm& form) {
  for (auto& [file, stamp] : model_files_) {
    require_unchanged(file, stamp, {});
  }
  require_finite(preset(), entry.source, form.kind, tensors);
  store_.keep(entry, std::move(tensors), form);
}

void EncodedDataset::encode_texts(Kernels& kernels, DiffusionModel& model,
                                  const Progress& progress) {
  texts_ = captions_and_prompts();
  const std::vector<Text> wanted = texts();
  std::optional<TextEncoder> encoder;
  EntryForm form;
  std::size_t done = 0;
  for (const Text& text : wanted) {
    const EncodingEntry entry = text_entry(text);
    if (!store_.has(entry)) {
      if (!encoder) {
        form = {text_types(model), "text", base_};
        encoder.emplace(kernels, model);
        encoder->set_between(
            while_encoding(kernels, progress, RunPhase::caching_text, done, wanted.size()));
      }
      keep(entry, encoder->encode(text.caption, images_beside(text)), form);
    }
    report(progress, RunPhase::caching_text, ++done, wanted.size());
  }
}

void EncodedDataset::read_images(const Progress& progress) {
  std::vector<RejectedImage> rejected;
  const std::vector<ImageItem>& items = images_.dataset().items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    use_or_reject(i, items[i], rejected,
                  [&] { tell_image(items[i], image(i, images_.sizes(items[i]).front(), 0)); });
    report(progress, RunPhase::reading, i + 1, items.size());
  }
  if (!rejected.empty()) {
    shelf_.clear();  // indices change
  }
  images_.reject(rejected);
}

}  // namespace mantissa
