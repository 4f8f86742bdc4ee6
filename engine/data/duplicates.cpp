#include "engine/data/duplicates.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cctype>
#include <cmath>
#include <exception>
#include <functional>
#include <map>
#include <numbers>
#include <numeric>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/helper_threads.h"
#include "engine/core/paths.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

constexpr int kGrid = 32;               // of the transform
constexpr int kShrunkSide = 4 * kGrid;  // of a decoded image: four pixels a cell are plenty
constexpr std::size_t kNamed = 5;       // copies named in a message
constexpr int kQuarterBits = 16;
constexpr double kLeastContrast = 3;  // of 255, standard deviation

using Grid = std::array<double, std::size_t{kGrid} * kGrid>;

struct Frequency {
  int down = 0, across = 0;
};

/// The 64 lowest by their sum, without the mean.
constexpr std::array<Frequency, 64> low_frequencies() {
  std::array<Frequency, 64> low{};
  std::size_t count = 0;
  for (int sum = 1; count < low.size(); ++sum) {
    for (int down = 0; down <= sum && count < low.size(); ++down) {
      low[count++] = {down, sum - down};
    }
  }
  return low;
}
constexpr std::array<Frequency, 64> kFrequencies = low_frequencies();

constexpr std::uint64_t mirrored_bits() {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kFrequencies.size(); ++i) {
    bits |= std::uint64_t(kFrequencies[i].across % 2) << i;
  }
  return bits;
}
constexpr std::uint64_t kMirroredBits = mirrored_bits();

/// How much of each pixel along one side falls into each of `cells` equal parts of it: calls
/// add(pixel, cell, share) with shares that sum to 1 over a cell.
template <typename Add>
void spread(int pixels, int cells, const Add& add) {
  const double width = static_cast<double>(pixels) / cells;
  for (int cell = 0; cell < cells; ++cell) {
    const double begin = cell * width;
    const double end = begin + width;
    const int last = std::min(pixels, static_cast<int>(std::ceil(end)));
    for (int p = static_cast<int>(begin); p < last; ++p) {
      const double inside = std::min(end, p + 1.0) - std::max(begin, static_cast<double>(p));
      if (inside > 0) {
        add(p, cell, inside / width);
      }
    }
  }
}

/// [cells, cells, 3], the mean of each part of the image.
std::vector<double> averaged(const Image& image, int cells) {
  const auto side = static_cast<std::size_t>(cells);
  const auto height = static_cast<std::size_t>(image.height);
  std::vector<double> rows(height * side * 3);
  spread(image.width, cells, [&](int x, int cell, double share) {
    for (std::size_t y = 0; y < height; ++y) {
      const std::size_t from =
          (y * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) * 3;
      const std::size_t to = (y * side + static_cast<std::size_t>(cell)) * 3;
      for (std::size_t c = 0; c < 3; ++c) {
        rows[to + c] += share * image.pixels[from + c];
      }
    }
  });
  std::vector<double> out(side * side * 3);
  spread(image.height, cells, [&](int y, int cell, double share) {
    const std::size_t from = static_cast<std::size_t>(y) * side * 3;
    const std::size_t to = static_cast<std::size_t>(cell) * side * 3;
    for (std::size_t i = 0; i < side * 3; ++i) {
      out[to + i] += share * rows[from + i];
    }
  });
  return out;
}

/// Rec. 601 luma.
Grid brightness(const std::vector<double>& cells) {
  Grid grid{};
  for (std::size_t i = 0; i < grid.size(); ++i) {
    grid[i] = 0.299 * cells[3 * i] + 0.587 * cells[3 * i + 1] + 0.114 * cells[3 * i + 2];
  }
  return grid;
}

/// [frequency, place]
Grid cosines() {
  Grid waves{};
  for (int f = 0; f < kGrid; ++f) {
    for (int at = 0; at < kGrid; ++at) {
      waves[static_cast<std::size_t>(f * kGrid + at)] =
          std::cos(std::numbers::pi * f * (2 * at + 1) / (2 * kGrid));
    }
  }
  return waves;
}

