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

/// "8.0, 9.0"
std::string capabilities_text(std::string_view architectures);

}  // namespace mantissa
