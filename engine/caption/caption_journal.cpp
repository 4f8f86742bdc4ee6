#include "engine/caption/caption_journal.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system_message.h"
#include "engine/core/utf8.h"
#include "engine/io/file.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

constexpr const char* kExtension = ".jsonl";

fs::path journals() {
  return data_dir() / "captions";
}

/// A file's text; nothing if there is none.
std::optional<std::string> text_of(const fs::path& file) {
  std::error_code none;
  return fs::exists(file, none) ? std::optional(read_text(file)) : std::nullopt;
}

constexpr std::string_view kHexDigits = "0123456789abcdef";

/// Bytes of another encoding than UTF-8, which JSON can't hold.
std::string hex_of(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += {kHexDigits[byte >> 4], kHexDigits[byte & 15u]};
  }
  return hex;
}

std::optional<std::string> bytes_of_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    const std::size_t high = kHexDigits.find(hex[i]), low = kHexDigits.find(hex[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) {
      return std::nullopt;
    }
    bytes.push_back(static_cast<char>(high << 4 | low));
  }
  return hex.size() % 2 == 0 ? std::optional(bytes) : std::nullopt;
}

struct Entry {
  fs::path file;
  std::optional<std::string> before;
  std::string after;
};

/// Stores bytes under `key`, or in hex under "<key>_hex" if they aren't UTF-8.
void put_bytes(nlohmann::json& line, const std::string& key, const std::string& bytes) {
  if (utf8_error_offset(bytes) == std::string_view::npos) {
    line[key] = bytes;
  } else {
    line[key + "_hex"] = hex_of(bytes);
  }
}

std::optional<std::string> bytes_at(const nlohmann::json& line, const std::string& key) {
  if (const auto text = line.find(key); text != line.end() && text->is_string()) {
    return text->get<std::string>();
  }
  const auto hex = line.find(key + "_hex");
  return hex != line.end() && hex->is_string() ? bytes_of_hex(hex->get_ref<const std::string&>())
                                               : std::nullopt;
}

/// Nothing of a damaged line.
std::optional<Entry> read_entry(const nlohmann::json& line) {
  if (!line.is_object()) {
    return std::nullopt;
  }
  const auto file = bytes_at(line, "file"), after = bytes_at(line, "after");
  auto before = bytes_at(line, "before");
  const bool there_was_none = line.contains("before") && line["before"].is_null();
  if (!file || !after || (!before && !there_was_none)) {
    return std::nullopt;
  }
  return Entry{path_from_utf8(*file), std::move(before), *after};
}

std::vector<Entry> read_journal(const fs::path& journal) {
  std::vector<Entry> entries;
  const std::string text = read_text(journal, std::uint64_t{1} << 30);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) {
      break;  // a power cut while the line was written: its caption was not
    }
    const auto line = nlohmann::json::parse(text.substr(begin, end - begin), nullptr, false);
    begin = end + 1;
    std::optional<Entry> entry = read_entry(line);
    if (!entry) {
      throw Error(message<"'{file}', which holds the captions from before, is damaged">(
          path_to_utf8(journal)));
    }
    entries.push_back(std::move(*entry));
  }
  return entries;
}

/// Captions on a disk that isn't connected count as edited to whoever only looks at the files.
void require_folders(const std::vector<Entry>& entries) {
  for (const Entry& entry : entries) {
    std::error_code none;
    if (!fs::is_directory(entry.file.parent_path(), none)) {
      throw Error(message<"{folder} isn't there, which holds captions to put back: connect its "
                          "disk or put the folder back, and try again">(
          path_to_utf8(entry.file.parent_path())));
    }
  }
}

void remove_caption(const fs::path& file) {
  std::error_code error;
  if (fs::remove(file, error); error) {
    throw Error(message<"could not remove {file}: {reason}">("'" + path_to_utf8(file) + "'",
                                                             system_message(error)));
  }
}

/// The newest journal that isn't undone; its name begins with its time.
std::optional<fs::path> latest() {
  std::optional<fs::path> newest;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(journals(), none)) {
    const fs::path& path = entry.path();
    if (path.extension() == kExtension && (!newest || path.filename() > newest->filename())) {
      newest = path;
    }
  }
  return newest;
}

}  // namespace

CaptionJournal::CaptionJournal() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  path_ = journals() / (fmt::format("{:020d}", microseconds) + kExtension);
}

void CaptionJournal::write(const fs::path& file, const std::string& caption) {
  const std::string text = caption + "\n";
  const std::optional<std::string> before = text_of(file);
  if (before == text) {
    return;
  }
  put(file, before, text);
}

void CaptionJournal::rewrite(const fs::path& file, const std::string& before,
                             const std::string& text) {
  if (text_of(file) != before) {
    throw Error(
        message<"'{file}' has changed since it was read; it is left as it is">(path_to_utf8(file)));
  }
  put(file, before, text);
}

void CaptionJournal::put(const fs::path& file, const std::optional<std::string>& before,
                         const std::string& text) {
  std::error_code none;
  // A link stays one: what it leads to is written.
  const fs::path target = fs::is_symlink(file, none) ? fs::canonical(file, none) : file;
  const fs::path place = target.empty() ? file : target;
  nlohmann::json line{{"after", text}};
  put_bytes(line, "file", path_to_utf8(fs::absolute(place)));
  if (before) {
    put_bytes(line, "before", *before);
  } else {
    line["before"] = nullptr;
  }
  make_folders(path_.parent_path());
  append_text(path_, line.dump() + "\n");
  sync_file(path_);  // what was there is safe before it is replaced
  if (written_ == 0) {
    sync_folder(path_.parent_path());
  }
  atomic_write(place, text);
  ++written_;
}

std::optional<UndoneCaptions> undo_captions() {
  const std::optional<fs::path> journal = latest();
  return journal ? undo_captions(*journal) : std::nullopt;
}

std::optional<UndoneCaptions> undo_captions(const fs::path& journal) {
  if (!fs::exists(journal)) {
    return std::nullopt;
  }
  std::vector<Entry> entries = read_journal(journal);
  std::ranges::reverse(entries);
  require_folders(entries);
  UndoneCaptions undone;
  for (const Entry& entry : entries) {
    const std::optional<std::string> now = text_of(entry.file);
    if (now == entry.before) {
      continue;  // it was never written, or is back already
    }
    if (now != entry.after) {
      ++undone.changed;
    } else if (entry.before) {
      atomic_write(entry.file, *entry.before);
      ++undone.restored;
    } else {
      remove_caption(entry.file);
      ++undone.removed;
    }
  }
  fs::path done = journal;
  rename_durably(journal, done.replace_extension(".undone"));
  return undone;
}

}  // namespace mantissa
