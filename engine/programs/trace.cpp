#include "engine/programs/trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

#include "engine/adapters/trained_set.h"
#include "engine/core/error.h"
#include "engine/io/module_path.h"
#include "engine/io/name_parts.h"

namespace mantissa {
namespace {

constexpr const char* kBefore = "adapter.before.";
constexpr std::string_view kGradient = "grad.", kReference = "reference_";
/// The floats that a step of any family has.
constexpr std::array<std::string_view, 10> kStepTensors{
    "latents",  "noise",     "target",        "prediction",          "timesteps",
    "time_ids", "loss_mask", "sample_weight", "preservation_weight", "loss"};

std::string step_name(std::int64_t micro_step, const std::string& what) {
  return fmt::format("step.{:04d}.{}", micro_step + 1, what);
}

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// [batch, rows, channels] <-> [batch, channels, rows].
std::vector<float> transposed(const float* x, std::int64_t batch, std::int64_t rows,
                              std::int64_t channels) {
  std::vector<float> out(static_cast<std::size_t>(batch * rows * channels));
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < channels; ++c) {
        out[static_cast<std::size_t>((b * channels + c) * rows + r)] =
            x[(b * rows + r) * channels + c];
      }
    }
  }
  return out;
}

}  // namespace

void TraceWriter::add(const std::string& name, DType dtype, const Shape& shape,
                      std::vector<std::byte> bytes) {
  tensors_[name] = {dtype, shape, std::move(bytes)};
}

void TraceWriter::add_floats(const std::string& name, const Shape& shape,
                             const std::vector<float>& values) {
  add(name, DType::f32, shape, bytes_of(values));
}

void TraceWriter::add_adapters(const std::string& prefix, const TrainedSet& adapters) {
  for (const AdapterTensor& t : adapters.tensors()) {
    add_floats(prefix + traced_path(t.name), t.tensor->shape, adapters.values(*t.tensor));
  }
}

void TraceWriter::add_step(std::int64_t micro_step, const StepInputs& in, StepProgram& program,
                           double loss) {
  const auto name = [&](const char* what) { return step_name(micro_step, what); };
  const std::int64_t rows = in.height * in.width;
  const Shape image{in.batch, in.channels, in.height, in.width};
  const auto add_image = [&](const char* what, const float* values) {
    add_floats(name(what), image, transposed(values, in.batch, rows, in.channels));
  };
  add_image("latents", in.latents.data());
  add_image("noise", in.noise.data());
  add_image("target", program.executor().read("target").data());
  add_image("prediction", program.executor().read("prediction").data());
  const auto whole = [](double t) { return t == std::floor(t); };
  if (std::all_of(in.timesteps.begin(), in.timesteps.end(), whole)) {
    const std::vector<std::int64_t> timesteps(in.timesteps.begin(), in.timesteps.end());
    add(name("timesteps"), DType::i64, {in.batch}, bytes_of(timesteps));
  } else {
    add_floats(name("timesteps"), {in.batch},
               std::vector<float>(in.timesteps.begin(), in.timesteps.end()));
  }
  for (const std::string& what : program.text_names()) {
    add_floats(name(what.c_str()), program.tensor(what).shape, program.executor().read(what));
  }
  add_floats(name("time_ids"), {in.batch, 6}, in.time_ids);
  if (!in.mask.empty()) {
    add_floats(name("loss_mask"), {in.batch, in.height, in.width}, in.mask);
  }
  if (!in.sample_weight.empty()) {
    add_floats(name("sample_weight"), {in.batch}, in.sample_weight);
  }
  if (!in.preservation_weight.empty()) {
    add_floats(name("preservation_weight"), {in.batch}, in.preservation_weight);
  }
  for (std::size_t i = 0; i < in.references.size(); ++i) {
    const auto& [size, values] = in.references[i];
    add_floats(step_name(micro_step, reference_name(i)),
               {in.batch, in.channels, size.height, size.width},
               transposed(values.data(), in.batch, size.positions(), in.channels));
  }
  add_floats(name("loss"), Shape{}, {static_cast<float>(loss)});
  if (!in.tokens.empty()) {
    for (const auto& [input, ids] : in.tokens[0].ids) {
      const auto length = static_cast<std::int64_t>(ids.size());
      const Shape shape = length == 1 ? Shape{in.batch} : Shape{in.batch, length};
      add(name(input.c_str()), DType::i32, shape, bytes_of(joined_ids(in.tokens, input)));
    }
  }
}

