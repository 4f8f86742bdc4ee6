#include "tests/engine/models/qwen3_support.h"

#include <array>

namespace mantissa::testing_support {
namespace {

constexpr std::array kParts{
    PartFiles{.part = kDenoiser, .folder = "transformer"},
    PartFiles{.part = kTe1, .folder = "text_encoder", .targets = kQwen3Targets},
};

}  // namespace

// Defined once: MinGW's compiler puts an inline constant into .data here and .rdata there, which
// its linker takes for two definitions.
constexpr Family kQwen3Alone{.row = {.title = "Qwen3"}, .parts = kParts, .bf16_native = true};

}  // namespace mantissa::testing_support
