// libFuzzer target of the safetensors reader: any bytes are either refused with an Error or make
// tensors that lie inside them. Build with -DMANTISSA_FUZZ=ON and Clang; run
//   build-fuzz/bin/fuzz_safetensors -max_len=4096 -runs=100000

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "engine/core/error.h"
#include "engine/io/safetensors.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

constexpr std::size_t kField = 8;

void require(bool ok) {
  if (!ok) {
    std::abort();
  }
}

std::string with_length(const std::string& header, const std::string& data) {
  std::string bytes;
  for (std::size_t i = 0; i < kField; ++i) {
    bytes += static_cast<char>(static_cast<std::uint64_t>(header.size()) >> (8 * i) & 0xff);
  }
  return bytes + header + data;
}

// A small valid file, so that mutations start behind the first checks.
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

// Replaces one number in the text by an interesting one.
void change_number(std::string& text, std::mt19937& random) {
  static const char* const kNumbers[] = {"0",
                                         "1",
                                         "-1",
                                         "4",
                                         "8",
                                         "9223372036854775807",
                                         "18446744073709551615",
                                         "18446744073709551616",
                                         "4294967296",
                                         "6148914691236517206",
                                         "1.5",
                                         "1e9"};
  const std::size_t from = text.empty() ? 0 : random() % text.size();
  const std::size_t begin = text.find_first_of("0123456789", from);
  if (begin == std::string::npos) {
    return;
  }
  const std::size_t end = text.find_first_not_of("0123456789", begin);
  text.replace(begin, (end == std::string::npos ? text.size() : end) - begin,
               kNumbers[random() % std::size(kNumbers)]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
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
  std::uint64_t length = 0;
  std::memcpy(&length, data, kField);
  length = std::min<std::uint64_t>(length, size - kField);
  std::string header(reinterpret_cast<char*>(data) + kField, static_cast<std::size_t>(length));
  const std::string rest(reinterpret_cast<char*>(data) + kField + length,
                         size - kField - static_cast<std::size_t>(length));
  if (random() % 2 == 0) {
    change_number(header, random);
  } else {
    const std::size_t before = header.size();
    header.resize(before + 64);
    header.resize(
        LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(header.data()), before, header.size()));
  }
  const std::string whole = with_length(header, rest);
  size = std::min(whole.size(), max_size);
  std::memcpy(data, whole.data(), size);
  return size;
}
