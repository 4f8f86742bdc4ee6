// EncodedDataset: keys of encodings, and reading them back.
#include "engine/data/encoded_dataset.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/core/paths.h"
#include "engine/data/cut_captions.h"
#include "engine/data/preserved_caption.h"
#include "engine/data/tags.h"
#include "engine/io/clip_text.h"
#include "engine/io/content_hashes.h"
#include "engine/io/input_file.h"
#include "engine/io/mapped_file.h"
#include "engine/programs/encoding_fingerprint.h"

namespace mantissa {
namespace {

std::optional<TensorCache> tensor_cache(const Preset& preset, const DataNotice& notice) {
  if (preset.data.cache == CacheMode::none) {
    return std::nullopt;
  }
  return TensorCache(cache_dir() / "tensors",
                     [notice](const Message& text) { notice(LogLevel::warning, text); });
}

/// Its name in messages.
std::string caption_name(const std::string& caption) {
  return "caption \"" + caption.substr(0, 60) + "\"";
}

/// The files that encodings depend on, as they were opened.
std::vector<std::pair<std::filesystem::path, FileStamp>> stamped_files(const WeightSource& source) {
  std::vector<std::pair<std::filesystem::path, FileStamp>> files;
  for (const std::filesystem::path& file : source.files()) {
    const std::optional<FileStamp> stamp = mapped_stamp(file);
    if (!stamp) {
      throw InputChanged(file);
    }
    files.emplace_back(file, *stamp);
  }
  for (const Part part : source.family().text_parts()) {
    for (const std::filesystem::path& file : source.tokenizer_files(part)) {
      files.emplace_back(file, file_stamp(file));
    }
  }
  return files;
}

}  // namespace

EncodedDataset::EncodedDataset(const Preset& preset, const SetFolders& folders, int quantum,
                               const DataNotice& notice, const Progress& progress,
                               const ReferenceRule& references)
    : EncodedDataset(BucketedImages(preset, folders, quantum, notice, progress, references),
                     notice) {
  if (store_.has_disk()) {
    use_ = std::make_shared<const CacheUse>(cache_dir());
  }
}

EncodedDataset::EncodedDataset(BucketedImages images, const DataNotice& notice)
    : notice_(notice), images_(std::move(images)), store_(tensor_cache(preset(), notice)) {}

EncodedDataset EncodedDataset::with_preset(const Preset& preset) const {
  return EncodedDataset(images_.with_preset(preset), [](LogLevel, const Message&) {});
}

void EncodedDataset::identify(const DiffusionModel& model, const Progress& progress) {
  model_files_ = stamped_files(model.source());
  if (store_.has_disk()) {  // in-memory entries are of this model anyway
    const ContentHashes hashes = ContentHashes::shared();
    vae_fingerprint_ = latent_fingerprint(model, hashes, progress);
    text_fingerprint_ = text_fingerprint(model, hashes, progress);
    base_ = repaired_utf8(path_to_utf8(model.source().path()));
  }
  format_ = LatentFormat::of(model);
  texts_see_references_ = model.text_sees_references() && !trains_pair_slider(preset());
}

EncodingEntry EncodedDataset::latent_entry(const ImageItem& item, const ImageVersion& version,
                                           bool flipped) const {
  return {cache_key(LatentKey{item.content_hash, version.placement, flipped, vae_fingerprint_,
                              version.color}),
          item.name};
}

EncodingEntry EncodedDataset::latent_entry(const ReferenceImage& reference,
                                           const ImageVersion& version, bool flipped) const {
  return {cache_key(LatentKey{reference.content_hash, version.placement, flipped, vae_fingerprint_,
                              version.color}),
          path_to_utf8(reference.path.filename())};
}

EncodingEntry EncodedDataset::mask_entry(const ImageItem& item, const ImageVersion& version) const {
  const bool alpha = preset().data.masks == MaskMode::alpha;
  return {cache_key(MaskKey{alpha ? item.content_hash : item.mask_hash, preset().data.masks,
                            version.placement, format_.factor}),
          item.name};
}

EncodedDataset::Text EncodedDataset::text_beside(const std::string& caption, const ImageItem& item,
                                                 const ImageVersion& version, bool flipped) const {
  Text text{caption, item.name, {}, flipped};
  if (texts_see_references_) {
    const std::vector<ImageVersion> placed = images_.references(item, version);
    for (std::size_t i = 0; i < placed.size(); ++i) {
      text.references.emplace_back(&item.references[i], images_.seen(placed[i]));
    }
  }
  return text;
}

EncodedDataset::Text EncodedDataset::text_of_prompt(std::size_t prompt,
                                                    const std::string& text) const {
  Text made{text, caption_name(text)};
  if (texts_see_references_ && prompt < images_.prompts().size()) {
    const std::vector<ReferenceImage>& references = images_.prompts()[prompt];
    const std::vector<ImageVersion> placed = images_.alone(references);
    for (std::size_t i = 0; i < placed.size(); ++i) {
      made.references.emplace_back(&references[i], images_.seen(placed[i]));
    }
  }
  return made;
}

EncodingEntry EncodedDataset::text_entry(const Text& text) const {
  TextKey key{text.caption, text_fingerprint_};
  for (const auto& [reference, version] : text.references) {
    key.references.push_back(
        {reference->content_hash, version.placement, text.flipped, {}, version.color});
  }
  return {cache_key(key), text.source, preset().data.cache == CacheMode::all};
}

std::vector<LatentSize> EncodedDataset::sizes_beside(const Text& text) const {
  std::vector<LatentSize> sizes;
  for (const auto& [reference, version] : text.references) {
    sizes.push_back(format_.size_of(version.placement.bucket));
  }
  return sizes;
}

std::vector<Image> EncodedDataset::images_beside(const Text& text) const {
  std::vector<Image> images;
  for (const auto& [reference, version] : text.references) {
    images.push_back(cut_image(reference->path, version));
    reference->require_unchanged();
    if (text.flipped) {
      mirror(images.back());
    }
  }
  return images;
}

std::vector<EncodedDataset::Text> EncodedDataset::texts() const {
  std::vector<Text> all;
  if (!texts_see_references_) {
    for (const std::string& caption : captions_and_prompts()) {
      all.push_back({caption, caption_name(caption)});
    }
    return all;
  }
  for (std::size_t i = 0; i < images_.count(); ++i) {
    for (const ImageVersion& version : versions(i)) {
      for (const bool flipped : flips(i)) {
        for (const std::string& caption : captions_of(i)) {
          all.push_back(text_beside(caption, images_.item(i), version, flipped));
        }
      }
    }
  }
  const std::vector<SamplePrompt>& prompts = preset().samples.prompts;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    all.push_back(text_of_prompt(i, prompts[i].prompt));
    all.push_back(text_of_prompt(i, prompts[i].negative));
  }
  return all;
}

