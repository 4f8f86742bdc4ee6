#include "engine/io/family.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/preset/names.h"

namespace mantissa {

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
    if (family->id == id) {
      return *family;
    }
  }
  throw Error(Message::verbatim("nothing is known of the model family '" +
                                std::string(enum_name(id)) + "'"));
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

std::shared_ptr<const ModelNames> recognise(const ModelFiles& files) {
  for (const Family* family : families()) {
    if (auto names = family->recognise(files)) {
      return names;
    }
  }
  return nullptr;
}

}  // namespace mantissa
