#pragma once
// The tags that a tagger knows.

#include <filesystem>
#include <string>
#include <vector>

namespace mantissa {

/// What a tag is about, by the `category` of selected_tags.csv: 9, 0 and 4; all others.
enum class TagKind { rating, general, character, other };

struct Tag {
  std::string name;  ///< as listed, with underscores
  TagKind kind = TagKind::general;
};

/// Tags in the order of the network's outputs, from a table with the columns `name` and `category`
/// (comma-separated, fields may be quoted). Throws Error naming the file, the line and what is
/// wrong with it.
std::vector<Tag> read_tag_list(const std::filesystem::path& file);

/// A tag as captions have it: spaces for underscores, but not in emoticons such as "^_^", which are
/// three characters long or shorter, or hold no letter.
std::string spoken(const std::string& name);

}  // namespace mantissa