std::vector<ImageVersion> EncodedDataset::versions(std::size_t index) const {
  const ImageItem& item = images_.item(index);
  if (!images_.trained(index)) {
    return {{images_.placement(item)}};
  }
  std::vector<ImageVersion> all;
  for (const Bucket& size : images_.sizes(item)) {
    for (int variant = 0; variant < variant_count(preset().data); ++variant) {
      all.push_back(images_.version(item, size, variant));
    }
  }
  return all;
}

std::vector<bool> EncodedDataset::flips(std::size_t index) const {
  return preset().data.flip && images_.trained(index) ? std::vector<bool>{false, true}
                                                      : std::vector<bool>{false};
}

bool EncodedDataset::shuffled(std::size_t index) const {
  const Preset::Data& d = preset().data;
  return d.shuffle_captions && images_.trained(index) &&
         can_shuffle(images_.item(index).caption, d.keep_tokens, d.weighted_captions);
}

std::set<std::string> EncodedDataset::captions_of(std::size_t index) const {
  std::set<std::string> captions;
  if (!shuffled(index)) {
    captions.insert(images_.item(index).caption);
    if (preserves(preset()) && images_.trained(index)) {
      captions.insert(preserved_caption(preset().training, images_.item(index).caption));
    }
  }
  if (preset().data.caption_dropout > 0 ||
      (preserves(preset()) && preset().training.preservation == Preservation::empty)) {
    captions.insert("");
  }
  return captions;
}

std::set<std::string> EncodedDataset::captions() const {
  std::set<std::string> captions;
  for (std::size_t i = 0; i < images_.count(); ++i) {
    captions.merge(captions_of(i));
  }
  return captions;
}

std::set<std::string> EncodedDataset::captions_and_prompts() const {
  std::set<std::string> all = captions();
  for (const SamplePrompt& prompt : preset().samples.prompts) {
    all.insert({prompt.prompt, prompt.negative});
  }
  return all;
}

