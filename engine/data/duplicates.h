#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/message.h"
#include "engine/core/progress.h"
#include "engine/data/dataset.h"
#include "engine/io/image.h"

namespace mantissa {

/// What an image is to the original of its group.
enum class DuplicateKind {
  exact,    ///< the same file content
  similar,  ///< re-encoded, resized, slightly cropped, brighter or darker
  mirrored  ///< the same left to right
};

struct Duplicate {
  std::size_t item = 0;  ///< index of the image
  DuplicateKind kind = DuplicateKind::exact;
  bool operator==(const Duplicate&) const = default;
};

/// An image and its copies. Each is compared with the original, never with another copy: a film's
/// frames, each like the next, don't become one group.
struct DuplicateGroup {
  /// The one with most pixels; of several a captioned one, then one that is stored without loss,
  /// then the first.
  std::size_t original = 0;
  std::vector<Duplicate> duplicates;  ///< ascending, at least one
  bool operator==(const DuplicateGroup&) const = default;
};

/// Images with the same file content; needs content_hash only.
std::vector<DuplicateGroup> exact_duplicates(std::span<const ImageItem> items);

/// "3 images are copies of others: b.png (same as a.png), …": the first few by name; empty without
/// any.
Message duplicates_message(std::span<const ImageItem> items);

/// What similar images have in common; 56 to 800 bytes.
struct ImageSignature {
  static constexpr int kSide = 16;

  /// Signs of the 64 lowest frequencies (without the mean) of the cosine transform of the image's
  /// brightness, averaged to 32 x 32. Bit i belongs to the i-th frequency by u + v, then u, where
  /// u is the vertical one. Mirroring flips the bits of odd horizontal frequencies.
  std::uint64_t hash = 0;
  /// The image averaged to 16 x 16, [row, column, RGB].
  std::array<std::uint8_t, std::size_t{3} * kSide * kSide> colours{};
  /// Nearly one shade: such images are never similar, since only noise would be compared.
  bool flat = false;
};

/// Throws nothing; the image has at least one pixel.
ImageSignature image_signature(const Image& image);

/// Differing bits of two hashes up to which images are compared by their colours. Of the demo's 22
/// drawings and their copies as JPEG of quality 80, at half the size, cropped by 2% on each side
/// and 15% darker, the largest distance is 9; of two different drawings the smallest is 6, so that
/// the hash alone can't decide.
inline constexpr int kSimilarBits = 10;
/// Least correlation of the 16 x 16 colours, each channel around its mean. The least of those
/// copies is 0.95; the largest of different drawings within kSimilarBits is 0.65 (the same drawing
/// in other colours), of those and mirrored ones 0.73.
inline constexpr double kSimilarColours = 0.85;

/// Whether b is a copy of a, by both bounds; nullopt if it isn't. Never `exact`.
std::optional<DuplicateKind> compare_images(const ImageSignature& a, const ImageSignature& b);

/// Groups of images by their signatures, nullopt for those that can't be read, and by content_hash.
/// Images whose hashes differ in at most 11 bits agree in one of four 16-bit quarters up to 2 bits:
/// each is looked up there in four tables, under 137 values each. So 100,000 images take seconds,
/// not 5 * 10^9 comparisons, and the tables 8 MB.
std::vector<DuplicateGroup> group_duplicates(
    std::span<const ImageItem> items, std::span<const std::optional<ImageSignature>> signatures);

/// Duplicates among images' files. JPEG and WebP are decoded at a fraction of their size. Phase
/// "scanning", called on the caller's thread; throws what it throws. An image that can't be read
/// has exact copies only. `threads`: 0 takes one per core, at most 8.
std::vector<DuplicateGroup> find_duplicates(std::span<const ImageItem> items,
                                            const Progress& progress = {}, int threads = 0);

}  // namespace mantissa
