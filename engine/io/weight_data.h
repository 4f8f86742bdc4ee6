#pragma once
// Which tensor of which file holds which weight. Filled by weight_file.cpp and weight_folder.cpp,
// read by weights.cpp.

#include <deque>
#include <nlohmann/json.hpp>

#include "engine/io/part_names.h"
#include "engine/io/weights.h"

namespace mantissa {

struct WeightSource::Data {
  struct Weight {
    const TensorInfo* tensor = nullptr;
    NameTransform transform = NameTransform::none;
    int slice = 0, slices = 1;  ///< which share of the rows, of how many
  };
  using Weights = std::map<std::string, Weight, std::less<>>;

  std::filesystem::path path;
  bool single = false;
  std::deque<SafetensorsFile> files;        ///< a deque: TensorInfo pointers outlive its growth
  std::shared_ptr<const ModelNames> names;  ///< recognised, unless given
  std::map<Part, Weights> parts;
  std::map<Part, nlohmann::json> configs;
  std::optional<nlohmann::json> scheduler;
  std::map<Part, std::filesystem::path> tokenizers;
  std::map<std::string, std::string> metadata;
  std::vector<std::string> ignored, unknown, markers;

  Weights& part(Part p) { return parts[p]; }
  const Weights& part(Part p) const {
    static const Weights none;
    const auto found = parts.find(p);
    return found == parts.end() ? none : found->second;
  }

  void open_file(const std::filesystem::path& file);
  void open_folder(const std::filesystem::path& folder);
  /// Opens the weight files of one part.
  void open_part(Part p, const std::filesystem::path& folder, ModelFiles& found);
  void read_embedded_config();
  /// Assigns every tensor of `found` to its weights, by `names`.
  void take(const ModelFiles& found);
};

}  // namespace mantissa
