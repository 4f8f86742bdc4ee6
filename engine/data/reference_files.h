#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/data/reference_list.h"

namespace mantissa {

/// A reference as it is now. Throws Error naming the file if it is no image.
ReferenceImage read_reference(const std::filesystem::path& file);

/// Throws Error if it is neither a folder nor a list (reference_list.h).
void require_references(const std::filesystem::path& source);

/// The reference images of a job: of folders, by their names below these without extension, in any
/// of Unicode's forms, or of lists. "sea/boat.png" in the first folder of references is the first
/// reference of "sea/boat.jpg" in a folder of images.
class ReferenceFiles {
 public:
  /// Throws as require_references.
  explicit ReferenceFiles(std::span<const std::filesystem::path> sources);

  /// Whether it is one of the folders, which hold no images to train on.
  bool is_folder(const std::filesystem::path& folder) const;
  /// Whether it is one of the lists, or a reference of one and none of its images.
  bool is_listed(const std::filesystem::path& file) const;
  /// Gives an image its references, of which only the paths are set, in the order of folders and
  /// lists. Returns what is missing: it then has none.
  Message give(ImageItem& image);
  /// The caption that a list has for an image; null without one.
  const std::string* text(const std::filesystem::path& image) const;
  /// The files of a name, with or without its extension, in every folder and list that has one.
  std::vector<std::filesystem::path> named(std::string_view name);
  /// Reports the references that nothing took.
  void tell(DatasetReport& report) const;

 private:
  struct Folder {
    std::filesystem::path path;
    std::map<std::string, std::filesystem::path> files;  ///< by composed name
  };
  using Source = std::variant<Folder, ReferenceList>;
  Folder folder_of(const std::filesystem::path& path);
  const std::filesystem::path* take(const Folder& folder, const std::string& name);
  Message give(const Folder& folder, ImageItem& image);
  static Message give(ReferenceList& list, ImageItem& image);

  std::vector<Source> sources_;
  std::vector<SkippedFile> seconds_;  ///< files whose name another one has
  std::set<std::filesystem::path> used_;
};

}  // namespace mantissa