double product(const double* a, const double* b) {
  return std::inner_product(a, a + kGrid, b, 0.0);
}

std::uint64_t frequency_signs(const Grid& grid) {
  static const Grid waves = cosines();
  constexpr int kUsed = kFrequencies.back().down + kFrequencies.back().across + 1;
  Grid columns{};  // [horizontal frequency, row]
  for (int f = 0; f < kUsed; ++f) {
    for (int y = 0; y < kGrid; ++y) {
      columns[static_cast<std::size_t>(f * kGrid + y)] = product(
          &waves[static_cast<std::size_t>(f * kGrid)], &grid[static_cast<std::size_t>(y * kGrid)]);
    }
  }
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < kFrequencies.size(); ++i) {
    const auto [down, across] = kFrequencies[i];
    const bool positive = product(&waves[static_cast<std::size_t>(down * kGrid)],
                                  &columns[static_cast<std::size_t>(across * kGrid)]) > 0;
    hash |= std::uint64_t(positive ? 1 : 0) << i;
  }
  return hash;
}

bool is_flat(const Grid& grid) {
  const double mean = std::accumulate(grid.begin(), grid.end(), 0.0) / grid.size();
  double squares = 0;
  for (const double value : grid) {
    squares += (value - mean) * (value - mean);
  }
  return squares < kLeastContrast * kLeastContrast * grid.size();
}

/// Correlation of all channels, each around its mean; b optionally mirrored.
double colour_correlation(const ImageSignature& a, const ImageSignature& b, bool mirrored) {
  constexpr std::size_t side = ImageSignature::kSide;
  constexpr double count = side * side;
  double both = 0, of_a = 0, of_b = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    double sum_a = 0, sum_b = 0, aa = 0, bb = 0, ab = 0;
    for (std::size_t y = 0; y < side; ++y) {
      for (std::size_t x = 0; x < side; ++x) {
        const double p = a.colours[(y * side + x) * 3 + c];
        const double q = b.colours[(y * side + (mirrored ? side - 1 - x : x)) * 3 + c];
        sum_a += p;
        sum_b += q;
        aa += p * p;
        bb += q * q;
        ab += p * q;
      }
    }
    both += ab - sum_a * sum_b / count;
    of_a += aa - sum_a * sum_a / count;
    of_b += bb - sum_b * sum_b / count;
  }
  return of_a > 0 && of_b > 0 ? both / std::sqrt(of_a * of_b) : 0;
}

bool is_similar(const ImageSignature& a, const ImageSignature& b, bool mirrored) {
  const std::uint64_t other = mirrored ? b.hash ^ kMirroredBits : b.hash;
  return std::popcount(a.hash ^ other) <= kSimilarBits &&
         colour_correlation(a, b, mirrored) >= kSimilarColours;
}

/// Images by the four quarters of their hashes.
class HashTables {
 public:
  explicit HashTables(std::span<const std::optional<ImageSignature>> signatures) {
    for (int quarter = 0; quarter < 4; ++quarter) {
      std::vector<std::uint32_t>& first = first_[static_cast<std::size_t>(quarter)];
      std::vector<Entry>& entries = entries_[static_cast<std::size_t>(quarter)];
      first.assign((std::size_t{1} << kQuarterBits) + 1, 0);
      const auto each = [&](const auto& use) {
        for (std::size_t i = 0; i < signatures.size(); ++i) {
          if (signatures[i] && !signatures[i]->flat) {
            use(Entry{signatures[i]->hash, i}, key(signatures[i]->hash, quarter));
          }
        }
      };
      each([&](const Entry&, std::size_t value) { ++first[value + 1]; });
      std::partial_sum(first.begin(), first.end(), first.begin());
      entries.resize(first.back());
      std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
      each([&](const Entry& entry, std::size_t value) { entries[next[value]++] = entry; });
    }
  }

