#include "engine/io/weights.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/io/base_files.h"
#include "engine/io/block_scales.h"
#include "engine/io/finite_weights.h"
#include "engine/io/weight_convert.h"
#include "engine/io/weight_data.h"
#include "kernels/rotation.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

Message weight_label(Part part, std::string_view name) {
  return message<"{part} weight '{weight}'">(part.name(), name);
}

Message label_of(const fs::path& path, Part part, std::string_view name) {
  return message<"'{path}': the {weight}">(path_to_utf8(path), weight_label(part, name));
}

/// Keeps, of a convolution in time and space, what acts on the last of a causal convolution's
/// frames, the others being zeros; of a vector [c, 1, ..], the vector.
void take_last_frame(WeightView& view) {
  const Shape s = view.shape;
  if (s.rank() == 5 && s[2] > 0) {
    view.shape = {s[0], s[1], s[3], s[4]};
    view.frames = static_cast<int>(s[2]);
  } else if (s.rank() > 0 && s.count() == s[0]) {
    view.shape = {s[0]};
  }
}

/// Another shape than a vector of six equal parts stays, and fits no weight.
void take_six_rows(WeightView& view) {
  constexpr std::int64_t kRows = 6;
  if (view.shape.rank() == 1 && view.shape[0] % kRows == 0) {
    view.shape = {kRows, view.shape[0] / kRows};
  }
}

}  // namespace

WeightSource WeightSource::open(const fs::path& path) {
  return open(path, nullptr);
}

WeightSource WeightSource::open(const fs::path& path, std::shared_ptr<const ModelNames> names) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw Error(message<"the base model '{path}' does not exist; pass a .safetensors checkpoint or "
                        "a diffusers folder">(path_to_utf8(path)));
  }
  auto data = std::make_shared<WeightData>();
  data->path = path;
  data->names = std::move(names);
  if (fs::is_directory(status)) {
    data->open_folder(path);
  } else if (is_base_files(path)) {
    data->open_parts(read_base_files(path));
  } else {
    data->open_file(path);
  }
  WeightSource source;
  source.data_ = std::move(data);
  return source;
}

WeightSource WeightSource::open(const BaseFiles& files, const fs::path& called) {
  auto data = std::make_shared<WeightData>();
  data->path = called.empty() ? files.parts.at(kDenoiser) : called;
  data->open_parts(files);
  WeightSource source;
  source.data_ = std::move(data);
  return source;
}

const Family& WeightSource::family() const {
  return data_->names->family();
}
const std::shared_ptr<const ModelNames>& WeightSource::model_names() const {
  return data_->names;
}

bool WeightSource::has_part(Part part) const {
  return !data_->part(part).empty();
}

std::vector<std::string> WeightSource::names(Part part) const {
  std::vector<std::string> names;
  for (const auto& [name, weight] : data_->part(part)) {
    names.push_back(name);
  }
  return names;
}

bool WeightSource::contains(Part part, std::string_view name) const {
  return data_->part(part).find(name) != data_->part(part).end();
}

WeightView WeightSource::view(Part part, std::string_view name) const {
  const auto& weights = data_->part(part);
  const auto found = weights.find(name);
  if (found == weights.end()) {
    const Message lacking = weight_label(part, name);
    throw Error(
        message<
            "'{path}' lacks the {weight}; the checkpoint is incomplete or of another architecture">(
            path_to_utf8(data_->path),
            weights.empty() ? message<"{weight} (the whole part is missing)">(lacking) : lacking));
  }
  const WeightData::Weight& weight = found->second;
  const bool is_integer = weight.tensor->type == DType::i8 || weight.tensor->type == DType::u8 ||
                          weight.tensor->type == DType::i32 || weight.tensor->type == DType::i64;
  const bool bare_codes =
      is_integer && weight.scales.empty() && weight.tensor->block_scales == nullptr;
  if (!weight.tensor->type || bare_codes) {
    throw Error(message<"'{path}': the {weight} is stored as {type}, which can't be used; convert "
                        "the checkpoint to BF16, F16 or F32">(
        path_to_utf8(data_->path), weight_label(part, name), weight.tensor->dtype));
  }
  WeightView view;
  view.dtype = *weight.tensor->type;
  view.block_scales = weight.tensor->block_scales;
  view.data = weight.tensor->data;
  view.shape = weight.tensor->shape();
  view.scales = weight.scales;
  view.rotation = weight.rotation;
  if (view.rotation > 0 && view.rotation == rotation_group(view.shape[1])) {
    view.dtype = DType::i8_rotated;
  }
  if (weight.transform == NameTransform::squeeze) {
    view.shape = Shape{view.shape[0], view.shape[1]};
  } else if (weight.transform == NameTransform::split_rows) {
    if (view.shape.rank() == 0 || view.shape[0] % weight.slices != 0) {
      throw Error(message<"'{path}': tensor '{tensor}' must hold {count} projections in equal "
                          "shares of its rows; its shape is {shape}">(
          path_to_utf8(data_->path), weight.tensor->name, weight.slices, view.shape.str()));
    }
    view.shape[0] /= weight.slices;  // one share
    if (is_blocked(view.dtype) && view.stored() % block_values(view.dtype) != 0) {
      throw Error(message<"'{path}': tensor '{tensor}' is stored as {type}, in blocks that don't "
                          "end with its {count} projections; use the model in BF16">(
          path_to_utf8(data_->path), weight.tensor->name, weight.tensor->dtype, weight.slices));
    }
    view.first = view.block_scales != nullptr ? view.stored() * weight.slice : 0;
    view.data += view.bytes() * static_cast<std::size_t>(weight.slice);
    const auto rows = static_cast<std::size_t>(view.shape[0]);
    view.shape[0] *= weight.span;
    if (view.scales.size() > 1) {
      view.scales = view.scales.subspan(static_cast<std::size_t>(weight.slice) * rows,
                                        static_cast<std::size_t>(weight.span) * rows);
    }
  } else if (weight.transform == NameTransform::transpose) {
    if (view.shape.rank() != 2) {
      throw Error(message<"'{path}': tensor '{tensor}' must be a matrix; its shape is {shape}">(
          path_to_utf8(data_->path), weight.tensor->name, view.shape.str()));
    }
    view.shape = Shape{view.shape[1], view.shape[0]};
    view.transposed = true;
  } else if (weight.transform == NameTransform::swap_halves) {
    if (view.shape.rank() == 0 || view.shape[0] % 2 != 0) {
      throw Error(message<"'{path}': tensor '{tensor}' must hold {count} projections in equal "
                          "shares of its rows; its shape is {shape}">(
          path_to_utf8(data_->path), weight.tensor->name, 2, view.shape.str()));
    }
    view.swapped = true;
  } else if (weight.transform == NameTransform::six_rows) {
    take_six_rows(view);
  } else if (weight.transform == NameTransform::last_frame) {
    take_last_frame(view);
  }
  return view;
}

