#include "engine/io/content_hashes.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"

namespace mantissa {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kFormat = "mantissa-hash-1";

std::vector<FileStamp> stamps_of(std::span<const fs::path> files) {
  std::vector<FileStamp> stamps;
  for (const fs::path& file : files) {
    stamps.push_back(file_stamp(file));
  }
  return stamps;
}

/// Whether any later write is certain to change the stamp.
bool settled(const std::vector<FileStamp>& stamps, std::int64_t now) {
  return std::all_of(stamps.begin(), stamps.end(), [now](const FileStamp& s) {
    return s.changed_ns > 0 &&
           std::max(s.changed_ns, s.modified_ns) < now - ContentHashes::kSettledNs;
  });
}

json to_json(const std::vector<FileStamp>& stamps) {
  json list = json::array();
  for (const FileStamp& s : stamps) {
    list.push_back({s.file, s.bytes, s.modified_ns, s.changed_ns});
  }
  return list;
}

/// The cached value; empty if there is none for these stamps, or it is damaged.
std::string read_entry(const fs::path& entry, const std::string& key, const json& stamps) {
  std::error_code none;
  if (!fs::is_regular_file(entry, none)) {
    return {};
  }
  try {
    json found = json::parse(read_text(entry, 1U << 20));
    const std::string checksum = found.at("checksum");
    found.erase("checksum");
    const bool whole = sha256_hex(found.dump()) == checksum;
    return whole && found.at("key") == key && found.at("stamps") == stamps
               ? found.at("value").get<std::string>()
               : std::string();
  } catch (const std::exception&) {
    return {};  // damaged: recomputed
  }
}

void write_entry(const fs::path& entry, const std::string& key, const json& stamps,
                 const std::string& value) {
  json made{{"key", key}, {"stamps", stamps}, {"value", value}};
  made["checksum"] = sha256_hex(made.dump());
  try {
    fs::create_directories(entry.parent_path());
    atomic_write(entry, made.dump() + "\n");
  } catch (const std::exception&) {  // a full disk only costs rehashing
  }
}

/// Reads instead of mapping: a file truncated meanwhile is an error, not a signal.
std::string hash_file(const fs::path& path, const Progress& progress) {
  constexpr std::size_t kChunk = 4U << 20;
  constexpr std::uint64_t kMiB = 1U << 20;
  const std::string label = "'" + path_to_utf8(path) + "'";
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw Error(message<"can't open {file} to read it">(label));
  }
  const std::uint64_t total = file_stamp(path).bytes;
  std::vector<char> buffer(static_cast<std::size_t>(
      std::clamp<std::uint64_t>(total, 1, static_cast<std::uint64_t>(kChunk))));
  Sha256 hash;
  std::uint64_t done = 0;
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), in.gcount() > 0) {
    const auto count = static_cast<std::size_t>(in.gcount());
    hash.update(std::as_bytes(std::span(buffer.data(), count)));
    done += count;
    if (progress && total >= kMiB) {
      progress(RunPhase::hashing, static_cast<std::int64_t>(done / kMiB),
               static_cast<std::int64_t>(std::max(done, total) / kMiB));
    }
  }
  if (in.bad() || done != total) {
    throw Error(
        message<"could not read all of {file}: {done} of {bytes} bytes came; check the disk">(
            label, done, total));
  }
  return hash.hex();
}

}  // namespace

ContentHashes::ContentHashes(fs::path folder) : folder_(std::move(folder)) {}

ContentHashes ContentHashes::shared() {
  return ContentHashes(cache_dir() / "hashes");
}

std::string ContentHashes::of_file(const fs::path& path, const Progress& progress) const {
  return remember("file", std::span(&path, 1), [&] { return hash_file(path, progress); });
}

std::string ContentHashes::remember(std::string_view what, std::span<const fs::path> files,
                                    const std::function<std::string()>& compute) const {
  std::string key = std::string(kFormat) + " " + std::string(what);
  for (const fs::path& file : files) {
    key += "\n" + path_to_utf8(fs::absolute(file).lexically_normal());
  }
  const std::string name = sha256_hex(key);
  const fs::path entry = folder_ / name.substr(0, 2) / (name + ".json");
  const std::int64_t begun = file_clock_ns();
  const std::vector<FileStamp> stamps = stamps_of(files);
  const json known = to_json(stamps);
  if (std::string value = read_entry(entry, name, known); !value.empty()) {
    return value;
  }
  std::string value = compute();
  const std::vector<FileStamp> after = stamps_of(files);
  for (std::size_t i = 0; i < stamps.size(); ++i) {
    if (!(after[i] == stamps[i])) {
      throw Error(
          message<"'{file}' changed while it was read; wait until it is written, then start again">(
              path_to_utf8(files[i])));
    }
  }
  if (settled(stamps, begun)) {
    write_entry(entry, name, known, value);
  }
  return value;
}

}  // namespace mantissa
