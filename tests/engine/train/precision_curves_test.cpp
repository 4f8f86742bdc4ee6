// 50 steps at every precision: the losses' deviation from FP32's, compared with PyTorch's and
// PEFT's at that precision on the same inputs (tests/golden/make_precision_curves.py).
#include <array>
#include <cmath>
#include <numeric>

#include "engine/io/json_file.h"
#include "engine/io/safetensors.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

using testing_support::HealthRecorder;

struct PrecisionCase {
  const char* name;  ///< as in the references
  ComputeType compute;
  StorageType weights;
};
constexpr PrecisionCase kFp32{"fp32", ComputeType::fp32, StorageType::fp32};
constexpr std::array kPrecisions{
    PrecisionCase{"bf16", ComputeType::bf16, StorageType::bf16},
    PrecisionCase{"fp16", ComputeType::fp16, StorageType::fp16},
    PrecisionCase{"fp8_weights", ComputeType::bf16, StorageType::fp8_e4m3},
    PrecisionCase{"fp8_compute", ComputeType::fp8, StorageType::fp8_e4m3}};

/// The inputs of make_precision_curves.py as a trace: each step's inputs from tensors stored once.
class Inputs {
 public:
  /// `noise_scale`: what the noise is multiplied by. `most`: steps to take, of those in the file.
  Inputs(const fs::path& file, bool dora, float noise_scale = 1, std::int64_t most = 1000)
      : file_(SafetensorsFile::open(file)) {
    const TensorInfo& which = *file_.find("which");  // [steps, batch]
    steps = std::min(most, which.shape()[0]);
    const std::int64_t batch = which.shape()[1];
    const Shape images = file_.find("images")->shape();  // [n, 4, h, w]
    for (std::int64_t s = 0; s < steps; ++s) {
      char prefix[16];
      std::snprintf(prefix, sizeof prefix, "step.%04d.", static_cast<int>(s + 1));
      const std::span<const std::int32_t> of_step(values<std::int32_t>("which") + s * batch,
                                                  static_cast<std::size_t>(batch));
      add_rows(std::string(prefix) + "latents", "images", of_step);
      add_rows(std::string(prefix) + "context", "context", of_step);
      add_rows(std::string(prefix) + "pooled", "pooled", of_step);
      const Shape noise{batch, images[1], images[2], images[3]};
      const float* of_noise = values<float>("noise") + s * noise.count();
      std::vector<float> scaled(of_noise, of_noise + noise.count());
      for (float& value : scaled) {
        value *= noise_scale;
      }
      add(std::string(prefix) + "noise", noise, scaled);
      const std::int32_t* timesteps = values<std::int32_t>("timesteps") + s * batch;
      add(std::string(prefix) + "timesteps", {batch},
          std::vector<std::int64_t>(timesteps, timesteps + batch));
      const auto height = 8 * static_cast<float>(images[2]),
                 width = 8 * static_cast<float>(images[3]);
      std::vector<float> sizes;
      for (std::int64_t b = 0; b < batch; ++b) {
        sizes.insert(sizes.end(), {height, width, 0, 0, height, width});
      }
      add(std::string(prefix) + "time_ids", {batch, 6}, sizes);
    }
    for (const TensorInfo& t : file_.tensors()) {
      const std::string adapter = "adapter.";
      if (t.name.starts_with(adapter) && (dora || !t.name.ends_with("magnitude_vector"))) {
        const float* first = values<float>(t.name);
        add("adapter.before." + t.name.substr(adapter.size()), t.shape(),
            std::vector<float>(first, first + t.count()));
      }
    }
  }

  void write(const fs::path& trace) const {
    std::vector<TensorToWrite> list;
    for (const Entry& entry : entries_) {
      list.push_back({entry.name, entry.dtype, entry.shape, entry.bytes.data(), {}});
    }
    write_safetensors(trace, list);
  }
  double setting(const char* name) const { return std::stod(file_.metadata().at(name)); }

  std::int64_t steps = 0;

 private:
  struct Entry {
    std::string name;
    DType dtype;
    Shape shape;
    std::vector<std::byte> bytes;
  };
  template <typename T>
  const T* values(const std::string& name) const {
    return reinterpret_cast<const T*>(file_.find(name)->data);
  }
  template <typename T>
  void add(const std::string& name, const Shape& shape, const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    entries_.push_back(
        {name, std::is_same_v<T, float> ? DType::f32 : DType::i64, shape, std::move(bytes)});
  }
  /// The rows `which` of tensor `from`.
  void add_rows(const std::string& name, const char* from, std::span<const std::int32_t> which) {
    Shape shape = file_.find(from)->shape();
    const std::int64_t row = shape.count() / shape[0];
    shape[0] = static_cast<std::int64_t>(which.size());
    std::vector<float> rows;
    for (std::int32_t i : which) {
      const float* first = values<float>(from) + i * row;
      rows.insert(rows.end(), first, first + row);
    }
    add(name, shape, rows);
  }

  SafetensorsFile file_;
  std::vector<Entry> entries_;
};

