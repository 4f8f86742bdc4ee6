#include "engine/data/cache.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/core/disk_full.h"
#include "engine/core/paths.h"
#include "engine/core/system_message.h"
#include "engine/data/finite_encoding.h"
#include "engine/io/file.h"
#include "engine/io/safetensors.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

// Part of every key: raise it when the meaning of an entry changes.
constexpr const char* kFormat = "mantissa-cache-2";

// Joins fields unambiguously.
std::string hash_fields(std::initializer_list<std::string> fields) {
  Sha256 hash;
  hash.update(std::string_view(kFormat));
  for (const std::string& field : fields) {
    hash.update(std::to_string(field.size()) + ":");
    hash.update(field);
  }
  return hash.hex();
}

using Metadata = std::map<std::string, std::string>;

/// Checksum of the values, in FP32 whatever type they are stored in, and of what the entry is told
/// by.
std::string checksum(const std::map<std::string, HostTensor>& tensors, const Metadata& metadata) {
  Sha256 hash;
  for (const char* key : {"kind", "base"}) {
    if (const auto found = metadata.find(key); found != metadata.end()) {
      hash.update(std::string(key) + " " + std::to_string(found->second.size()) + ":");
      hash.update(found->second);
    }
  }
  for (const auto& [name, tensor] : tensors) {
    hash.update(name + tensor.shape.str());
    hash.update(std::as_bytes(std::span(tensor.data)));
  }
  return hash.hex();
}

template <typename Stored>
std::vector<float> widened(const TensorInfo& info) {
  std::vector<float> values(static_cast<std::size_t>(info.count()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, info.data + i * sizeof(Stored), sizeof(Stored));
    values[i] = static_cast<float>(stored);
  }
  return values;
}

std::vector<float> stored_values(const TensorInfo& info) {
  if (info.type == DType::f32) {
    return widened<float>(info);
  }
  if (info.type == DType::bf16) {
    return widened<bfloat16>(info);
  }
  if (info.type == DType::f16) {
    return widened<float16>(info);
  }
  throw Error(
      message<"tensor {tensor} is {type} instead of F32, BF16 or F16">(info.name, info.dtype));
}

/// Rounds the values and gives them in two bytes each; leaves them as they are, and gives nothing,
/// if one of them is beyond the type's range.
template <typename Stored>
std::vector<std::uint16_t> narrow(std::vector<float>& values) {
  std::vector<std::uint16_t> codes;
  codes.reserve(values.size());
  for (const float value : values) {
    codes.push_back(Stored(value).bits);
    if (!std::isfinite(static_cast<float>(Stored(value)))) {
      return {};
    }
  }
  for (float& value : values) {
    value = static_cast<float>(Stored(value));
  }
  return codes;
}

std::vector<std::uint16_t> narrow(std::vector<float>& values, DType type) {
  return type == DType::bf16  ? narrow<bfloat16>(values)
         : type == DType::f16 ? narrow<float16>(values)
                              : std::vector<std::uint16_t>();
}

/// Once a day, so that reading every step writes nothing.
void note_use(const fs::path& path) {
  std::error_code error;
  const fs::file_time_type now = fs::file_time_type::clock::now();
  const fs::file_time_type last = fs::last_write_time(path, error);
  if (!error && now - last > std::chrono::hours(24)) {
    fs::last_write_time(path, now, error);  // a read-only cache stays as it is
  }
}

// The entry's tensors; throws Error if anything about the file is wrong.
std::map<std::string, HostTensor> read_entry(const fs::path& path) {
  const SafetensorsFile file = SafetensorsFile::open(path);
  std::map<std::string, HostTensor> tensors;
  for (const TensorInfo& info : file.tensors()) {
    tensors.emplace(info.name, HostTensor{info.shape(), stored_values(info)});
  }
  const auto sum = file.metadata().find("checksum");
  if (sum == file.metadata().end() || sum->second != checksum(tensors, file.metadata())) {
    throw Error(message<"its checksum doesn't fit its content">());
  }
  if (!is_finite(tensors)) {
    throw Error(message<"it holds NaN or infinity">());
  }
  return tensors;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    const Message why = message<
        "the cache folder {folder} can't be made: {reason}; make room or choose another with "
        "MANTISSA_HOME">(path_to_utf8(folder), system_message(error));
    if (error == std::errc::no_space_on_device) {
      throw DiskFull(folder, 0, why);
    }
    throw Error(why);
  }
}

