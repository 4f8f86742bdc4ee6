#pragma once

#include <array>
#include <string>

namespace mantissa {

/// The alphabet of byte-level vocabularies (GPT-2's): printable bytes stand for themselves, the
/// others for U+0100 and up, so that every token is text.
struct ByteAlphabet {
  std::array<std::string, 256> symbol;  ///< of a byte, as UTF-8
  std::array<int, 256> byte_at;         ///< bytes in the order of GPT-2's and CLIP's ids 0 to 255
};
const ByteAlphabet& byte_alphabet();

}  // namespace mantissa