  /// Calls use(image) for every image within kSimilarBits, possibly repeatedly.
  template <typename Use>
  void close_to(std::uint64_t hash, const Use& use) const {
    for (int quarter = 0; quarter < 4; ++quarter) {
      const auto visit = [&](std::size_t value) {
        const auto q = static_cast<std::size_t>(quarter);
        for (std::uint32_t i = first_[q][value]; i < first_[q][value + 1]; ++i) {
          if (std::popcount(entries_[q][i].hash ^ hash) <= kSimilarBits) {
            use(entries_[q][i].image);
          }
        }
      };
      const std::size_t own = key(hash, quarter);
      visit(own);
      for (int i = 0; i < kQuarterBits; ++i) {
        visit(own ^ (1U << i));
        for (int j = 0; j < i; ++j) {
          visit(own ^ (1U << i) ^ (1U << j));
        }
      }
    }
  }

 private:
  static_assert(kSimilarBits < 4 * 3, "else four quarters could each differ in three bits");
  struct Entry {
    std::uint64_t hash = 0;  // here too: signatures are far apart in memory
    std::size_t image = 0;
  };
  static std::size_t key(std::uint64_t hash, int quarter) {
    return hash >> (kQuarterBits * quarter) & 0xffff;
  }

  std::array<std::vector<std::uint32_t>, 4> first_;  // by value, where its entries begin
  std::array<std::vector<Entry>, 4> entries_;        // sorted by value
};

/// By its name's end; WebP and JPEG XL may be either, and count as lossy.
bool is_lossless(const fs::path& image) {
  std::string end = path_to_utf8(image.extension());
  std::ranges::transform(end, end.begin(), [](unsigned char c) { return std::tolower(c); });
  return end == ".png" || end == ".tif" || end == ".tiff" || end == ".bmp";
}

/// The images by what is worth keeping: pixels, a caption of its own, lossless storage; equal ones
/// in order.
std::vector<std::size_t> best_first(std::span<const ImageItem> items) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto worth = [&](std::size_t i) {
    const ImageItem& item = items[i];
    const bool captioned = !item.caption.empty() && item.caption_source != "folder";
    return std::tuple(std::int64_t{item.width} * item.height, captioned, is_lossless(item.path));
  };
  std::ranges::stable_sort(order, std::greater<>(), worth);
  return order;
}

std::optional<ImageSignature> read_signature(const ImageItem& item) {
  try {
    return image_signature(load_image(item.path, {.least_side = kShrunkSide}));
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::input) {
      throw;
    }
    return std::nullopt;  // the scan reports it
  }
}

/// Each thread writes only the signatures of its images, so their order doesn't matter.
std::vector<std::optional<ImageSignature>> read_signatures(std::span<const ImageItem> items,
                                                           const Progress& progress, int threads) {
  std::vector<std::optional<ImageSignature>> signatures(items.size());
  std::atomic<std::size_t> next{0};
  std::atomic<std::int64_t> ready{0};
  std::atomic<bool> stop{false};
  const unsigned cores = std::clamp(std::thread::hardware_concurrency(), 1U, 8U);
  std::vector<std::exception_ptr> failures(threads > 0 ? static_cast<unsigned>(threads) : cores);
  const auto work = [&](std::size_t thread) {
    try {
      for (std::size_t i = next++; i < items.size() && !stop; i = next++) {
        signatures[i] = read_signature(items[i]);
        const std::int64_t count = ++ready;
        if (thread == 0 && progress) {
          progress(RunPhase::scanning, count, std::ssize(items));
        }
      }
    } catch (...) {
      stop = true;
      failures[thread] = std::current_exception();
    }
  };
  {
    const auto helpers = helper_threads(failures.size() - 1, work);
    work(0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) {
      std::rethrow_exception(failure);
    }
  }
  if (progress) {
    progress(RunPhase::scanning, std::ssize(items), std::ssize(items));
  }
  return signatures;
}

}  // namespace

