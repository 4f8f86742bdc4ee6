#pragma once
// Which tensor of which file holds which weight. Filled by weight_file.cpp, weight_folder.cpp and
// weight_parts.cpp, read by weights.cpp.

#include <deque>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/io/base_files.h"
#include "engine/io/family.h"
#include "engine/io/model_names.h"
#include "engine/io/part_names.h"
#include "engine/io/stored_scales.h"
#include "engine/io/tensor_file.h"

namespace mantissa {

struct WeightData {
  struct Weight {
    const TensorInfo* tensor = nullptr;
    NameTransform transform = NameTransform::none;
    int slice = 0, slices = 1;        ///< its first share of the rows, of how many
    int span = 1;                     ///< how many shares are its own
    std::span<const float> scales{};  ///< of all rows of the tensor, or one: owned by `scales`
    int rotation = 0;
    const TensorFile* file = nullptr;
  };
  using Weights = std::map<std::string, Weight, std::less<>>;

  std::filesystem::path path;
  bool single = false;
  std::deque<TensorFile> files;                 ///< a deque: TensorInfo pointers outlive its growth
  std::deque<StoredScales> scales;              ///< of each file
  std::deque<std::vector<TensorInfo>> renamed;  ///< of a lone part, as in a file of the whole model
  std::shared_ptr<const ModelNames> names;      ///< recognised, unless given
  std::map<Part, Weights> parts;
  std::map<std::size_t, std::set<Part>> parts_of_file;  ///< by index in `files`
  std::map<Part, nlohmann::json> configs;
  std::optional<nlohmann::json> scheduler;
  nlohmann::json index = nlohmann::json::object();  ///< model_index.json
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
  /// A folder of the family's first part alone, as transformers writes one; its names are known.
  void open_lone_part(const std::filesystem::path& folder);
  void open_parts(const BaseFiles& listed);
  /// Opens the weight files of one part.
  void open_part(Part p, const std::filesystem::path& folder, ModelFiles& found);
  void read_embedded_config();
  /// Assigns every tensor of `found` to its weights, by `names`.
  void take(const ModelFiles& found);
};

}  // namespace mantissa
