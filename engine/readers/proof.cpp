#include "engine/readers/proof.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/adapters/adapter_forms.h"
#include "engine/adapters/delta.h"
#include "engine/io/family.h"
#include "engine/precision/dtypes.h"
#include "engine/readers/verdict_text.h"
#include "kernels/dtype.h"

namespace mantissa {
namespace {

/// Of the error of one rounding: readers fold scales into one of the factors or the other.
constexpr double kMargin = 4;

float rounded(float x, DType dtype) {
  return dtype == DType::f16    ? static_cast<float>(static_cast<float16>(x))
         : dtype == DType::bf16 ? static_cast<float>(static_cast<bfloat16>(x))
                                : x;
}

std::vector<float> rounded(std::vector<float> values, double scale, DType dtype) {
  for (float& x : values) {
    x = rounded(static_cast<float>(scale) * x, dtype);
  }
  return values;
}

/// ‖a - b‖ / ‖b‖; 0 for equal ones.
double apart(std::span<const float> a, std::span<const float> b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    difference += d * d;
    size += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  }
  return difference == 0 ? 0 : std::sqrt(difference / size);
}

/// How far the file's rounding takes a module's change, at most: with its scale apart, and in up.
double rounding_error(const AdapterModule& module, DType dtype, std::span<const float> weight,
                      std::span<const float> delta) {
  double worst = 0;
  for (const bool folded : {false, true}) {
    AdapterModule stored = module;
    const double scale = folded && module.rank > 0 ? module.alpha / module.rank : 1;
    stored.down = rounded(module.down, 1, dtype);
    stored.up = rounded(module.up, scale, dtype);
    stored.dense = rounded(module.dense, 1, dtype);
    stored.alpha = folded ? module.rank : module.alpha;
    worst = std::max(worst, apart(weight_delta(stored, weight), delta));
  }
  return worst;
}

Meaning trained_meaning(const WrittenFile& file) {
  return [&file](const std::string& path,
                 std::span<const float> weight) -> std::optional<MeantChange> {
    const auto at = std::ranges::find(file.trained, path, &AdapterModule::path);
    if (at == file.trained.end()) {
      return std::nullopt;
    }
    const AdapterModule module = at->product ? expanded(*at) : *at;
    MeantChange change{weight_delta(module, weight), 0};
    change.allowed = kSumRounding + file.approximation +
                     kMargin * rounding_error(module, dtype_of(file.dtype), weight, change.delta);
    return change;
  };
}

}  // namespace

std::vector<ReaderVerdict> prove(const WrittenFile& file, const WeightSource& base) {
  const SafetensorsFile open = SafetensorsFile::open(file.path);
  const PeftConfig config = PeftConfig::of_metadata(open.metadata(), open.label());
  std::vector<ReaderVerdict> verdicts;
  for (const Reader* reader : readers()) {
    if (has_word(reader->families, base.family().id().name())) {
      verdicts.push_back(read_as(*reader, open.tensors(), config, base, trained_meaning(file)));
    }
  }
  return verdicts;
}

Message proof_message(std::span<const ReaderVerdict> verdicts) {
  std::vector<Message> names;
  for (const ReaderVerdict& verdict : verdicts) {
    if (verdict.works()) {
      names.push_back(Message::verbatim(std::string(verdict.reader->title)));
    }
  }
  if (names.empty()) {
    return {};
  }
  return message<
      "Read back by the rules of {programs}: every tensor is found, and the layers "
      "recomputed from the file change as trained">(Message::list(", ", std::move(names)));
}

const Reader* reader_of(OutputFormat format) {
  switch (format) {
    case OutputFormat::comfyui:
      return reader_called("comfyui");
    case OutputFormat::a1111:
      return reader_called("forge");
    case OutputFormat::diffusers:
      return reader_called("diffusers");
    default:
      return nullptr;
  }
}

nlohmann::ordered_json result_stamp(const std::string& file, std::int64_t step,
                                    std::span<const ReaderVerdict> verdicts) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ReaderVerdict& verdict : verdicts) {
    list.push_back(verdict_json(verdict));
  }
  return {{"mantissa_result", 1}, {"file", file}, {"step", step}, {"readers", std::move(list)}};
}

}  // namespace mantissa
