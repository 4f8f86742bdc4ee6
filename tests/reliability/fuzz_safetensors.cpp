// libFuzzer target of the safetensors reader: any bytes are either refused with an Error or give
// tensors within them. Build with -DMANTISSA_FUZZ=ON and Clang; run
//   build-fuzz/bin/fuzz_safetensors -max_len=4096 -runs=100000

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "engine/core/error.h"
#include "engine/io/safetensors.h"
#include "tests/reliability/fuzz_limits.h"
#include "tests/reliability/mutations.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace mantissa;

constexpr std::size_t kField = 8;

void require(bool ok) {
  if (!ok) {
    std::abort();
  }
}

// A small valid file, so that mutations get past the first checks.
std::string seed_file(std::mt19937& random) {
  static const struct {
    const char* name;
    unsigned bits;
  } kTypes[] = {{"F32", 32}, {"BF16", 16}, {"U8", 8}, {"F64", 64}, {"F4", 4}, {"F8_E4M3", 8}};
  std::string header = "{\"__metadata__\":{\"k\":\"v\"}";
  std::size_t at = 0;
  for (unsigned i = 0; i < random() % 4; ++i) {
    const auto& type = kTypes[random() % std::size(kTypes)];
    const std::size_t rows = random() % 3, cols = 2 * (random() % 4);
    const std::size_t bytes = rows * cols * type.bits / 8;
    header += ",\"t" + std::to_string(i) + "\":{\"dtype\":\"" + type.name + "\",\"shape\":[" +
              std::to_string(rows) + "," + std::to_string(cols) + "],\"data_offsets\":[" +
              std::to_string(at) + "," + std::to_string(at + bytes) + "]}";
    at += bytes;
  }
  return with_length(header + "}", std::string(at, 'd'));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const mantissa::Bounds bounds(size);
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  try {
    const auto file = mantissa::SafetensorsFile::parse(bytes, "fuzz");
    std::uint64_t total = file.data_offset();
    for (const mantissa::TensorInfo& tensor : file.tensors()) {
      require(tensor.data == bytes.data() + total);
      total += tensor.bytes;
      require(total <= size);
      require(file.find(tensor.name) == &tensor);
      require(tensor.count() >= 0);
    }
    require(total == size);
  } catch (const mantissa::Error& error) {
    // Refused: the message must name the file and stay short, whatever the names inside.
    require(std::strstr(error.what(), "fuzz") != nullptr);
    require(std::strlen(error.what()) < 1000);
  }
  return 0;
}

// Keeps the length field right most of the time, so that the JSON and offset checks are reached.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  std::mt19937 random(seed);
  if (size < kField + 2 || random() % 64 == 0) {
    const std::string fresh = seed_file(random);
    size = std::min(fresh.size(), max_size);
    std::memcpy(data, fresh.data(), size);
    return size;
  }
  if (random() % 8 == 0) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  std::string whole(reinterpret_cast<const char*>(data), size);
  change_header(whole, [&](std::string& header) {
    if (random() % 2 == 0) {
      change_number(header, random);
      return;
    }
    const std::size_t before = header.size();
    header.resize(before + 64);
    header.resize(
        LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(header.data()), before, header.size()));
  });
  size = std::min(whole.size(), max_size);
  std::memcpy(data, whole.data(), size);
  return size;
}