std::string numbers_of(const Placement& p, int last) {
  std::string numbers;
  for (const int n : {p.original_width, p.original_height, p.scaled_width, p.scaled_height, p.left,
                      p.top, p.bucket.width, p.bucket.height, last}) {
    numbers += std::to_string(n) + ",";
  }
  // Only where there is one: the keys of everything else stay as they were.
  if (p.angle != 0) {
    numbers += fmt::format("angle {}", p.angle);
  }
  if (p.pillow) {
    numbers += "pillow";
  }
  return numbers;
}

std::string colors_of(const ColorChange& c) {
  return c == ColorChange{}
             ? ""
             : fmt::format("color {},{},{},{}", c.brightness, c.contrast, c.saturation, c.hue);
}

}  // namespace

std::string cache_key(const LatentKey& key) {
  return hash_fields(
      {"latent", key.content_hash,
       numbers_of(key.placement, static_cast<int>(key.flipped)) + colors_of(key.color),
       key.fingerprint});
}

std::string cache_key(const MaskKey& key) {
  return hash_fields({key.mode == MaskMode::alpha ? "alpha mask" : "mask", key.content_hash,
                      numbers_of(key.placement, key.factor)});
}

std::string cache_key(const TextKey& key) {
  std::string references;
  for (const LatentKey& reference : key.references) {
    references += ' ' + cache_key(reference);
  }
  return key.references.empty()
             ? hash_fields({"text", key.caption, key.fingerprint})
             : hash_fields({"text beside", key.caption, key.fingerprint, references});
}

TensorCache::TensorCache(fs::path folder, Notice notice)
    : folder_(std::move(folder)), notice_(std::move(notice)) {
  make_folder(folder_);
}

fs::path TensorCache::path_of(const std::string& key) const {
  return folder_ / path_from_utf8(key.substr(0, 2)) / path_from_utf8(key + ".safetensors");
}

bool TensorCache::contains(const std::string& key) const {
  const fs::path path = path_of(key);
  try {
    return is_file(path) && SafetensorsFile::open(path).metadata().contains("checksum");
  } catch (const Error&) {
    return false;
  }
}

bool TensorCache::get(const std::string& key, const std::string& source,
                      std::map<std::string, HostTensor>& tensors) const {
  const fs::path path = path_of(key);
  if (!is_file(path)) {
    return false;
  }
  std::map<std::string, HostTensor> found;
  try {
    found = read_entry(path);
  } catch (const Error& e) {
    std::error_code ignored;
    fs::remove(path, ignored);
    if (notice_) {
      notice_(message<"the cached encoding of {source} ({file}) is damaged and will be recomputed: "
                      "{reason}">(source, path_to_utf8(path), message_of(e)));
    }
    return false;
  }
  tensors = std::move(found);
  note_use(path);
  return true;
}

void TensorCache::put(const std::string& key, const std::string& source,
                      const std::map<std::string, HostTensor>& tensors,
                      const EntryForm& form) const {
  std::map<std::string, HostTensor> rounded = tensors;
  std::vector<TensorToWrite> list;
  std::map<std::string, std::vector<std::uint16_t>> narrowed;  // alive until all is written
  for (auto& [name, tensor] : rounded) {
    if (static_cast<std::size_t>(tensor.shape.count()) != tensor.data.size()) {
      throw Error(Message::verbatim(
          fmt::format("the encoded tensor \"{}\" of {} has shape {} but {} values", name, source,
                      tensor.shape.str(), tensor.data.size())));
    }
    const auto type = form.types.find(name);
    const std::vector<std::uint16_t>& codes = narrowed[name] =
        type == form.types.end() ? std::vector<std::uint16_t>() : narrow(tensor.data, type->second);
    if (codes.empty()) {
      list.push_back({name, DType::f32, tensor.shape, tensor.data.data(), {}});
    } else {
      list.push_back({name, type->second, tensor.shape, codes.data(), {}});
    }
  }
  Metadata metadata;
  if (!form.kind.empty()) {
    metadata = {{"kind", form.kind}, {"base", form.base}};
  }
  metadata["checksum"] = checksum(rounded, metadata);
  const fs::path path = path_of(key);
  make_folder(path.parent_path());
  write_safetensors(path, list, metadata);
}

}  // namespace mantissa
