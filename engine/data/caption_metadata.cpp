#include "engine/data/caption_metadata.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/captions.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMaxMetadataBytes = 64u << 20;

}  // namespace

void CaptionMetadata::read(const fs::path& file, DatasetReport& report) {
  std::string text;
  try {
    DecodedCaption decoded = decode_text(read_text(file, kMaxMetadataBytes));
    text = std::move(decoded.text);
    if (!decoded.notice.empty()) {
      report.notices.push_back(message<"{path}: {notice}">(path_to_utf8(file), decoded.notice));
    }
  } catch (const Error& e) {
    report.skipped.push_back({file, SkipKind::metadata, e.message()});
    return;
  }
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.find_first_not_of(" \t") == std::string_view::npos) {
      continue;
    }
    const Message place = message<"{file} line {line}">(path_to_utf8(file), number);
    try {
      add(file.parent_path(), parse_json(line, place), place, report);
    } catch (const Error& e) {
      report.skipped.push_back({file, SkipKind::metadata, e.message()});
    }
  }
}

void CaptionMetadata::add(const fs::path& folder, const nlohmann::json& fields,
                          const Message& place, DatasetReport& report) {
  const auto field = [&](const char* name) {
    const auto found = fields.is_object() ? fields.find(name) : fields.end();
    if (!fields.is_object() || found == fields.end() || !found->is_string()) {
      throw Error(
          message<"{place} needs \"{name}\" with a text; the line is passed over">(place, name));
    }
    return found->get<std::string>();
  };
  const fs::path named = path_from_utf8(field("file_name"));
  const fs::path relative = named.lexically_normal();
  if (named.empty() || named.has_root_path() || *relative.begin() == "..") {
    throw Error(
        message<"{place} names \"{file}\", which isn't inside its folder; the line is passed over">(
            place, path_to_utf8(named)));
  }
  const auto depth = static_cast<std::size_t>(std::distance(folder.begin(), folder.end()));
  Line line{field("text"), depth, place, false};
  try {
    line.text = decode_caption(line.text).text;
  } catch (const Error& e) {
    throw Error(message<"{place}: the text {reason}; the line is passed over">(place, e.message()));
  }
  const fs::path key = (folder / relative).lexically_normal();
  const auto [at, fresh] = lines_.try_emplace(key, line);
  if (!fresh) {
    if (at->second.depth == depth) {
      report.notices.push_back(
          message<"{place} names {file} a second time; the later text is used">(place,
                                                                                path_to_utf8(key)));
    }
    if (depth >= at->second.depth) {
      at->second = std::move(line);
    }
  }
}

const std::string* CaptionMetadata::take(const fs::path& image) {
  const auto found = lines_.find(image);
  if (found == lines_.end()) {
    return nullptr;
  }
  found->second.used = true;
  return &found->second.text;
}

void CaptionMetadata::tell_unused(DatasetReport& report) const {
  for (const auto& [file, line] : lines_) {
    if (!line.used) {
      report.notices.push_back(message<"{place} names {file}, which isn't used with it">(
          line.place, path_to_utf8(file)));
    }
  }
}

}  // namespace mantissa
