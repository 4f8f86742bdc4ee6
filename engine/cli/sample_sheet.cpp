#include "engine/cli/sample_sheet.h"

#include <algorithm>
#include <map>

#include "engine/io/image.h"

namespace mantissa {
namespace {

constexpr int kGap = 8;  // pixels between images

struct Pair {
  const SampleRecord* first = nullptr;
  const SampleRecord* last = nullptr;
};

/// Copies `image` into `sheet` (`sheet_width` pixels wide) at (left, top).
void paste(std::vector<std::uint8_t>& sheet, int sheet_width, const Image& image, int left,
           int top) {
  for (int y = 0; y < image.height; ++y) {
    const auto* row = image.pixels.data() + static_cast<std::size_t>(y) * image.width * 3;
    const std::size_t at = (static_cast<std::size_t>(top + y) * sheet_width + left) * 3;
    std::copy(row, row + static_cast<std::size_t>(image.width) * 3,
              sheet.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

}  // namespace

bool write_sample_sheet(const std::filesystem::path& file,
                        const std::vector<SampleRecord>& samples) {
  std::map<int, Pair> pairs;
  for (const SampleRecord& s : samples) {
    Pair& pair = pairs[s.prompt_index];
    if (pair.first == nullptr || s.step < pair.first->step) {
      pair.first = &s;
    }
    if (pair.last == nullptr || s.step > pair.last->step) {
      pair.last = &s;
    }
  }
  const ImageLibrary library;
  std::vector<std::pair<Image, Image>> rows;
  int width = 0, height = kGap;
  for (const auto& [index, pair] : pairs) {
    if (pair.first->step == pair.last->step) {
      continue;
    }
    auto& row = rows.emplace_back(load_image(pair.first->path), load_image(pair.last->path));
    width = std::max(width, row.first.width + row.second.width + 3 * kGap);
    height += std::max(row.first.height, row.second.height) + kGap;
  }
  if (rows.empty()) {
    return false;
  }
  std::vector<std::uint8_t> sheet(static_cast<std::size_t>(width) * height * 3, 255);
  int top = kGap;
  for (const auto& [before, after] : rows) {
    paste(sheet, width, before, kGap, top);
    paste(sheet, width, after, before.width + 2 * kGap, top);
    top += std::max(before.height, after.height) + kGap;
  }
  write_png(file, sheet, width, height);
  return true;
}

}  // namespace mantissa