WeightView WeightSource::whole_view(Part part, std::string_view name) const {
  WeightView whole = view(part, name);
  const WeightData::Weight& weight = data_->part(part).find(name)->second;
  if (weight.transform == NameTransform::last_frame) {
    whole.shape = weight.tensor->shape();
    whole.frames = 1;
  }
  return whole;
}

void WeightSource::read_as(Part part, std::string_view name, DType dtype, void* out) const {
  const WeightView stored = view(part, name);
  const WeightData::Weight& weight = data_->part(part).find(name)->second;
  require_finite(stored, "'" + weight.file->label() + "'", weight.tensor->name);
  convert_weight(stored, dtype, out, label_of(data_->path, part, name));
}

void WeightSource::read_whole_as(Part part, std::string_view name, DType dtype, void* out) const {
  const WeightView stored = whole_view(part, name);
  const WeightData::Weight& weight = data_->part(part).find(name)->second;
  require_finite(stored, "'" + weight.file->label() + "'", weight.tensor->name);
  convert_weight(stored, dtype, out, label_of(data_->path, part, name));
}

void WeightSource::read_f32(Part part, std::string_view name, std::span<float> out) const {
  const Shape wanted = shape(part, name);
  if (static_cast<std::int64_t>(out.size()) != wanted.count()) {
    throw Error(Message::verbatim(
        fmt::format("the {} weight '{}' has {} elements {}, the target {}", part.name(), name,
                    wanted.count(), wanted.str(), out.size())));
  }
  read_as(part, name, DType::f32, out.data());
}

std::optional<nlohmann::json> WeightSource::config(Part part) const {
  const auto found = data_->configs.find(part);
  return found == data_->configs.end() ? std::nullopt : std::optional(found->second);
}
const nlohmann::json& WeightSource::model_index() const {
  return data_->index;
}
std::optional<nlohmann::json> WeightSource::scheduler_config() const {
  return data_->scheduler;
}
std::optional<fs::path> WeightSource::tokenizer_folder(Part part) const {
  const auto found = data_->tokenizers.find(part);
  return found == data_->tokenizers.end() ? std::nullopt : std::optional(found->second);
}
std::vector<fs::path> WeightSource::tokenizer_files(Part part) const {
  std::vector<fs::path> files;
  if (const auto folder = tokenizer_folder(part)) {
    for (const auto& entry : fs::directory_iterator(*folder)) {
      if (entry.is_regular_file()) {
        files.push_back(entry.path());
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}
const std::map<std::string, std::string>& WeightSource::metadata() const {
  return data_->metadata;
}
bool WeightSource::single_file() const {
  return data_->single;
}
const fs::path& WeightSource::path() const {
  return data_->path;
}

std::vector<fs::path> WeightSource::own_files(Part part) const {
  std::vector<fs::path> files;
  for (const auto& [index, parts] : data_->parts_of_file) {
    if (!parts.contains(part)) {
      continue;
    }
    if (parts.size() > 1) {
      return {};
    }
    files.push_back(data_->files[index].path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> WeightSource::files() const {
  std::vector<fs::path> files;
  for (const TensorFile& file : data_->files) {
    files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

const std::vector<std::string>& WeightSource::ignored() const {
  return data_->ignored;
}
const std::vector<std::string>& WeightSource::unknown() const {
  return data_->unknown;
}

const std::vector<std::string>& WeightSource::markers() const {
  return data_->markers;
}

bool WeightSource::has_marker(std::string_view name) const {
  return std::find(data_->markers.begin(), data_->markers.end(), name) != data_->markers.end();
}

void require_finite(const WeightSource& source, Part part, std::string_view name) {
  const WeightView view = source.view(part, name);
  if (non_finite_values(view) > 0) {
    std::vector<float> values(static_cast<std::size_t>(view.shape.count()));
    source.read_f32(part, name, values);  // throws with the names in the file
  }
}

}  // namespace mantissa
