#include "engine/run/checkpoint.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/amount_text.h"
#include "engine/core/disk_full.h"
#include "engine/core/paths.h"
#include "engine/graph/device_values.h"
#include "engine/io/file.h"
#include "engine/io/finite_weights.h"
#include "engine/io/json_file.h"
#include "engine/io/module_path.h"
#include "engine/io/safetensors.h"

namespace mantissa {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr const char* kTensors = "state.safetensors";
constexpr const char* kState = "state.json";
constexpr const char* kManifest = "manifest.json";
constexpr const char* kPrefix = "step-";
constexpr const char* kTemporary = ".tmp-";

/// Index of the first NaN or infinity, or -1.
template <typename T>
std::int64_t first_non_finite(const View& view) {
  for (std::int64_t i = 0; i < view.count(); ++i) {
    if (!std::isfinite(static_cast<float>(view.as<T>()[i]))) {
      return i;
    }
  }
  return -1;
}

void require_finite(std::span<const NamedBuffer> buffers) {
  for (const NamedBuffer& b : buffers) {
    if (!is_float(b.view.dtype)) {
      continue;  // codes of 8-bit state: their factors are checked
    }
    const std::int64_t at =
        dispatch_float(b.view.dtype, [&]<typename T>() { return first_non_finite<T>(b.view); });
    if (at >= 0) {
      throw Error(ErrorKind::non_finite,
                  message<"an update has made the training state NaN/Inf ({key}, element {index}). "
                          "It is not saved, earlier checkpoints are untouched. Continue from one "
                          "of them with a lower optimizer.learning_rate or a larger optimizer.eps">(
                      b.name, at),
                  "S14");
    }
  }
}

std::string checkpoint_name(std::int64_t step) {
  return fmt::format("{}{:08d}", kPrefix, step);
}

/// The tensors of a checkpoint by today's names: older versions had other heads.
std::map<std::string, const TensorInfo*> canonical_tensors(const SafetensorsFile& file) {
  std::map<std::string, const TensorInfo*> tensors;
  for (const TensorInfo& tensor : file.tensors()) {
    tensors.emplace(canonical_path(tensor.name), &tensor);
  }
  return tensors;
}

/// A file of a checkpoint, as listed in its manifest.
struct ManifestEntry {
  std::string name, sha256;
  std::uint64_t bytes = 0;
};

std::string manifest_text(std::int64_t step, const std::vector<ManifestEntry>& entries) {
  json files = json::array();
  for (const ManifestEntry& e : entries) {
    files.push_back({{"name", e.name}, {"bytes", e.bytes}, {"sha256", e.sha256}});
  }
  json manifest{{"step", step}, {"files", files}};
  manifest["checksum"] = sha256_hex(manifest.dump());
  return manifest.dump(1) + "\n";
}

/// Throws Error describing the problem. Manifests of older versions have no checksum.
std::vector<ManifestEntry> read_manifest(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    throw Error(message<"it has no manifest">());
  }
  const json manifest = read_json(file);
  const bool shaped = manifest.is_object() && manifest.contains("step") &&
                      manifest.contains("files") && manifest["files"].is_array() &&
                      manifest.size() == (manifest.contains("checksum") ? 3 : 2);
  if (!shaped) {
    throw Error(message<"its manifest does not hold step, files and checksum">());
  }
  json promised = manifest;
  promised.erase("checksum");
  if (manifest.contains("checksum") && manifest["checksum"] != sha256_hex(promised.dump())) {
    throw Error(message<"its manifest has another content than its checksum says">());
  }
  std::vector<ManifestEntry> entries;
  std::set<std::string> names;
  for (const json& e : manifest["files"]) {
    const bool row = e.is_object() && e.contains("name") && e["name"].is_string() &&
                     e.contains("bytes") && e["bytes"].is_number_unsigned() &&
                     e.contains("sha256") && e["sha256"].is_string();
    const std::string name = row ? e["name"].get<std::string>() : "";
    // A checkpoint holds plain files; anything else could access foreign files.
    const fs::path plain = path_from_utf8(name);
    if (name.empty() || name == "." || name == ".." || plain.filename() != plain) {
      throw Error(message<"its manifest names no file of the checkpoint in {entry}">(
          e.dump().substr(0, 80)));
    }
    names.insert(name);
    entries.push_back({name, e["sha256"], e["bytes"].get<std::uint64_t>()});
  }
  for (const char* needed : {kTensors, kState}) {
    if (!names.contains(needed)) {
      throw Error(message<"its manifest does not name {file}">(needed));
    }
  }
  return entries;
}

/// A name beside `path` that is free: damaged-<name>, then damaged-<name>-2 and so on.
fs::path free_name_beside(const fs::path& path) {
  const fs::path first = path.parent_path() / ("damaged-" + path_to_utf8(path.filename()));
  fs::path free = first;
  for (int i = 2; fs::exists(free); ++i) {
    free = first;
    free += "-" + std::to_string(i);
  }
  return free;
}

}  // namespace

