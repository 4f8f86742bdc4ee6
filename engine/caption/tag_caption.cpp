#include "engine/caption/tag_caption.h"

#include <algorithm>
#include <utility>

#include "engine/core/ascii.h"

namespace mantissa {
namespace {

std::vector<std::string> tags_of(const std::string& caption) {
  std::vector<std::string> tags;
  for (std::size_t begin = 0; begin <= caption.size();) {
    const std::size_t end = std::min(caption.find(',', begin), caption.size());
    const std::string tag(trimmed(std::string_view(caption).substr(begin, end - begin)));
    if (!tag.empty()) {
      tags.push_back(tag);
    }
    begin = end + 1;
  }
  return tags;
}

std::string joined(const std::vector<std::string>& tags) {
  std::string text;
  for (const std::string& tag : tags) {
    text += (text.empty() ? "" : ", ") + tag;
  }
  return text;
}

}  // namespace

std::vector<std::string> chosen_tags(const std::vector<Tag>& tags, std::span<const float> scores,
                                     const TagOptions& options) {
  // By kind and then by score; equal scores in the list's order.
  std::vector<std::pair<TagKind, std::size_t>> chosen;
  std::size_t rating = tags.size();
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const Tag& tag = tags[i];
    if (tag.kind == TagKind::rating) {
      rating = rating == tags.size() || scores[i] > scores[rating] ? i : rating;
      continue;
    }
    const bool character = tag.kind == TagKind::character;
    const double least = character ? options.character_threshold : options.threshold;
    const bool sure = scores[i] >= static_cast<float>(least);
    if (sure && !options.excluded.contains(tag.name) &&
        !options.excluded.contains(spoken(tag.name))) {
      chosen.emplace_back(tag.kind, i);
    }
  }
  std::ranges::stable_sort(chosen, [&](const auto& a, const auto& b) {
    const bool first = a.first == TagKind::character, second = b.first == TagKind::character;
    return first != second ? first : scores[a.second] > scores[b.second];
  });
  if (options.ratings && rating < tags.size()) {
    chosen.insert(chosen.begin(), {TagKind::rating, rating});
  }
  std::vector<std::string> names;
  for (const auto& [kind, i] : chosen) {
    names.push_back(options.underscores ? tags[i].name : spoken(tags[i].name));
  }
  return names;
}

std::string caption_with(const std::string& before, const std::vector<std::string>& tags,
                         ExistingCaption existing) {
  const std::string old(trimmed(before));
  if (old.empty() || existing == ExistingCaption::replace) {
    return joined(tags);
  }
  if (existing == ExistingCaption::keep) {
    return old;
  }
  const std::vector<std::string> known = tags_of(old);
  std::vector<std::string> added;
  std::ranges::copy_if(tags, std::back_inserter(added), [&](const std::string& tag) {
    const bool sentence = tag.find(',') != std::string::npos;
    return sentence ? old.find(tag) == std::string::npos
                    : std::ranges::find(known, tag) == known.end();
  });
  if (added.empty()) {
    return old;
  }
  return existing == ExistingCaption::append ? old + ", " + joined(added)
                                             : joined(added) + ", " + old;
}

}  // namespace mantissa
