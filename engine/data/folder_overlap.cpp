#include "engine/data/folder_overlap.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "engine/core/paths.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

enum class Relation { apart, same, inside, around };

fs::path real_folder(const fs::path& folder) {
  fs::path found = real_path(folder);
  return found.empty() ? fs::absolute(folder).lexically_normal() : found;
}

bool is_below(const fs::path& inner, const fs::path& outer) {
  const auto [left, rest] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return left == outer.end() && rest != inner.end();
}

/// The relation of `a` to `b`.
Relation relation(const fs::path& a, const fs::path& b) {
  const fs::path first = real_folder(a), second = real_folder(b);
  return first == second           ? Relation::same
         : is_below(first, second) ? Relation::inside
         : is_below(second, first) ? Relation::around
                                   : Relation::apart;
}

Message prior_text(Relation found, const std::string& images) {
  switch (found) {
    case Relation::same:
      return message<
          "the same folder as the images {folder}: they are trained on, and none of "
          "them is left for prior preservation">(images);
    case Relation::inside:
      return message<
          "inside the images {folder}: it is trained on, and none of it is left for "
          "prior preservation">(images);
    case Relation::around:
      return message<"around the images {folder}, which aren't used for prior preservation">(
          images);
    case Relation::apart:
      break;
  }
  return {};
}

Message validation_text(Relation found, const std::string& images) {
  switch (found) {
    case Relation::same:
      return message<"the same folder as the images {folder}: none of them is left to train on">(
          images);
    case Relation::inside:
      return message<"inside the images {folder}: it isn't trained on">(images);
    case Relation::around:
      return message<"around the images {folder}: none of them is left to train on">(images);
    case Relation::apart:
      break;
  }
  return {};
}

Message held_text(Relation found, const std::string& validation) {
  return found == Relation::apart
             ? Message{}
             : message<
                   "shares images with the validation folder {folder}: they aren't used for "
                   "prior preservation">(validation);
}

template <typename Text>
void find_relations(const std::vector<fs::path>& folders, const std::vector<fs::path>& others,
                    const Text& text, std::vector<DataFinding>& findings) {
  for (const fs::path& folder : folders) {
    for (const fs::path& other : others) {
      if (Message detail = text(relation(folder, other), path_to_utf8(other)); !detail.empty()) {
        finding_of(findings, DataFindingKind::overlap).files.push_back({folder, std::move(detail)});
      }
    }
  }
}

}  // namespace

void find_overlaps(const SetFolders& folders, bool uses_prior, std::vector<DataFinding>& findings) {
  if (uses_prior) {
    find_relations(folders.prior, folders.images, prior_text, findings);
    find_relations(folders.prior, folders.validation, held_text, findings);
  }
  find_relations(folders.validation, folders.images, validation_text, findings);
}

}  // namespace mantissa
