#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/data/dataset.h"

namespace mantissa {

/// A reference as it is now. Throws Error naming the file if it is no image.
ReferenceImage read_reference(const std::filesystem::path& file);

/// The reference images of a job, by their names below their folders without extension, in any of
/// Unicode's forms. "sea/boat.png" in the first folder of references is the first reference of
/// "sea/boat.jpg" in a folder of images.
class ReferenceFiles {
 public:
  /// Throws Error naming a folder that is missing.
  explicit ReferenceFiles(std::span<const std::filesystem::path> folders);

  /// Whether it is one of the folders, which hold no images to train on.
  bool is_folder(const std::filesystem::path& folder) const;
  /// Gives an image its references, of which only the paths are set, one of each folder. Returns
  /// what is missing: it then has none.
  Message give(ImageItem& image);
  /// The files of a name, with or without its extension, in every folder that has one.
  std::vector<std::filesystem::path> named(std::string_view name);
  /// Those that nothing took go to the report.
  void tell(DatasetReport& report) const;

 private:
  struct Folder {
    std::filesystem::path path;
    std::map<std::string, std::filesystem::path> files;  ///< by composed name
  };
  const std::filesystem::path* take(const Folder& folder, const std::string& name);

  std::vector<Folder> folders_;
  std::vector<SkippedFile> seconds_;  ///< files whose name another one has
  std::set<std::filesystem::path> used_;
};

}  // namespace mantissa
