#pragma once
// Which cards the CUDA library was compiled for.

#include <string>
#include <string_view>

namespace mantissa {

/// What a library has for a card.
enum class CardCode {
  machine,   ///< code that the card runs as it is
  compiled,  ///< code that the driver compiles at the first start, which takes minutes
  none,
};

/// `architectures` as CMake's CUDA_ARCHITECTURES, with commas or semicolons: "80,90a,120-real".
/// `capability` as CudaDevice::capability.
CardCode card_code(std::string_view architectures, int capability);

/// The capability of the code that such a card runs: that of its machine code, else of the PTX that
/// the driver compiles for it, whose units are all it uses. 0 where there is none.
int code_capability(std::string_view architectures, int capability);

/// "8.0, 9.0"
std::string capabilities_text(std::string_view architectures);

}  // namespace mantissa
