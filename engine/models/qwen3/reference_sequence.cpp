#include "engine/models/qwen3/reference_sequence.h"

#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

/// `part` behind `all`, which may be absent.
void join_onto(Value& all, Value part) {
  all = all ? join_tokens(all, part) : part;
}

}  // namespace

ReferenceSequence::ReferenceSequence(std::int64_t tokens, std::span<const LatentSize> references,
                                     std::span<const std::int64_t> places)
    : tokens_(tokens), references_(references.begin(), references.end()) {
  std::int64_t text = 0;
  const auto add = [&](std::int64_t count, int reference) {
    if (count > 0) {
      runs_.push_back({count, count_, text, reference});
      count_ += count;
      text += reference < 0 ? count : 0;
    }
  };
  for (std::size_t i = 0; i < references.size(); ++i) {
    add(places[i] - text, -1);
    add(references[i].positions(), static_cast<int>(i));
  }
  add(tokens - text, -1);
}

Value ReferenceSequence::joined(Value text, std::span<const Value> references) const {
  if (plain()) {
    return text;
  }
  Value all;
  for (const Run& run : runs_) {
    join_onto(all, run.reference < 0 ? take_tokens(text, run.text, run.count)
                                     : references[static_cast<std::size_t>(run.reference)]);
  }
  return all;
}

Value ReferenceSequence::text_of(Value sequence) const {
  Value all;
  for (const Run& run : runs_) {
    if (run.reference < 0) {
      join_onto(all, take_tokens(sequence, run.begin, run.count));
    }
  }
  return all;
}

}  // namespace mantissa
