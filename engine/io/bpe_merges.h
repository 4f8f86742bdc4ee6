#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mantissa {

/// The merges of a byte-pair vocabulary (Sennrich et al., arXiv 1508.07909), by token ids.
class BpeMerges {
 public:
  /// Room for `count` merges without rehashing.
  void reserve(std::size_t count);
  /// The pair `left`, `right` becomes `merged`; lower ranks merge first. All ids are at least 0.
  /// Returns false, and changes nothing, if the pair already has a merge.
  bool add(std::int32_t left, std::int32_t right, std::int32_t rank, std::int32_t merged);
  /// Merges the tokens of one word in place: lowest rank first, leftmost among equal ones. Takes
  /// O(n log n) for n tokens.
  void apply(std::vector<std::int32_t>& tokens) const;

 private:
  // Open addressing with linear probing: a lookup is usually one cache miss, which is most of the
  // time that encoding takes.
  struct Slot {
    std::uint64_t pair = kEmpty;
    std::int32_t rank = 0, merged = 0;
  };
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  /// The pair's slot, or the empty one where it would stand.
  std::size_t slot_of(std::uint64_t pair) const;
  const Slot* find(std::int32_t left, std::int32_t right) const;

  std::vector<Slot> slots_;  // a power of two, at most half full
  std::size_t count_ = 0;
};

}  // namespace mantissa
