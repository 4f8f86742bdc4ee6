#pragma once
// A family that is a Qwen3 text encoder and nothing else.

#include "engine/models/qwen3/qwen3_keys.h"
#include "tests/engine/models/support.h"

namespace mantissa::testing_support {

extern const Family kQwen3Alone;

class Qwen3Names final : public ModelNames {
 public:
  Qwen3Names() : ModelNames(kQwen3Alone) {}
  std::optional<NameMapping> canonical(std::optional<Part>,
                                       const TensorInfo& tensor) const override {
    return qwen3_weight(kTe1, tensor.name);
  }
};

/// The text encoder alone in a file.
inline WeightSource open_qwen3(const std::filesystem::path& path) {
  return WeightSource::open(path, std::make_shared<Qwen3Names>());
}

}  // namespace mantissa::testing_support