Shape NamedBuffer::shape() const {
  if (more.empty()) {
    return view.shape;
  }
  std::int64_t count = view.count();
  for (const Share& share : more) {
    count += share.view.count();
  }
  return {count};
}

void NamedBuffer::each(const std::function<void(const Share& share, std::size_t at)>& use) const {
  use({view, device}, 0);
  std::size_t at = stored_bytes(view.dtype, view.count());
  for (const Share& share : more) {
    use(share, at);
    at += stored_bytes(share.view.dtype, share.view.count());
  }
}

std::vector<std::byte> host_bytes(const NamedBuffer& buffer) {
  std::vector<std::byte> bytes(stored_bytes(buffer.view.dtype, buffer.shape().count()));
  buffer.each([&](const NamedBuffer::Share& share, std::size_t at) {
    if (share.device != nullptr) {
      share.device->download(share.view, bytes.data() + at);
    } else {
      std::memcpy(bytes.data() + at, share.view.data,
                  stored_bytes(share.view.dtype, share.view.count()));
    }
  });
  return bytes;
}

std::optional<std::int64_t> checkpoint_step(const fs::path& folder) {
  const std::string name = path_to_utf8(folder.filename());
  const std::string_view prefix = kPrefix;
  if (!name.starts_with(prefix)) {
    return std::nullopt;
  }
  std::int64_t step = 0;
  const char* end = name.data() + name.size();
  const auto [at, error] = std::from_chars(name.data() + prefix.size(), end, step);
  return error == std::errc{} && at == end ? std::optional(step) : std::nullopt;
}

std::string checkpoint_result_name(const std::string& run_name) {
  std::string lower = run_name;  // as in case-insensitive file systems
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower == "state" ? run_name + "-result" : run_name;
}

Message verify_checkpoint(const fs::path& checkpoint) {
  std::error_code error;
  try {
    for (const ManifestEntry& entry : read_manifest(checkpoint / kManifest)) {
      const fs::path member = checkpoint / path_from_utf8(entry.name);
      if (!fs::is_regular_file(member, error)) {
        return message<"{file} is missing">(entry.name);
      }
      if (fs::file_size(member, error) != entry.bytes) {
        return message<"{file} has another size than its manifest says">(entry.name);
      }
      if (sha256_file(member) != entry.sha256) {
        return message<"{file} has another content than its manifest says">(entry.name);
      }
    }
  } catch (const std::exception& e) {
    return message_of(e);
  }
  return {};
}

fs::path CheckpointFolder::save(const CheckpointState& state, std::span<const NamedBuffer> buffers,
                                const std::function<void(const fs::path&)>& write_extra) {
  std::deque<std::vector<std::byte>> fetched;
  std::vector<NamedBuffer> on_host;
  for (const NamedBuffer& b : buffers) {
    const bool fetches = !b.more.empty() || (b.device != nullptr && !b.device->host_memory());
    void* data = fetches ? fetched.emplace_back(host_bytes(b)).data() : b.view.data;
    on_host.push_back({b.name, View(data, b.view.dtype, b.shape()), nullptr, {}});
  }
  require_finite(on_host);
  std::uint64_t bytes = 0;
  std::vector<TensorToWrite> tensors;
  for (const NamedBuffer& b : on_host) {
    tensors.push_back({b.name, b.view.dtype, b.view.shape, b.view.data, {}});
    bytes += static_cast<std::uint64_t>(b.view.count()) * dtype_size(b.view.dtype);
  }
  const std::uint64_t needed = bytes + bytes / 5 + (1U << 16);
  if (const std::uint64_t available = free_disk_bytes(folder_); available < needed) {
    throw DiskFull(folder_, needed,
                   message<"{path}: a checkpoint needs {need}, {free} are free. Make room there; "
                           "earlier checkpoints are untouched">(
                       path_to_utf8(folder_), bytes_text(needed), bytes_text(available)));
  }
  const std::string name = checkpoint_name(state.step);
  const fs::path temporary = folder_ / (kTemporary + name);
  const fs::path target = folder_ / name;
  if (fs::exists(target) && verify_checkpoint(target).empty()) {
    return target;  // a run is a function of its step: the same step holds the same state
  }
  std::error_code ignored;
  fs::remove_all(temporary, ignored);
  try {
    make_folders(temporary);
    write_safetensors(temporary / kTensors, tensors);
    atomic_write(temporary / kState, to_text(state));
    write_extra(temporary);
    std::vector<ManifestEntry> files;
    std::vector<fs::path> members;
    for (const auto& entry : fs::directory_iterator(temporary)) {
      members.push_back(entry.path());
    }
    std::sort(members.begin(), members.end());
    for (const fs::path& member : members) {
      // Read back from the file, so that the manifest matches the disk.
      files.push_back(
          {path_to_utf8(member.filename()), sha256_file(member), fs::file_size(member)});
    }
    atomic_write(temporary / kManifest, manifest_text(state.step, files));
    if (fs::exists(target)) {
      fs::rename(target, free_name_beside(target));  // damaged, but possibly still useful
    }
    rename_durably(temporary, target);
  } catch (...) {
    fs::remove_all(temporary, ignored);
    throw;
  }
  return target;
}

