#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace mantissa {

/// What a base model's own files state about the licence of its weights; Mantissa knows none by
/// itself, and two copies of one model may state different ones.
struct WeightsLicence {
  std::string name;    ///< "apache-2.0", or the first line of a licence file
  std::string link;    ///< empty if none is stated
  std::string source;  ///< what states it: "metadata", or a file's name

  /// "apache-2.0 (README.md)".
  std::string text() const { return name + " (" + source + ")"; }
};

/// From a file's metadata: `modelspec.license` (Stability AI's modelspec), `license`, or GGUF's
/// `general.license` and `general.license.link`.
std::optional<WeightsLicence> licence_of(const std::map<std::string, std::string>& metadata);

/// From a model's folder: its model card's front matter (README.md: license, license_name,
/// license_link), else the first line of LICENSE, LICENSE.md or LICENSE.txt. Nothing if there is
/// none, or it can't be read.
std::optional<WeightsLicence> licence_in(const std::filesystem::path& folder);

}  // namespace mantissa