std::int64_t EncodedDataset::longest_text(DiffusionModel& model) const {
  if (model.tokens_needed("") == 0) {
    return 0;
  }
  std::int64_t longest = 0;
  for (const std::string& text : captions_and_prompts()) {
    longest = std::max(longest, model.tokens_needed(text));
  }
  const Preset::Data& d = preset().data;
  for (std::size_t i = 0; i < images_.count(); ++i) {
    const std::string& caption = images_.item(i).caption;
    if (shuffled(i)) {
      // Another order may split a tag's first word differently.
      const auto tags = std::ssize(caption_tags(caption, d.weighted_captions));
      longest = std::max(longest, model.tokens_needed(caption) + tags);
      if (preserves(preset())) {
        const std::string preserved = preserved_caption(preset().training, caption);
        longest = std::max(longest, model.tokens_needed(preserved) + tags);
      }
    }
  }
  return longest;
}

void EncodedDataset::find_cut_texts(DiffusionModel& model) {
  CutTexts cut(model);
  for (std::size_t i = 0; i < images_.count(); ++i) {
    cut.add(images_.item(i).path, images_.item(i).caption);
  }
  add_prompts(cut, preset());
  if (!cut.found.files.empty()) {
    images_.note(std::move(cut.found));
  }
}

LatentMoments EncodedDataset::latents(const ImageItem& item, const ImageVersion& version,
                                      bool flipped) const {
  return moments(latent_entry(item, version, flipped));
}

LatentMoments EncodedDataset::negative(const ImageItem& item, const ImageVersion& version,
                                       bool flipped) const {
  return moments(latent_entry(item.references.at(0), version, flipped));
}

LatentMoments EncodedDataset::moments(const EncodingEntry& entry) const {
  auto tensors = store_.load(entry);
  return {std::move(tensors.at("mean")), std::move(tensors.at("std"))};
}

ReferenceLatents EncodedDataset::reference_latents(const ReferenceImage& reference,
                                                   const ImageVersion& version,
                                                   bool flipped) const {
  const auto tensors = store_.load(latent_entry(reference, version, flipped));
  return {format_.size_of(version.placement.bucket), format_.scaled(tensors.at("mean"))};
}

std::vector<ReferenceLatents> EncodedDataset::references(const ImageItem& item,
                                                         const ImageVersion& version,
                                                         bool flipped) const {
  const std::vector<ImageVersion> placed = images_.references(item, version);
  std::vector<ReferenceLatents> latents;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    latents.push_back(reference_latents(item.references[i], placed[i], flipped));
  }
  return latents;
}

std::vector<ReferenceLatents> EncodedDataset::prompt_references(std::size_t prompt) const {
  std::vector<ReferenceLatents> latents;
  if (prompt < images_.prompts().size()) {
    const std::vector<ReferenceImage>& references = images_.prompts()[prompt];
    const std::vector<ImageVersion> versions = images_.alone(references);
    for (std::size_t i = 0; i < references.size(); ++i) {
      latents.push_back(reference_latents(references[i], versions[i], false));
    }
  }
  return latents;
}

HostTensor EncodedDataset::mask(const ImageItem& item, const ImageVersion& version) const {
  return store_.load(mask_entry(item, version)).at("mask");
}

TextEncoding EncodedDataset::text(const std::string& caption) const {
  return store_.load(text_entry({caption, caption_name(caption)}));
}

TextEncoding EncodedDataset::text(const std::string& caption, const ImageItem& item,
                                  const ImageVersion& version, bool flipped) const {
  return store_.load(text_entry(text_beside(caption, item, version, flipped)));
}

TextEncoding EncodedDataset::prompt_text(std::size_t prompt, const std::string& text) const {
  return store_.load(text_entry(text_of_prompt(prompt, text)));
}

const TokenIds* EncodedDataset::tokens(const std::string& caption) const {
  const auto known = tokens_.find(caption);
  return known == tokens_.end() ? nullptr : &known->second;
}

Image EncodedDataset::read_image(std::size_t index, int number, const ImageVersion& version) const {
  const ImageItem& item = images_.dataset().items[index];
  const bool kept = shelf_.holds(index, number);
  Image image = shelf_.image(index, number, item.path, version);
  if (!kept) {
    item.require_unchanged();
  }
  return image;
}

Image EncodedDataset::image(std::size_t index, const Bucket& size, int variant) const {
  const ImageItem& item = images_.dataset().items[index];
  const std::vector<Bucket> sizes = images_.sizes(item);
  const auto place = static_cast<int>(std::ranges::find(sizes, size) - sizes.begin());
  return read_image(index, place * variant_count(preset().data) + variant,
                    images_.version(item, size, variant));
}

Image EncodedDataset::plain_image(std::size_t index) const {
  constexpr int kNoVersion = -1;
  const ImageItem& item = images_.dataset().items[index];
  return read_image(index, augments(preset().data) ? kNoVersion : 0, {images_.placement(item)});
}

}  // namespace mantissa