std::vector<fs::path> CheckpointFolder::newest_first() const {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    if (entry.is_directory() && path_to_utf8(entry.path().filename()).starts_with(kPrefix)) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

std::vector<std::pair<fs::path, FileStamp>> CheckpointFolder::stamps() const {
  std::vector<std::pair<fs::path, FileStamp>> stamps;
  for (const fs::path& checkpoint : newest_first()) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(checkpoint, error)) {
      if (entry.is_regular_file(error)) {
        stamps.emplace_back(entry.path(), file_stamp(entry.path()));
      }
    }
  }
  return stamps;
}

std::optional<fs::path> CheckpointFolder::newest_valid(
    const std::function<void(const Message&)>& notice) const {
  for (const fs::path& candidate : newest_first()) {
    const Message problem = verify_checkpoint(candidate);
    if (problem.empty()) {
      return candidate;
    }
    notice(message<"{checkpoint} is not used: {reason}">(path_to_utf8(candidate), problem));
  }
  return std::nullopt;
}

std::optional<CheckpointFolder::Member> CheckpointFolder::newest_member(
    const std::string& name) const {
  for (const fs::path& candidate : newest_first()) {
    try {
      for (const ManifestEntry& entry : read_manifest(candidate / kManifest)) {
        if (entry.name == name) {
          std::string text = read_text(candidate / path_from_utf8(name));
          if (sha256_hex(text) == entry.sha256) {
            return Member{candidate, std::move(text)};
          }
        }
      }
    } catch (const Error&) {  // damaged: an older one may be intact
    }
  }
  return std::nullopt;
}

fs::path CheckpointFolder::set_aside() const {
  const fs::path aside = free_name_beside(folder_);
  rename_durably(folder_, aside);
  fs::create_directories(folder_);
  return aside;
}

CheckpointState CheckpointFolder::load_state(const fs::path& checkpoint) {
  const fs::path file = checkpoint / kState;
  CheckpointState state = parse_checkpoint_state(read_text(file), path_to_utf8(file));
  if (path_to_utf8(checkpoint.filename()) != checkpoint_name(state.step)) {
    throw Error(message<"{file}: field 'step' is {step}, which is not the step of its folder">(
        path_to_utf8(file), state.step));
  }
  return state;
}

CheckpointState CheckpointFolder::load(const fs::path& checkpoint,
                                       std::span<const NamedBuffer> buffers) {
  const SafetensorsFile file = SafetensorsFile::open(checkpoint / kTensors);
  if (file.tensors().size() != buffers.size()) {
    throw Error(message<"{checkpoint}: holds {held} state tensors, this job has {wanted}. Resume "
                        "with the preset the run was started with">(
        file.label(), file.tensors().size(), buffers.size()));
  }
  const std::map<std::string, const TensorInfo*> tensors = canonical_tensors(file);
  for (const NamedBuffer& b : buffers) {
    const auto found = tensors.find(canonical_path(b.name));
    const TensorInfo* tensor = found == tensors.end() ? nullptr : found->second;
    if (tensor == nullptr || tensor->type != b.view.dtype || !(tensor->shape() == b.shape())) {
      throw Error(message<"{checkpoint}: {tensor} should be {type} {shape}. Resume with the "
                          "preset the run was started with">(
          file.label(), b.name, dtype_name(b.view.dtype), b.shape().str()));
    }
    if (is_float(b.view.dtype)) {  // as when it was saved
      require_finite(*tensor, file.label());
    }
  }
  for (const NamedBuffer& b : buffers) {
    const TensorInfo* tensor = tensors.at(canonical_path(b.name));
    b.each([&](const NamedBuffer::Share& share, std::size_t at) {
      const auto* data = static_cast<const std::byte*>(tensor->data) + at;
      if (share.device != nullptr) {
        share.device->upload(data, share.view);
      } else {
        std::memcpy(share.view.data, data, stored_bytes(share.view.dtype, share.view.count()));
      }
    });
  }
  return load_state(checkpoint);
}

std::vector<std::int64_t> CheckpointFolder::prune(int keep) const {
  std::error_code ignored;
  std::vector<std::int64_t> gone;
  int valid = 0;
  for (const fs::path& candidate : newest_first()) {
    if (valid < std::max(keep, 2)) {
      valid += verify_checkpoint(candidate).empty() ? 1 : 0;
    } else {
      fs::remove_all(candidate, ignored);
      if (const auto step = checkpoint_step(candidate); step && !fs::exists(candidate, ignored)) {
        gone.push_back(*step);
      }
    }
  }
  if (valid == 0) {
    return gone;
  }
  std::vector<fs::path> leftovers;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    if (path_to_utf8(entry.path().filename()).starts_with(kTemporary)) {
      leftovers.push_back(entry.path());
    }
  }
  for (const fs::path& leftover : leftovers) {
    fs::remove_all(leftover, ignored);
  }
  return gone;
}

}  // namespace mantissa
