#pragma once
// Captions of an image's scores.

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/caption/tag_list.h"

namespace mantissa {

struct TagOptions {
  double threshold = 0.35;            ///< least score of a general tag
  double character_threshold = 0.75;  ///< of a character
  bool ratings = false;               ///< the likeliest rating too, first
  bool underscores = false;           ///< as the list has them
  std::set<std::string> excluded;     ///< names, with underscores or spaces
};

/// The tags of an image: characters before general tags, each the surest first.
std::vector<std::string> chosen_tags(const std::vector<Tag>& tags, std::span<const float> scores,
                                     const TagOptions& options);

/// What becomes of a caption that an image has already.
enum class ExistingCaption { keep, replace, append, prepend };

/// The caption with `tags`, of which none that it has already is added again.
std::string caption_with(const std::string& before, const std::vector<std::string>& tags,
                         ExistingCaption existing);

}  // namespace mantissa
