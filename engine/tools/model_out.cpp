#include "engine/tools/model_out.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "engine/core/ascii.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/overwrite.h"
#include "engine/plan/job_paths.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// Counts each weight when its values are asked for; those of codes are asked for more than once.
void count_weights(ModelContents& model, const ToolWatch& watch) {
  struct Count {
    std::mutex mutex;
    std::int64_t total = 0;
    std::set<std::int64_t> asked;
  };
  const auto count = std::make_shared<Count>();
  for (auto& [part, tensors] : model.parts) {
    for (ModelTensor& tensor : tensors) {
      tensor.fill = [fill = std::move(tensor.fill), tell = watch.progress, count,
                     number = count->total++](std::span<std::byte> out) {
        {
          const std::lock_guard lock(count->mutex);
          count->asked.insert(number);
          tell(std::ssize(count->asked) - 1, count->total);
        }
        fill(out);
      };
    }
  }
}

}  // namespace

bool is_model_file(const std::filesystem::path& out) {
  constexpr std::array<std::string_view, 6> kOthers{".ckpt", ".pt",  ".pth",
                                                    ".bin",  ".sft", ".gguf"};
  const std::string extension = lower_ascii(path_to_utf8(out.extension()));
  if (std::find(kOthers.begin(), kOthers.end(), extension) != kOthers.end()) {
    throw Error(message<"--out {file}: a model is written as a .safetensors file or as a diffusers "
                        "folder, not as {extension}">(path_to_utf8(out), extension));
  }
  return extension == ".safetensors";
}

void require_model_out(const std::string& out, bool overwrite) {
  const std::filesystem::path path = path_from_utf8(out);
  require_output(path, is_model_file(path) ? OutputKind::file : OutputKind::folder, overwrite);
}

void require_model_space(const std::string& out, const ModelContents& model) {
  require_space(path_from_utf8(out), least_bytes(model));
}

WeightSource open_base_of(const ToolRequest& request, std::vector<std::filesystem::path> inputs) {
  const std::filesystem::path path = resolve_base(path_from_utf8(request.base));
  const std::filesystem::path out = path_from_utf8(request.out);
  inputs.push_back(path);
  refuse_input(out, inputs);
  require_model_out(request.out, request.overwrite);
  WeightSource source = WeightSource::open(path);
  refuse_input(out, source.files());  // those that a .json lists
  return source;
}

ModelContents contents_of(const WeightSource& source, const ToolRequest& request) {
  std::optional<DType> dtype;
  if (!request.dtype.empty()) {
    dtype = dtype_of(*enum_from_name<MasterType>(request.dtype));
  }
  return model_contents(source, dtype);
}

void write_model_out(const ToolRequest& request, const WeightSource& source, ModelContents model,
                     const std::map<std::string, std::string>& added, const ToolWatch& watch) {
  std::map<std::string, std::string> metadata = carried_metadata(source);
  for (const auto& [key, text] : added) {
    metadata[key] = text;
  }
  require_model_space(request.out, model);
  if (watch.progress) {
    count_weights(model, watch);
  }
  write_model(path_from_utf8(request.out), model, metadata);
}

}  // namespace mantissa
