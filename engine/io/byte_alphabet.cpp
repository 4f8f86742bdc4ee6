#include "engine/io/byte_alphabet.h"

#include "engine/io/clip_text.h"

namespace mantissa {

namespace {

bool stands_for_itself(int byte) {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

ByteAlphabet make_byte_alphabet() {
  ByteAlphabet alphabet;
  std::size_t position = 0;
  int replacement = 256;
  for (const bool itself : {true, false}) {
    for (int byte = 0; byte < 256; ++byte) {
      if (stands_for_itself(byte) == itself) {
        append_utf8(alphabet.symbol[static_cast<std::size_t>(byte)], itself ? byte : replacement++);
        alphabet.byte_at[position++] = byte;
      }
    }
  }
  return alphabet;
}

}  // namespace

const ByteAlphabet& byte_alphabet() {
  static const ByteAlphabet alphabet = make_byte_alphabet();
  return alphabet;
}

}  // namespace mantissa
