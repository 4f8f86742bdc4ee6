#pragma once
// Which tensor of which file stands for which weight. Filled by weight_file.cpp and
// weight_folder.cpp, asked by weights.cpp.

#include <array>
#include <deque>
#include <nlohmann/json.hpp>

#include "engine/io/weights.h"

namespace mantissa {

inline constexpr std::array<Part, 4> kParts{kDenoiser, kTe1, kTe2, kVae};
/// What every PixArt transformer has under diffusers' names, and no other model here.
inline constexpr const char* kPixartMark = "adaln_single.linear.weight";

/// An empty tensor that tells other programs what the model is.
bool is_marker(std::string_view name);
/// Extras that files are known to carry and that say nothing about the weights.
bool is_harmless(std::string_view name);
/// Text encoders are also stored without the outer "text_model." by some versions.
std::string with_text_model(std::string_view name);
bool holds_original_pixart(const SafetensorsFile& file);
/// A projection of a VAE's attention that is kept as a 1×1 convolution; `name` is canonical.
bool is_convolved_projection(const TensorInfo& tensor, std::string_view name);

struct WeightSource::Data {
  struct Weight {
    const TensorInfo* tensor = nullptr;
    NameTransform transform = NameTransform::none;
    int slice = 0, slices = 1;  ///< which share of the rows, of how many
    bool squeeze = false;       ///< [out, in, 1, 1] stands for [out, in]
  };
  using Weights = std::map<std::string, Weight, std::less<>>;

  std::filesystem::path path;
  bool single = false;
  std::deque<SafetensorsFile> files;  ///< a deque: TensorInfo pointers outlive its growth
  std::map<Part, Weights> parts;
  std::map<Part, nlohmann::json> configs;
  std::optional<nlohmann::json> scheduler;
  std::map<Part, std::filesystem::path> tokenizers;
  std::map<std::string, std::string> metadata;
  UnetLayout layout;
  std::vector<std::string> ignored, unknown;

  Weights& part(Part p) { return parts[p]; }
  const Weights& part(Part p) const {
    static const Weights none;
    const auto found = parts.find(p);
    return found == parts.end() ? none : found->second;
  }

  void add(Part p, const std::string& name, const Weight& weight, const std::string& file);
  void add_mapped(Part p, const NameMapping& mapping, const TensorInfo& tensor,
                  const std::string& file);
  void add_pixart(const TensorInfo& tensor, bool original, const std::string& file);
  void open_file(const std::filesystem::path& file);
  void add_single(const TensorInfo& tensor, int vae_levels);
  void read_embedded_config();
  void open_folder(const std::filesystem::path& folder);
  void open_part(Part p, const std::filesystem::path& folder);
};

}  // namespace mantissa
