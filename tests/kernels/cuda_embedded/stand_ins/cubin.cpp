#include "tests/kernels/cuda_embedded/stand_ins/cubin.h"

#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string_view>

namespace mantissa::stand_in {
namespace {

template <typename T>
T read(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

/// What ELF's 64-bit form (System V ABI) says of a section.
struct Section {
  std::string_view name;
  const char* data;
  std::size_t bytes;
};

/// The sections of the ELF file at `image`.
std::vector<Section> sections_of(const char* image) {
  const auto table = read<std::uint64_t>(image + 0x28);
  const auto entry_bytes = read<std::uint16_t>(image + 0x3a);
  const auto count = read<std::uint16_t>(image + 0x3c);
  const auto names_at = read<std::uint16_t>(image + 0x3e);
  const auto entry = [&](std::size_t i) { return image + table + i * entry_bytes; };
  const char* names = image + read<std::uint64_t>(entry(names_at) + 0x18);
  std::vector<Section> sections;
  for (std::size_t i = 0; i < count; ++i) {
    sections.push_back({names + read<std::uint32_t>(entry(i)),
                        image + read<std::uint64_t>(entry(i) + 0x18),
                        read<std::uint64_t>(entry(i) + 0x20)});
  }
  return sections;
}

/// Sizes of parameters from a section .nv.info.<kernel>: records of a format, an attribute and,
/// where the format says so, as many bytes as the next 16 bits tell.
std::vector<std::size_t> parameters_of(const Section& info) {
  constexpr std::uint8_t kSized = 4, kParameter = 0x17;
  std::map<std::size_t, std::size_t> by_ordinal;
  for (std::size_t at = 0; at + 4 <= info.bytes;) {
    const auto format = read<std::uint8_t>(info.data + at);
    const auto attribute = read<std::uint8_t>(info.data + at + 1);
    const auto bytes = read<std::uint16_t>(info.data + at + 2);
    if (format == kSized && attribute == kParameter) {
      const char* record = info.data + at + 4;
      by_ordinal[read<std::uint16_t>(record + 4)] = read<std::uint32_t>(record + 8) >> 18;
    }
    at += 4 + (format == kSized ? bytes : 0);
  }
  std::vector<std::size_t> sizes;
  for (const auto& [ordinal, bytes] : by_ordinal) {
    sizes.push_back(bytes);
  }
  return sizes;
}

/// The first ELF file of a fatbin: its header tells the size of all that follows.
const char* image_in(const char* code) {
  constexpr std::uint32_t kFatbin = 0xba55ed50;
  if (read<std::uint32_t>(code) != kFatbin) {
    throw std::runtime_error("stand-in: this is no fatbin");
  }
  const std::size_t bytes = read<std::uint16_t>(code + 6) + read<std::uint64_t>(code + 8);
  const std::size_t at = std::string_view(code, bytes)
                             .find(
                                 "\x7f"
                                 "ELF");
  return at == std::string_view::npos ? nullptr : code + at;
}

}  // namespace

std::vector<DeviceKernel> kernels_of(const void* code) {
  constexpr std::string_view kInfo = ".nv.info.";
  const char* image = image_in(static_cast<const char*>(code));
  std::vector<DeviceKernel> kernels;
  if (image == nullptr) {
    return kernels;
  }
  for (const Section& section : sections_of(image)) {
    if (section.name.starts_with(kInfo)) {
      kernels.push_back({std::string(section.name.substr(kInfo.size())), parameters_of(section)});
    }
  }
  return kernels;
}

}  // namespace mantissa::stand_in
