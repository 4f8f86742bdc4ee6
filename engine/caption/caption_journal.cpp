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
  return fs::exists(file) ? std::optional(read_text(file)) : std::nullopt;
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

/// Nothing of a damaged line.
std::optional<Entry> read_entry(const nlohmann::json& line) {
  const auto is_text = [&](const char* key) { return line.contains(key) && line[key].is_string(); };
  if (!line.is_object() || !is_text("file") || !is_text("after")) {
    return std::nullopt;
  }
  Entry entry{path_from_utf8(line["file"].get<std::string>()), {}, line["after"]};
  if (is_text("before_hex")) {
    entry.before = bytes_of_hex(line["before_hex"].get_ref<const std::string&>());
    return entry.before ? std::optional(std::move(entry)) : std::nullopt;
  }
  if (is_text("before")) {
    entry.before = line["before"].get<std::string>();
  } else if (!line.contains("before") || !line["before"].is_null()) {
    return std::nullopt;
  }
  return entry;
}

std::vector<Entry> read_journal(const fs::path& journal) {
  std::vector<Entry> entries;
  const std::string text = read_text(journal, std::uint64_t{1} << 30);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
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
  nlohmann::json line{{"file", path_to_utf8(fs::absolute(file))},
                      {"before", before ? nlohmann::json(*before) : nlohmann::json()},
                      {"after", text}};
  if (before && utf8_error_offset(*before) != std::string_view::npos) {
    line.erase("before");
    line["before_hex"] = hex_of(*before);
  }
  make_folders(path_.parent_path());
  append_text(path_, line.dump() + "\n");
  atomic_write(file, text);
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
  UndoneCaptions undone;
  for (const Entry& entry : entries) {
    if (text_of(entry.file) != entry.after) {
      ++undone.changed;
    } else if (entry.before) {
      atomic_write(entry.file, *entry.before);
      ++undone.restored;
    } else {
      fs::remove(entry.file);
      ++undone.removed;
    }
  }
  fs::path done = journal;
  rename_durably(journal, done.replace_extension(".undone"));
  return undone;
}

}  // namespace mantissa
