#include "tests/engine/models/support.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/core/error.h"

namespace mantissa::testing_support {

Reference::Reference(const std::string& name)
    : file_(SafetensorsFile::open(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/reference" /
                                  name)) {}

const TensorInfo& Reference::info(const std::string& name) const {
  const TensorInfo* tensor = file_.find(name);
  if (tensor == nullptr) {
    throw Error(Message::verbatim(file_.label() + " has no " + name));
  }
  return *tensor;
}

std::vector<float> Reference::raw(const std::string& name) const {
  const TensorInfo& tensor = info(name);
  if (tensor.dtype != "F32") {
    throw Error(Message::verbatim(name + " is not F32"));
  }
  std::vector<float> out(static_cast<std::size_t>(tensor.count()));
  std::memcpy(out.data(), tensor.data, tensor.bytes);
  return out;
}

std::vector<float> Reference::values(const std::string& name) const {
  const std::vector<float> in = raw(name);
  const Shape s = info(name).shape();
  if (s.rank() != 4) {
    return in;
  }
  std::vector<float> out(in.size());
  for (std::int64_t b = 0; b < s[0]; ++b) {
    for (std::int64_t c = 0; c < s[1]; ++c) {
      for (std::int64_t p = 0; p < s[2] * s[3]; ++p) {
        out[static_cast<std::size_t>((b * s[2] * s[3] + p) * s[1] + c)] =
            in[static_cast<std::size_t>((b * s[1] + c) * s[2] * s[3] + p)];
      }
    }
  }
  return out;
}

std::vector<std::int32_t> Reference::ids(const std::string& name) const {
  const TensorInfo& tensor = info(name);
  if (tensor.dtype != "I32") {
    throw Error(Message::verbatim(name + " is not I32"));
  }
  std::vector<std::int32_t> out(static_cast<std::size_t>(tensor.count()));
  std::memcpy(out.data(), tensor.data, tensor.bytes);
  return out;
}

Shape Reference::shape(const std::string& name) const {
  const Shape s = info(name).shape();
  return s.rank() == 4 ? Shape{s[0], s[2], s[3], s[1]} : s;
}

double Reference::metadata(const std::string& key) const {
  return std::stod(text(key));
}

std::vector<std::string> Reference::below(const std::string& prefix) const {
  std::vector<std::string> names;
  for (const TensorInfo& tensor : file_.tensors()) {
    if (tensor.name.starts_with(prefix)) {
      names.push_back(tensor.name.substr(prefix.size()));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

double relative_error(const std::vector<float>& got, const std::vector<float>& want) {
  if (got.size() != want.size()) {
    return std::numeric_limits<double>::infinity();
  }
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!std::isfinite(got[i])) {
      return std::numeric_limits<double>::infinity();
    }
    difference = std::max(difference, std::abs(static_cast<double>(got[i]) - want[i]));
    largest = std::max(largest, std::abs(static_cast<double>(want[i])));
  }
  return largest == 0 ? (difference == 0 ? 0 : std::numeric_limits<double>::infinity())
                      : difference / largest;
}

std::vector<float> read(const View& view) {
  const auto* data = view.as<float>();
  return {data, data + view.count()};
}

void write(const View& view, const std::vector<float>& values) {
  if (view.dtype != DType::f32 || static_cast<std::size_t>(view.count()) != values.size()) {
    throw Error(Message::verbatim("test input of " + std::to_string(values.size()) +
                                  " values for " + view.shape.str()));
  }
  std::copy(values.begin(), values.end(), view.as<float>());
}

void write_ids(const View& view, const std::vector<std::int32_t>& values) {
  if (view.dtype != DType::i32 || static_cast<std::size_t>(view.count()) != values.size()) {
    throw Error(Message::verbatim("test ids of " + std::to_string(values.size()) + " values for " +
                                  view.shape.str()));
  }
  std::copy(values.begin(), values.end(), view.as<std::int32_t>());
}

std::filesystem::path golden_model(const std::string& name) {
  return std::filesystem::path(MANTISSA_TEST_DATA) / "golden/models" / name;
}

Preset lora_preset(std::vector<std::string> targets, int rank, int conv_rank, double alpha,
                   std::vector<Part> parts) {
  Preset preset;
  preset.adapter.targets = std::move(targets);
  preset.adapter.rank = rank;
  preset.adapter.conv_rank = conv_rank;
  preset.adapter.alpha = alpha;
  preset.training.parts = std::move(parts);
  return preset;
}

NoiseLevel noise_level(int timestep) {
  const double first = std::sqrt(0.00085), last = std::sqrt(0.012);
  double product = 1;
  for (int t = 0; t <= timestep; ++t) {
    const double root = first + t / 999.0 * (last - first);
    product *= 1 - root * root;
  }
  return {std::sqrt(product), std::sqrt(1 - product)};
}

}  // namespace mantissa::testing_support