void TraceWriter::add_gradients(std::int64_t micro_step, const TrainedSet& adapters,
                                double unscale) {
  for (const AdapterTensor& t : adapters.tensors()) {
    std::vector<float> values = adapters.gradient(*t.tensor);
    for (float& v : values) {
      v = static_cast<float>(v * unscale);
    }
    add_floats(step_name(micro_step, std::string(kGradient) + traced_path(t.name)), t.tensor->shape,
               values);
  }
}

void TraceWriter::write(const std::map<std::string, std::string>& metadata) {
  std::vector<TensorToWrite> list;
  for (const auto& [name, entry] : tensors_) {
    list.push_back({name, entry.dtype, entry.shape, entry.bytes.data(), {}});
  }
  write_safetensors(file_, list, metadata);
}

TraceReader::TraceReader(const std::filesystem::path& file) : file_(SafetensorsFile::open(file)) {
  while (file_.find(step_name(micro_steps_, "latents")) != nullptr) {
    ++micro_steps_;
  }
  if (micro_steps_ == 0) {
    throw Error(message<"{file}: no step.0001.latents in it. Pass a file written with --trace">(
        file_.label()));
  }
}

std::int64_t TraceReader::text_tokens() const {
  const auto found = file_.metadata().find("mantissa.text_tokens");
  std::int64_t tokens = 0;
  if (found != file_.metadata().end()) {
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), tokens);
  }
  return std::max<std::int64_t>(tokens, 0);
}

std::size_t TraceReader::most_references() const {
  std::size_t most = 0;
  for (std::int64_t step = 0; step < micro_steps_; ++step) {
    while (file_.find(step_name(step, reference_name(most))) != nullptr) {
      ++most;
    }
  }
  return most;
}

const TensorInfo& TraceReader::require(const std::string& name, DType dtype) const {
  const TensorInfo* t = file_.find(name);
  if (t == nullptr || t->type != dtype) {
    throw Error(message<"{file}: tensor {tensor} should be {expected}, it is {found}">(
        file_.label(), name, dtype_name(dtype),
        t == nullptr ? message<"missing">() : Message::verbatim(t->dtype)));
  }
  return *t;
}

std::vector<float> TraceReader::floats(const std::string& name) const {
  const TensorInfo& t = require(name, DType::f32);
  std::vector<float> values(static_cast<std::size_t>(t.count()));
  std::memcpy(values.data(), t.data, t.bytes);
  return values;
}

StepInputs TraceReader::inputs(std::int64_t micro_step, bool train_text) const {
  const auto name = [&](const char* what) { return step_name(micro_step, what); };
  const Shape image = require(name("latents"), DType::f32).shape();
  if (image.rank() != 4) {
    throw Error(
        message<"{file}: {tensor} should be [batch, channels, height, width], it is {shape}">(
            file_.label(), name("latents"), image.str()));
  }
  StepInputs in;
  in.batch = image[0];
  in.channels = image[1];
  in.height = image[2];
  in.width = image[3];
  const auto to_nhwc = [&](const char* what) {
    const std::vector<float> values = floats(name(what));
    if (static_cast<std::int64_t>(values.size()) != image.count()) {
      throw Error(message<"{file}: {tensor} should have the shape of the latents, {shape}">(
          file_.label(), name(what), image.str()));
    }
    return transposed(values.data(), in.batch, in.channels, in.height * in.width);
  };
  in.latents = to_nhwc("latents");
  in.noise = to_nhwc("noise");
  if (const TensorInfo* found = file_.find(name("timesteps"));
      found != nullptr && found->type == DType::f32) {
    const std::vector<float> t = floats(name("timesteps"));
    in.timesteps.assign(t.begin(), t.end());
  } else {
    const TensorInfo& timesteps = require(name("timesteps"), DType::i64);
    const auto* t = reinterpret_cast<const std::int64_t*>(timesteps.data);
    in.timesteps.assign(t, t + timesteps.count());
  }
  in.time_ids = floats(name("time_ids"));
  if (static_cast<std::int64_t>(in.timesteps.size()) != in.batch ||
      static_cast<std::int64_t>(in.time_ids.size()) != in.batch * 6) {
    throw Error(message<"{file}: step {step} needs {timesteps} timesteps and {sizes} time_ids">(
        file_.label(), micro_step + 1, in.batch, in.batch * 6));
  }
  if (file_.find(name("loss_mask")) != nullptr) {
    in.mask = floats(name("loss_mask"));
  }
  const auto weights = [&](const char* what) {
    std::vector<float> values;
    if (file_.find(name(what)) != nullptr) {
      values = floats(name(what));
      if (std::ssize(values) != in.batch) {
        throw Error(message<"{file}: {tensor} should have {count} values">(file_.label(),
                                                                           name(what), in.batch));
      }
    }
    return values;
  };
  in.sample_weight = weights("sample_weight");
  in.preservation_weight = weights("preservation_weight");
  in.references = references(micro_step, in);
  in.sources.assign(static_cast<std::size_t>(in.batch), name("latents"));
  if (train_text) {
    in.tokens = tokens(name(""), in.batch);
  } else {
    in.text = texts(name(""));
  }
  return in;
}

