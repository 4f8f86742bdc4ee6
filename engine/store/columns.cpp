#include "engine/store/columns.h"

#include <algorithm>
#include <limits>

namespace mantissa {

std::string pack_histogram(const TensorStatistics& statistics) {
  const auto& bins = statistics.histogram;
  const auto used = [](std::int64_t n) { return n != 0; };
  const auto first = std::find_if(bins.begin(), bins.end(), used);
  const auto last = std::find_if(bins.rbegin(), bins.rend(), used).base();
  std::string bytes;
  if (first == bins.end()) {
    return bytes;
  }
  bytes.push_back(static_cast<char>(first - bins.begin()));
  for (auto bin = first; bin != last; ++bin) {
    const auto n = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(*bin, 0, std::numeric_limits<std::uint32_t>::max()));
    for (int shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<char>(n >> shift & 0xffU));
    }
  }
  return bytes;
}

void unpack_histogram(const std::string& bytes, TensorStatistics& statistics) {
  auto& bins = statistics.histogram;
  std::size_t bin = bytes.empty() ? bins.size() : static_cast<unsigned char>(bytes[0]);
  for (std::size_t at = 1; at + 4 <= bytes.size() && bin < bins.size(); at += 4, ++bin) {
    for (std::size_t i = 0; i < 4; ++i) {
      bins[bin] |= static_cast<std::int64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    }
  }
}

}  // namespace mantissa
