#include "engine/cli/sample_sheet.h"

#include <algorithm>
#include <map>

#include "engine/io/image.h"
#include "engine/io/sheet.h"

namespace mantissa {
namespace {

constexpr int kGap = 8;  // pixels between images

struct Pair {
  const SampleRecord* first = nullptr;
  const SampleRecord* last = nullptr;
};

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
  Sheet sheet(width, height);
  int top = kGap;
  for (const auto& [before, after] : rows) {
    sheet.paste(before, kGap, top);
    sheet.paste(after, before.width + 2 * kGap, top);
    top += std::max(before.height, after.height) + kGap;
  }
  sheet.save(file);
  return true;
}

}  // namespace mantissa
