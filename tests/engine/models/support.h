#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/adapters/adapter_set.h"
#include "engine/graph/executor.h"
#include "engine/io/safetensors.h"
#include "engine/models/stable_diffusion/sd_model.h"

namespace mantissa::testing_support {

/// A file of tests/golden/reference: images come out as NHWC, everything else as stored.
class Reference {
 public:
  explicit Reference(const std::string& name);
  bool has(const std::string& name) const { return file_.find(name) != nullptr; }
  /// fp32 values; rank-4 tensors transposed from [b, c, h, w] to [b, h, w, c].
  std::vector<float> values(const std::string& name) const;
  /// As stored, for any rank (adapter weights).
  std::vector<float> raw(const std::string& name) const;
  std::vector<std::int32_t> ids(const std::string& name) const;
  /// Shape after the transposition of `values`.
  Shape shape(const std::string& name) const;
  double metadata(const std::string& key) const;
  std::string text(const std::string& key) const { return file_.metadata().at(key); }
  /// Names that begin with `prefix`, without it.
  std::vector<std::string> below(const std::string& prefix) const;

 private:
  const TensorInfo& info(const std::string& name) const;
  SafetensorsFile file_;
};

/// Largest difference over largest reference value.
double relative_error(const std::vector<float>& got, const std::vector<float>& want);

std::vector<float> read(const View& view);
void write(const View& view, const std::vector<float>& values);
void write_ids(const View& view, const std::vector<std::int32_t>& values);

/// Path of tests/golden/models/<name>.
std::filesystem::path golden_model(const std::string& name);

/// A preset with these adapter settings.
Preset lora_preset(std::vector<std::string> targets, int rank, int conv_rank, double alpha,
                   std::vector<Part> parts = {kDenoiser});

/// sqrt(alpha-bar) and sqrt(1 - alpha-bar) of SDXL's schedule.
struct NoiseLevel {
  double signal, noise;
};
NoiseLevel noise_level(int timestep);

}  // namespace mantissa::testing_support
