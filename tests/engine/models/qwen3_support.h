#pragma once
// A family that is a Qwen3 text encoder and nothing else.

#include <array>

#include "engine/models/qwen3/qwen3_keys.h"
#include "tests/engine/models/support.h"

namespace mantissa::testing_support {

inline constexpr std::array kQwen3Parts{
    PartFiles{.part = kDenoiser, .folder = "transformer"},
    PartFiles{.part = kTe1, .folder = "text_encoder", .targets = kQwen3Targets},
};
inline constexpr Family kQwen3Alone{.title = "Qwen3", .parts = kQwen3Parts, .bf16_native = true};

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
