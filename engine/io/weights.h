#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/family.h"
#include "engine/io/safetensors.h"
#include "engine/io/weight_view.h"
#include "engine/preset/preset.h"

namespace mantissa {

struct BaseFiles;
struct WeightData;

/// A base model: one `.safetensors`, a diffusers folder, or a JSON that lists its files
/// (base_files.h), of any family. Weights are accessed by
/// part and canonical name; bytes stay in the mapped files. Copies share them.
class WeightSource {
 public:
  /// Throws Error naming the file or folder and what is wrong with it.
  static WeightSource open(const std::filesystem::path& path);
  /// For a file or folder that no family recognises, such as a lone text encoder: `names` maps its
  /// tensors to parts.
  static WeightSource open(const std::filesystem::path& path,
                           std::shared_ptr<const ModelNames> names);

  /// Opens a model in several files that no JSON lists yet. `called`: its path in messages; empty:
  /// the denoiser's.
  static WeightSource open(const BaseFiles& files, const std::filesystem::path& called = {});

  bool has_part(Part part) const;
  /// Canonical names of a part, sorted.
  std::vector<std::string> names(Part part) const;
  bool contains(Part part, std::string_view name) const;
  /// Throws Error naming part and weight if it is missing.
  WeightView view(Part part, std::string_view name) const;
  Shape shape(Part part, std::string_view name) const { return view(part, name).shape; }
  /// A weight as other programs read it: with every frame, of a network for video.
  WeightView whole_view(Part part, std::string_view name) const;
  /// As read_as, with every frame.
  void read_whole_as(Part part, std::string_view name, DType dtype, void* out) const;

  /// Copies a weight into `out` (shape().count() elements) as `dtype`: fp64, fp32, fp16 or bf16.
  /// The file may store those or FP8, whose scales are applied in fp32. Rounds to nearest even;
  /// never saturates silently: a finite value that fp16 can't hold is an Error naming the weight.
  void read_as(Part part, std::string_view name, DType dtype, void* out) const;
  void read_f32(Part part, std::string_view name, std::span<float> out) const;

  /// Determined by its tensors' names.
  const Family& family() const;
  /// Names of the weights in files and of the modules in adapters; never null.
  const std::shared_ptr<const ModelNames>& model_names() const;

  /// The part's config.json, or its object in the `mantissa.config` metadata of a single file.
  std::optional<nlohmann::json> config(Part part) const;
  /// scheduler/scheduler_config.json, or "scheduler" in `mantissa.config`.
  std::optional<nlohmann::json> scheduler_config() const;
  /// model_index.json of a diffusers folder (model_index.h), or "pipeline" in `mantissa.config`; an
  /// object without fields where there is none.
  const nlohmann::json& model_index() const;
  /// A text encoder's tokenizer in a diffusers folder: tokenizer/, tokenizer_2/.
  std::optional<std::filesystem::path> tokenizer_folder(Part part) const;
  /// Every file of that folder, sorted by name; none without one.
  std::vector<std::filesystem::path> tokenizer_files(Part part) const;
  const std::map<std::string, std::string>& metadata() const;

  bool single_file() const;
  const std::filesystem::path& path() const;
  /// Every weight file, sorted.
  std::vector<std::filesystem::path> files() const;
  /// The weight files of a part, sorted; empty if one of them holds something else too.
  std::vector<std::filesystem::path> own_files(Part part) const;

  /// Tensors known to be harmless (EMA copies, schedules, position_ids, logit_scale, markers).
  const std::vector<std::string>& ignored() const;
  /// Unknown tensors.
  const std::vector<std::string>& unknown() const;
  /// Whether there is a marker tensor of that name ("v_pred", "ztsnr").
  bool has_marker(std::string_view name) const;
  /// The names of all marker tensors.
  const std::vector<std::string>& markers() const;

 private:
  std::shared_ptr<const WeightData> data_;
};

/// Throws Error as WeightSource::read_as does for values that are NaN or infinite: for a weight
/// whose stored bytes are used as they are.
void require_finite(const WeightSource& source, Part part, std::string_view name);

}  // namespace mantissa