std::vector<ReferenceLatents> TraceReader::references(std::int64_t micro_step,
                                                      const StepInputs& in) const {
  std::vector<ReferenceLatents> all;
  for (std::string name = step_name(micro_step, reference_name(0)); file_.find(name) != nullptr;
       name = step_name(micro_step, reference_name(all.size()))) {
    const Shape shape = require(name, DType::f32).shape();
    if (shape.rank() != 4 || shape[0] != in.batch || shape[1] != in.channels) {
      throw Error(
          message<"{file}: {tensor} should be [batch, channels, height, width], it is {shape}">(
              file_.label(), name, shape.str()));
    }
    const LatentSize size{shape[2], shape[3]};
    all.push_back({size, transposed(floats(name).data(), in.batch, in.channels, size.positions())});
  }
  return all;
}

/// What isn't the step's own is a text input of its family, by name.
std::map<std::string, std::vector<float>> TraceReader::texts(const std::string& step) const {
  std::map<std::string, std::vector<float>> all;
  for (const TensorInfo& t : file_.tensors()) {
    std::string_view what = t.name;
    if (t.type == DType::f32 && take(what, step) && !what.starts_with(kGradient) &&
        !what.starts_with(kReference) &&
        std::find(kStepTensors.begin(), kStepTensors.end(), what) == kStepTensors.end()) {
      all.emplace(what, floats(t.name));
    }
  }
  return all;
}

/// All integers of a step are token ids, by input name.
std::vector<TokenIds> TraceReader::tokens(const std::string& step, std::int64_t batch) const {
  std::vector<TokenIds> all(static_cast<std::size_t>(batch));
  bool any = false;
  for (const TensorInfo& t : file_.tensors()) {
    if (!t.name.starts_with(step) || t.type != DType::i32) {
      continue;
    }
    if (t.count() % batch != 0) {
      throw Error(
          message<"{file}: {tensor} has {count} values, which is no multiple of the batch of "
                  "{batch}">(file_.label(), t.name, t.count(), batch));
    }
    const std::int64_t length = t.count() / batch;
    const auto* first = reinterpret_cast<const std::int32_t*>(t.data);
    for (std::int64_t b = 0; b < batch; ++b, first += length) {
      all[static_cast<std::size_t>(b)].ids[t.name.substr(step.size())] = {first, first + length};
    }
    any = true;
  }
  if (!any) {
    throw Error(message<"{file}: no tensor {tensor}; make the trace with a text encoder trained">(
        file_.label(), step + "te1_ids"));
  }
  return all;
}

std::map<std::string, std::vector<float>> TraceReader::adapters_before() const {
  std::map<std::string, std::vector<float>> state;
  for (const TensorInfo& t : file_.tensors()) {
    if (t.name.starts_with(kBefore)) {
      state[canonical_path(t.name.substr(std::string_view(kBefore).size()))] = floats(t.name);
    }
  }
  return state;
}

}  // namespace mantissa
