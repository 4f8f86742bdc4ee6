#include "engine/io/bpe_merges.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

namespace mantissa {

namespace {

std::uint64_t pair_of(std::int32_t left, std::int32_t right) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 |
         static_cast<std::uint32_t>(right);
}

/// Ids are small and consecutive; all their bits must reach the lowest ones (SplitMix64's mixer,
/// Steele et al. 2014).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct Symbol {
  std::int32_t id = 0;  // -1: part of its left neighbour
  int previous = -1, next = -1;
};

struct Candidate {
  std::int32_t rank = 0;
  int position = 0;  // of the left symbol
  std::int32_t merged = 0;
  bool operator>(const Candidate& other) const {
    return std::tie(rank, position) > std::tie(other.rank, other.position);
  }
};

}  // namespace

void BpeMerges::reserve(std::size_t count) {
  std::size_t size = 16;
  while (size < 2 * count) {
    size *= 2;
  }
  if (size <= slots_.size()) {
    return;
  }
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(size));
  for (const Slot& slot : old) {
    if (slot.pair != kEmpty) {
      slots_[slot_of(slot.pair)] = slot;
    }
  }
}

std::size_t BpeMerges::slot_of(std::uint64_t pair) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = static_cast<std::size_t>(mixed(pair)) & mask;
  while (slots_[at].pair != kEmpty && slots_[at].pair != pair) {
    at = (at + 1) & mask;
  }
  return at;
}

const BpeMerges::Slot* BpeMerges::find(std::int32_t left, std::int32_t right) const {
  if (slots_.empty()) {
    return nullptr;
  }
  const Slot& slot = slots_[slot_of(pair_of(left, right))];
  return slot.pair == kEmpty ? nullptr : &slot;
}

bool BpeMerges::add(std::int32_t left, std::int32_t right, std::int32_t rank, std::int32_t merged) {
  reserve(count_ + 1);
  Slot& slot = slots_[slot_of(pair_of(left, right))];
  if (slot.pair != kEmpty) {
    return false;
  }
  slot = {pair_of(left, right), rank, merged};
  ++count_;
  return true;
}

void BpeMerges::apply(std::vector<std::int32_t>& tokens) const {
  const int count = static_cast<int>(tokens.size());
  std::vector<Symbol> symbols(tokens.size());
  for (int i = 0; i < count; ++i) {
    symbols[static_cast<std::size_t>(i)] = {tokens[static_cast<std::size_t>(i)], i - 1,
                                            i + 1 < count ? i + 1 : -1};
  }
  const auto symbol = [&](int i) -> Symbol& { return symbols[static_cast<std::size_t>(i)]; };
  std::vector<Candidate> storage;
  storage.reserve(tokens.size());
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue({},
                                                                               std::move(storage));
  const auto consider = [&](int left) {
    if (left < 0 || symbol(left).next < 0) {
      return;
    }
    if (const Slot* merge = find(symbol(left).id, symbol(symbol(left).next).id)) {
      queue.push({merge->rank, left, merge->merged});
    }
  };
  for (int i = 0; i + 1 < count; ++i) {
    consider(i);
  }
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Symbol& left = symbol(best.position);
    if (left.id < 0 || left.next < 0) {
      continue;  // merged since it was queued
    }
    Symbol& right = symbol(left.next);
    const Slot* merge = find(left.id, right.id);
    if (merge == nullptr || merge->merged != best.merged) {
      continue;  // one of the two has changed
    }
    left.id = best.merged;
    left.next = right.next;
    right.id = -1;
    if (left.next >= 0) {
      symbol(left.next).previous = best.position;
    }
    consider(left.previous);
    consider(best.position);
  }
  tokens.clear();
  for (int i = 0; i >= 0 && i < count; i = symbol(i).next) {
    tokens.push_back(symbol(i).id);
  }
}

}  // namespace mantissa
