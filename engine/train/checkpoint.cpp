#include "engine/train/checkpoint.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/core/disk_full.h"
#include "engine/core/paths.h"
#include "engine/graph/device_values.h"
#include "engine/io/file.h"
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

json state_to_json(const CheckpointState& s) {
  return {{"mantissa_checkpoint", 1},
          {"step", s.step},
          {"updates", s.updates},
          {"skips_in_row", s.skips_in_row},
          {"loss_scale", s.loss_scale},
          {"growth_counter", s.growth_counter},
          {"seed", s.seed},
          {"optimizer_updates", s.optimizer_updates},
          {"dataset", s.dataset},
          {"plan", json::parse(s.plan)},
          {"preset", json::parse(s.preset)}};
}

CheckpointState state_from_json(const json& j) {
  CheckpointState s;
  s.step = j.at("step");
  s.updates = j.at("updates");
  s.skips_in_row = j.at("skips_in_row");
  s.loss_scale = j.at("loss_scale");
  s.growth_counter = j.at("growth_counter");
  s.seed = j.at("seed");
  s.optimizer_updates = j.at("optimizer_updates").get<std::map<std::string, std::int64_t>>();
  s.dataset = j.at("dataset");
  s.plan = j.at("plan").dump();
  s.preset = j.at("preset").dump();
  return s;
}

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
                  fmt::format("{} holds a non-finite value at element {}; this state is not saved, "
                              "earlier checkpoints are untouched",
                              b.name, at),
                  "S14");
    }
  }
}

}  // namespace

std::string verify_checkpoint(const fs::path& checkpoint) {
  const fs::path file = checkpoint / kManifest;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    return "it has no manifest";
  }
  try {
    const json manifest = json::parse(read_text(file));
    for (const json& entry : manifest.at("files")) {
      const std::string name = entry.at("name");
      const fs::path member = checkpoint / path_from_utf8(name);
      if (!fs::is_regular_file(member, error)) {
        return name + " is missing";
      }
      if (fs::file_size(member, error) != entry.at("bytes").get<std::uint64_t>()) {
        return name + " has another size than its manifest says";
      }
      if (sha256_file(member) != entry.at("sha256").get<std::string>()) {
        return name + " has another content than its manifest says";
      }
    }
  } catch (const std::exception& e) {
    return std::string("its manifest can't be read: ") + e.what();
  }
  return {};
}

fs::path CheckpointFolder::save(const CheckpointState& state, std::span<const NamedBuffer> buffers,
                                const std::function<void(const fs::path&)>& write_extra) {
  std::deque<std::vector<std::byte>> fetched;
  std::vector<NamedBuffer> on_host;
  for (const NamedBuffer& b : buffers) {
    on_host.push_back(b);
    if (b.device != nullptr && !b.device->host_memory()) {
      on_host.back().view.data = fetched.emplace_back(host_bytes(*b.device, b.view)).data();
    }
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
    throw DiskFull(
        folder_, needed,
        fmt::format("{}: a checkpoint needs {} bytes, {} are free. Make room there; earlier "
                    "checkpoints are untouched",
                    path_to_utf8(folder_), needed, available));
  }
  const std::string name = fmt::format("{}{:08d}", kPrefix, state.step);
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
    atomic_write(temporary / kState, state_to_json(state).dump(1) + "\n");
    write_extra(temporary);
    json files = json::array();
    std::vector<fs::path> members;
    for (const auto& entry : fs::directory_iterator(temporary)) {
      members.push_back(entry.path());
    }
    std::sort(members.begin(), members.end());
    for (const fs::path& member : members) {
      // Read back from the file, so that what is promised is what is on disk.
      files.push_back({{"name", path_to_utf8(member.filename())},
                       {"bytes", fs::file_size(member)},
                       {"sha256", sha256_file(member)}});
    }
    atomic_write(temporary / kManifest,
                 json{{"step", state.step}, {"files", files}}.dump(1) + "\n");
    fs::remove_all(target, ignored);  // there only when it is damaged
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

std::optional<fs::path> CheckpointFolder::newest_valid(
    const std::function<void(const std::string&)>& notice) const {
  for (const fs::path& candidate : newest_first()) {
    const std::string problem = verify_checkpoint(candidate);
    if (problem.empty()) {
      return candidate;
    }
    notice(path_to_utf8(candidate) + " is not used: " + problem);
  }
  return std::nullopt;
}

CheckpointState CheckpointFolder::load(const fs::path& checkpoint,
                                       std::span<const NamedBuffer> buffers) {
  const SafetensorsFile file = SafetensorsFile::open(checkpoint / kTensors);
  if (file.tensors().size() != buffers.size()) {
    throw Error(
        fmt::format("{}: holds {} state tensors, this job has {}. Resume with the preset "
                    "the run was started with",
                    file.label(), file.tensors().size(), buffers.size()));
  }
  for (const NamedBuffer& b : buffers) {
    const TensorInfo* tensor = file.find(b.name);
    if (tensor == nullptr || tensor->type != b.view.dtype || !(tensor->shape() == b.view.shape)) {
      throw Error(
          fmt::format("{}: {} should be {} {}. Resume with the preset the run was started with",
                      file.label(), b.name, dtype_name(b.view.dtype), b.view.shape.str()));
    }
  }
  for (const NamedBuffer& b : buffers) {
    const TensorInfo* tensor = file.find(b.name);
    if (b.device != nullptr) {
      b.device->upload(tensor->data, b.view);
    } else {
      std::memcpy(b.view.data, tensor->data, tensor->bytes);
    }
  }
  try {
    return state_from_json(json::parse(read_text(checkpoint / kState)));
  } catch (const json::exception& e) {
    throw Error(fmt::format("{}: damaged ({})", path_to_utf8(checkpoint / kState), e.what()));
  }
}

void CheckpointFolder::prune(int keep) const {
  std::error_code ignored;
  int valid = 0;
  for (const fs::path& candidate : newest_first()) {
    if (valid < std::max(keep, 2)) {
      valid += verify_checkpoint(candidate).empty() ? 1 : 0;
    } else {
      fs::remove_all(candidate, ignored);
    }
  }
  if (valid == 0) {
    return;
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
}

}  // namespace mantissa
