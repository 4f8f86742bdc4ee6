#pragma once

#include <filesystem>
#include <vector>

namespace mantissa {

/// The folders of a run, by use.
struct SetFolders {
  std::vector<std::filesystem::path> images;
  std::vector<std::filesystem::path> prior;         ///< for prior preservation
  std::vector<std::filesystem::path> validation;    ///< never trained on
  std::vector<std::filesystem::path> references{};  ///< of trained and validation images
};

}  // namespace mantissa