struct CurveCase {
  const char* model;
  AdapterType type;
};

class PrecisionCurves : public testing_support::RunFixture,
                        public ::testing::WithParamInterface<CurveCase> {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    const fs::path golden = fs::path(MANTISSA_TEST_DATA) / "golden";
    const std::string model = GetParam().model;
    want_ = read_json(golden / "reference/precision_curves.json").at(model);
    const bool dora = GetParam().type == AdapterType::dora;
    inputs_ = golden / ("reference/precision_" + model + ".safetensors");
    const Inputs inputs(inputs_, dora);
    job_.base = golden / ("models/" + model + ".safetensors");
    job_.images.clear();
    job_.replay = home_ / "inputs.safetensors";
    inputs.write(*job_.replay);
    if (const char* device = std::getenv("MANTISSA_TEST_DEVICE")) {
      job_.device = device;
    }
    Preset& p = job_.preset;
    p.adapter.type = GetParam().type;
    p.adapter.dora_axis = DoraAxis::output;
    p.adapter.targets = {want_.at("targets").get<std::string>()};
    p.adapter.rank = static_cast<int>(inputs.setting("rank"));
    p.adapter.conv_rank = static_cast<int>(inputs.setting("conv_rank"));
    p.adapter.alpha = inputs.setting("alpha");
    p.optimizer.learning_rate = inputs.setting("learning_rate");
    p.training.max_grad_norm = inputs.setting("clip");
    p.training.steps = inputs.steps;
    want_ = want_.at(dora ? "dora" : "lora");
  }
  std::vector<double> losses(const PrecisionCase& at, const std::string& suffix = "") {
    JobSpec job = job_into((at.name + suffix).c_str());
    job.preset.precision.compute = at.compute;
    job.preset.precision.weights.denoiser = at.weights;
    HealthRecorder r;
    run(job, r);
    std::vector<double> all;
    for (const StepRecord& step : r.steps) {
      all.push_back(step.loss);
    }
    return all;
  }
  /// The deviation of a run, or the mean of five at precisions whose quantisation makes it chaotic:
  /// there, noise that differs by a hundred-thousandth moves it by a tenth.
  double mean_deviation(const PrecisionCase& at, const std::vector<double>& fp32) {
    if (at.compute != ComputeType::fp8) {
      return deviation(losses(at), fp32);
    }
    std::vector<double> each;
    for (int nudge = -2; nudge <= 2; ++nudge) {
      const bool dora = GetParam().type == AdapterType::dora;
      Inputs(inputs_, dora, 1.0F + 2e-5F * static_cast<float>(nudge)).write(*job_.replay);
      each.push_back(deviation(losses(at, std::to_string(nudge)), fp32));
      std::printf("%-11s run %+d: %.3f %%\n", at.name, nudge, 100 * each.back());
    }
    return std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(each.size());
  }
  /// Over the steps made, which are the first of `fp32`.
  static double deviation(const std::vector<double>& losses, const std::vector<double>& fp32) {
    double sum = 0;
    for (std::size_t i = 0; i < losses.size(); ++i) {
      sum += std::abs(losses[i] - fp32.at(i)) / fp32[i];
    }
    return sum / static_cast<double>(losses.size());
  }

  fs::path inputs_;
  nlohmann::json want_;
};

TEST_P(PrecisionCurves, BeginAsPyTorchsDo) {
  const bool dora = GetParam().type == AdapterType::dora;
  Inputs(inputs_, dora, 1, 3).write(*job_.replay);
  const std::vector<double> fp32 = losses(kFp32);
  ASSERT_EQ(fp32.size(), 3U);
  EXPECT_LE(deviation(fp32, want_.at("fp32").get<std::vector<double>>()), 1e-5);
}

TEST_P(PrecisionCurves, StrayNoFurtherFromFp32ThanPyTorch) {
  const std::vector<double> fp32 = losses(kFp32);
  ASSERT_EQ(fp32.size(), 50U);
  EXPECT_LE(deviation(fp32, want_.at("fp32").get<std::vector<double>>()), 1e-5);
  for (const PrecisionCase& precision : kPrecisions) {
    const double pure = want_.at(precision.name).at("pure").get<double>();
    const double autocast = want_.at(precision.name).at("autocast").get<double>();
    const double got = mean_deviation(precision, fp32);
    EXPECT_LE(got, 1.2 * std::min(pure, autocast) + 0.0005) << precision.name;
    std::printf("%-11s strays %.3f %%, PyTorch %.3f %% pure, %.3f %% with autocast\n",
                precision.name, 100 * got, 100 * pure, 100 * autocast);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, PrecisionCurves,
                         ::testing::Values(CurveCase{"a", AdapterType::lora},
                                           CurveCase{"a", AdapterType::dora},
                                           CurveCase{"c", AdapterType::lora},
                                           CurveCase{"c", AdapterType::dora}),
                         [](const auto& info) {
                           return std::string(info.param.model) +
                                  (info.param.type == AdapterType::dora ? "Dora" : "Lora");
                         });

}  // namespace
}  // namespace mantissa
