#include "engine/io/clip_chunks.h"

#include <algorithm>

#include "engine/io/emphasis.h"

namespace mantissa {
namespace {

struct Words {
  std::vector<std::int32_t> ids;
  std::vector<float> weights;
};

Words words_of(const ClipTokenizer& tokenizer, std::string_view caption, bool weighted) {
  Words words;
  const std::vector<WeightedText> texts =
      weighted ? parse_emphasis(caption) : std::vector<WeightedText>{{std::string(caption), 1.0F}};
  for (const WeightedText& text : texts) {
    for (std::int32_t id : tokenizer.encode(text.text)) {
      words.ids.push_back(id);
      words.weights.push_back(text.weight);
    }
  }
  return words;
}

}  // namespace

ClipChunks clip_chunks(const ClipTokenizer& tokenizer, std::string_view caption, int length,
                       int chunks, int pad_id, bool weighted) {
  const Words words = words_of(tokenizer, caption, weighted);
  const auto piece = static_cast<std::size_t>(length - 2);
  const std::size_t slots = piece * static_cast<std::size_t>(chunks);
  const std::size_t used = std::min(words.ids.size(), slots);
  const std::int32_t bos = tokenizer.bos_id(), eos = tokenizer.eos_id();
  // The whole as one: BOS, ids, EOS, padding; its outer two slots are not part of any chunk.
  std::vector<std::int32_t> inner(words.ids.begin(),
                                  words.ids.begin() + static_cast<std::ptrdiff_t>(used));
  const std::int32_t last = used == slots ? eos : pad_id;
  if (used < slots) {
    inner.push_back(eos);
  }
  inner.resize(slots, pad_id);
  ClipChunks result;
  result.weights.assign(slots + 2, 1.0F);
  std::copy_n(words.weights.begin(), used, result.weights.begin() + 1);
  for (std::size_t begin = 0; begin < slots; begin += piece) {
    const std::size_t at = result.ids.size();
    result.ids.push_back(bos);
    result.ids.insert(result.ids.end(), inner.begin() + static_cast<std::ptrdiff_t>(begin),
                      inner.begin() + static_cast<std::ptrdiff_t>(begin + piece));
    result.ids.push_back(last);
    if (const std::int32_t end = result.ids[at + piece]; end != eos && end != pad_id) {
      result.ids[at + piece + 1] = eos;
    }
    if (result.ids[at + 1] == pad_id) {
      result.ids[at + 1] = eos;
    }
  }
  return result;
}

std::int64_t clip_length(const ClipTokenizer& tokenizer, std::string_view caption, bool weighted) {
  return std::ssize(words_of(tokenizer, caption, weighted).ids);
}

int clip_chunks_needed(const ClipTokenizer& tokenizer, std::string_view caption, int length,
                       bool weighted) {
  const std::int64_t piece = length - 2;
  const std::int64_t count = clip_length(tokenizer, caption, weighted);
  return std::max(1, static_cast<int>((count + piece - 1) / piece));
}

}  // namespace mantissa
