#include "engine/io/family.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/glob.h"

namespace mantissa {
namespace {

/// The families that are known: the registry's, and those that a test adds.
struct KnownFamilies {
  std::vector<const Family*> listed;      ///< in the order of lists
  std::vector<const Family*> recognised;  ///< in the order in which files are recognised
  std::vector<const FamilyRow*> rows;     ///< of `listed`

  KnownFamilies() {
    const auto registered = registered_families();
    listed.assign(registered.begin(), registered.end());
    arrange();
  }
  void arrange() {
    recognised = listed;
    std::stable_partition(recognised.begin(), recognised.end(),
                          [](const Family* family) { return !family->recognised_last; });
    rows.clear();
    for (const Family* family : listed) {
      rows.push_back(&family->row);
    }
  }
};

KnownFamilies& known_families() {
  static KnownFamilies known;
  return known;
}

}  // namespace

std::span<const Family* const> families() {
  return known_families().recognised;
}

std::span<const FamilyRow* const> family_rows() {
  return known_families().rows;
}

AddedFamily::AddedFamily(const Family& family) : family_(family) {
  KnownFamilies& known = known_families();
  known.listed.insert(known.listed.begin(), &family_);
  known.arrange();
}

AddedFamily::~AddedFamily() {
  KnownFamilies& known = known_families();
  std::erase(known.listed, &family_);
  known.arrange();
}

Message expected_checkpoint() {
  std::vector<Message> titles;
  for (const std::string_view title : family_titles()) {
    titles.push_back(Message::verbatim(std::string(title)));
  }
  return message<
      "it holds no denoiser of a known model family; pass a complete checkpoint or a diffusers "
      "folder of one of these: {families}">(joined<", ">(std::move(titles)));
}

bool PartFiles::keeps_frozen(std::string_view below) const {
  return std::ranges::any_of(frozen,
                             [&](std::string_view glob) { return glob_match(glob, below); });
}

const PartFiles* Family::part(Part wanted) const {
  const auto found = std::find_if(parts.begin(), parts.end(),
                                  [&](const PartFiles& p) { return p.part == wanted; });
  return found == parts.end() ? nullptr : &*found;
}

std::vector<Part> Family::text_parts() const {
  std::vector<Part> text;
  for (const PartFiles& p : parts) {
    if (is_text(p.part)) {
      text.push_back(p.part);
    }
  }
  return text;
}

const Family& family_of(ModelFamily id) {
  for (const Family* family : families()) {
    if (family->id() == id) {
      return *family;
    }
  }
  throw Error(
      Message::verbatim("nothing is known of the model family '" + std::string(id.name()) + "'"));
}

std::vector<Part> known_parts() {
  std::vector<Part> known;
  for (const Family* family : families()) {
    for (const PartFiles& files : family->parts) {
      if (std::find(known.begin(), known.end(), files.part) == known.end()) {
        known.push_back(files.part);
      }
    }
  }
  return known;
}

std::string_view ModelNames::comfyui(Part part) const {
  const PartFiles* files = family().part(part);
  if (files == nullptr) {
    return {};
  }
  const bool other = std::ranges::find(other_encoders_, part) != other_encoders_.end();
  return other ? files->other_encoder.comfyui : files->comfyui;
}

void ModelNames::note_encoders(const ModelFiles& files) {
  for (const PartFiles& part : family().parts) {
    const std::int64_t width = part.other_encoder.width;
    const auto is_table = [&](std::optional<Part> folder, const TensorInfo& tensor) {
      if (tensor.dims.size() != 2 || tensor.dims[1] != width ||
          tensor.name.find("embed") == std::string::npos) {
        return false;
      }
      const auto weight = canonical(folder, tensor);
      return weight && weight->part == part.part && weight->names.size() == 1 &&
             (weight->names[0].ends_with("embed_tokens.weight") ||
              weight->names[0].ends_with("token_embedding.weight"));
    };
    if (width > 0 && files.any(is_table)) {
      other_encoders_.push_back(part.part);
    }
  }
}

std::shared_ptr<const ModelNames> recognise(const ModelFiles& files) {
  for (const Family* family : families()) {
    if (auto names = family->recognise(files)) {
      return names;
    }
  }
  return nullptr;
}

}  // namespace mantissa
