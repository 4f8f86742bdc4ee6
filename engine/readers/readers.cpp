#include <array>

#include "engine/readers/reader.h"

namespace mantissa {

extern const Reader kComfyUiReader, kForgeReader, kDiffusersReader, kSdCppReader, kInvokeAiReader;

namespace {

constexpr std::array kReaders{&kComfyUiReader, &kForgeReader, &kDiffusersReader, &kSdCppReader,
                              &kInvokeAiReader};

}  // namespace

std::span<const Reader* const> readers() {
  return kReaders;
}

const Reader* reader_called(std::string_view key) {
  for (const Reader* reader : kReaders) {
    if (reader->key == key) {
      return reader;
    }
  }
  return nullptr;
}

bool has_word(std::string_view list, std::string_view word) {
  return any_word(list, [&](std::string_view one) { return one == word; });
}

}  // namespace mantissa
