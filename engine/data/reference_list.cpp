#include "engine/data/reference_list.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/utf8.h"
#include "engine/data/captions.h"
#include "engine/io/composed_name.h"
#include "engine/io/text_lines.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestLine = 1U << 20;
constexpr std::size_t kNamedLines = 20;  // that are told one by one

/// One spelling for each file, whichever way it is named.
std::string key_of(const fs::path& path) {
  const std::u8string text = fs::absolute(path).lexically_normal().generic_u8string();
  return composed(std::string(text.begin(), text.end()));
}

/// A line as JSON; `place` names it in errors.
Json parsed(std::string_view line, const Message& place) {
  if (const auto bad = utf8_error_offset(line); bad != std::string_view::npos) {
    throw Error(message<"{place} isn't valid UTF-8 at byte {byte}; save it as UTF-8">(place, bad));
  }
  try {
    return Json::parse(line.begin(), line.end());
  } catch (const Json::parse_error& e) {
    throw Error(message<"{file} is not valid JSON: error near byte {byte}">(place, e.byte));
  } catch (const Json::exception&) {
    throw Error(
        message<"{file} holds a number beyond the largest that there is, 1.8e308; correct it">(
            place));
  }
}

/// The text of a key; empty without one.
std::string text_of(const Json& line, const char* key) {
  const auto found = line.is_object() ? line.find(key) : line.end();
  return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The paths of "references": none where it is no text and no list of texts.
std::vector<std::string> reference_names(const Json& line) {
  const auto found = line.is_object() ? line.find("references") : line.end();
  if (found == line.end()) {
    return {};
  }
  const Json list = found->is_array() ? *found : Json::array({*found});
  const bool are_texts = std::ranges::all_of(
      list, [](const Json& name) { return name.is_string() && !name.get<std::string>().empty(); });
  return are_texts ? list.get<std::vector<std::string>>() : std::vector<std::string>();
}

}  // namespace

bool ReferenceList::is_list(const fs::path& path) {
  return path.extension() == ".jsonl";
}

ReferenceList::ReferenceList(const fs::path& file) : file_(file), folder_(file.parent_path()) {
  TextLines lines(file);
  for (std::string_view line; lines.next(line, kLongestLine);) {
    if (line.find_first_not_of(" \t") == std::string_view::npos) {
      continue;
    }
    try {
      if (lines.was_cut()) {
        throw Error(
            message<"{place} is longer than 1 MB; the line is passed over">(place(lines.number())));
      }
      read_line(line, lines.number());
    } catch (const Error& e) {
      bad_.push_back({file_, SkipKind::metadata, e.message()});
    }
  }
}

void ReferenceList::read_line(std::string_view line, std::size_t number) {
  const Message here = place(number);
  const Json json = parsed(line, here);
  const std::string name = text_of(json, "file_name");
  if (name.empty()) {
    throw Error(message<"{place} needs \"{name}\" with a text; the line is passed over">(
        here, "file_name"));
  }
  Entry entry;
  entry.line = number;
  for (const std::string& reference : reference_names(json)) {
    entry.references.push_back(path_of(reference));
  }
  if (entry.references.empty()) {
    throw Error(message<"{place} needs \"references\" with the path of an image, or a list of "
                        "paths; the line is passed over">(here));
  }
  try {
    entry.text = decode_caption(text_of(json, "text")).text;
  } catch (const Error& e) {
    throw Error(message<"{place}: the text {reason}; the line is passed over">(here, e.message()));
  }
  add(name, std::move(entry));
}

void ReferenceList::add(const std::string& name, Entry entry) {
  for (const fs::path& reference : entry.references) {
    references_.emplace(key_of(reference), reference);
  }
  const auto [at, is_new] = entries_.insert_or_assign(key_of(path_of(name)), entry);
  if (!is_new) {
    notices_.push_back(message<"{place} names {file} a second time; the later text is used">(
        place(entry.line), name));
  }
}

fs::path ReferenceList::path_of(const std::string& name) const {
  return folder_ / path_from_utf8(name);
}

Message ReferenceList::place(std::size_t line) const {
  return message<"{file} line {line}">(path_to_utf8(file_), line);
}

const ReferenceList::Entry* ReferenceList::take(const fs::path& image) {
  const auto found = entries_.find(key_of(image));
  if (found == entries_.end()) {
    return nullptr;
  }
  used_.insert(found->first);
  return &found->second;
}

const std::string* ReferenceList::text(const fs::path& image) const {
  const auto found = entries_.find(key_of(image));
  return found == entries_.end() || found->second.text.empty() ? nullptr : &found->second.text;
}

bool ReferenceList::is_reference(const fs::path& file) const {
  const std::string key = key_of(file);
  return references_.contains(key) && !entries_.contains(key);
}

std::vector<fs::path> ReferenceList::named(std::string_view name) const {
  const std::string key = key_of(path_of(std::string(name)));
  const auto is_it = [&](const auto& reference) {
    const std::string& whole = reference.first;
    const std::size_t dot = whole.rfind('.');
    return whole == key || (dot != std::string::npos && whole.substr(0, dot) == key);
  };
  const auto found = std::ranges::find_if(references_, is_it);
  return found == references_.end() ? std::vector<fs::path>() : std::vector{found->second};
}

void ReferenceList::tell(DatasetReport& report) const {
  const std::string file = path_to_utf8(file_);
  const std::size_t named = std::min(bad_.size(), kNamedLines);
  report.skipped.insert(report.skipped.end(), bad_.begin(),
                        bad_.begin() + static_cast<std::ptrdiff_t>(named));
  if (named < bad_.size()) {
    report.skipped.push_back(
        {file_, SkipKind::metadata,
         message<"{file}: {count} more lines are passed over">(file, bad_.size() - named)});
  }
  report.notices.insert(report.notices.end(), notices_.begin(), notices_.end());
  std::size_t lone = 0;
  for (const auto& [image, entry] : entries_) {
    if (!used_.contains(image) && ++lone <= kNamedLines) {
      report.skipped.push_back(
          {file_, SkipKind::lone_reference,
           message<"{place} names {file}, which isn't used with it">(place(entry.line), image)});
    }
  }
  if (lone > kNamedLines) {
    report.skipped.push_back({file_, SkipKind::lone_reference,
                              message<"{file}: {count} more lines name files that aren't used">(
                                  file, lone - kNamedLines)});
  }
}

}  // namespace mantissa