std::vector<DuplicateGroup> exact_duplicates(std::span<const ImageItem> items) {
  return group_duplicates(items, {});
}

Message duplicates_message(std::span<const ImageItem> items) {
  std::vector<Message> names;
  std::size_t count = 0;
  for (const DuplicateGroup& group : exact_duplicates(items)) {
    for (const Duplicate& copy : group.duplicates) {
      if (++count > kNamed) {
        continue;
      }
      const ImageItem &a = items[group.original], &b = items[copy.item];
      const bool alike = a.name == b.name;  // in two folders
      names.push_back(message<"{copy} (same as {original})">(
          alike ? path_to_utf8(b.path) : b.name, alike ? path_to_utf8(a.path) : a.name));
    }
  }
  if (count == 0) {
    return {};
  }
  if (count > kNamed) {
    names.push_back(message<"and {count} more">(count - kNamed));
  }
  return count == 1 ? message<"1 image is a copy of another: {names}">(joined<", ">(names))
                    : message<"{count} images are copies of others: {names}">(
                          count, joined<", ">(std::move(names)));
}

ImageSignature image_signature(const Image& image) {
  ImageSignature signature;
  const Grid grid = brightness(averaged(image, kGrid));
  signature.flat = is_flat(grid);
  signature.hash = frequency_signs(grid);
  const std::vector<double> colours = averaged(image, ImageSignature::kSide);
  std::transform(colours.begin(), colours.end(), signature.colours.begin(),
                 [](double value) { return static_cast<std::uint8_t>(std::lround(value)); });
  return signature;
}

std::optional<DuplicateKind> compare_images(const ImageSignature& a, const ImageSignature& b) {
  if (a.flat || b.flat) {
    return std::nullopt;
  }
  if (is_similar(a, b, false)) {
    return DuplicateKind::similar;
  }
  return is_similar(a, b, true) ? std::optional(DuplicateKind::mirrored) : std::nullopt;
}

std::vector<DuplicateGroup> group_duplicates(
    std::span<const ImageItem> items, std::span<const std::optional<ImageSignature>> signatures) {
  std::map<std::string_view, std::vector<std::size_t>> by_content;
  for (std::size_t i = 0; i < items.size(); ++i) {
    by_content[items[i].content_hash].push_back(i);
  }
  const HashTables tables(signatures);
  std::vector<bool> taken(items.size());
  std::vector<DuplicateGroup> groups;
  for (const std::size_t original : best_first(items)) {
    if (taken[original]) {
      continue;
    }
    taken[original] = true;
    DuplicateGroup group{original, {}};
    const auto take = [&](std::size_t item, DuplicateKind kind) {
      taken[item] = true;
      group.duplicates.push_back({item, kind});
    };
    for (const std::size_t item : by_content[items[original].content_hash]) {
      if (!taken[item]) {
        take(item, DuplicateKind::exact);
      }
    }
    if (!signatures.empty() && signatures[original] && !signatures[original]->flat) {
      const auto compare = [&](std::size_t item) {
        const auto kind =
            taken[item] ? std::nullopt : compare_images(*signatures[original], *signatures[item]);
        if (kind) {
          take(item, *kind);
        }
      };
      tables.close_to(signatures[original]->hash, compare);
      tables.close_to(signatures[original]->hash ^ kMirroredBits, compare);
    }
    if (!group.duplicates.empty()) {
      std::ranges::sort(group.duplicates, {}, &Duplicate::item);
      groups.push_back(std::move(group));
    }
  }
  std::ranges::sort(groups, {}, &DuplicateGroup::original);
  return groups;
}

std::vector<DuplicateGroup> find_duplicates(std::span<const ImageItem> items,
                                            const Progress& progress, int threads) {
  return group_duplicates(items, read_signatures(items, progress, threads));
}

}  // namespace mantissa
