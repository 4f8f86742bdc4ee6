// NaN and infinity injected anywhere: the run stops within three steps, nothing it writes contains
// one, and earlier saves are untouched.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "engine/core/random.h"
#include "engine/io/safetensors.h"
#include "tests/engine/run/checkpoint_files.h"
#include "tests/reliability/report.h"
#include "tests/reliability/tiny_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

constexpr int kMostSkips = 3;

class NonFiniteTest : public TinyRun {
 protected:
  /// The bytes of one value of a type.
  static std::string value_bytes(DType type, double value) {
    std::string bytes(dtype_size(type), '\0');
    dispatch_float(type, [&]<typename T>() {
      const T v(static_cast<float>(value));
      std::memcpy(bytes.data(), &v, sizeof v);
      return 0;
    });
    return bytes;
  }

  /// `file` with one value of a tensor whose name `wanted` accepts, or all of that tensor, changed.
  std::string poison(const fs::path& file, const std::function<bool(const std::string&)>& wanted,
                     double value, bool all = false) {
    std::string bytes = read_text(file, std::uint64_t{1} << 30);
    const auto parsed = SafetensorsFile::parse(std::as_bytes(std::span(bytes)), "file");
    std::vector<const TensorInfo*> tensors;
    for (const TensorInfo& t : parsed.tensors()) {
      if (t.type && is_float(*t.type) && t.count() > 0 && wanted(t.name)) {
        tensors.push_back(&t);
      }
    }
    EXPECT_FALSE(tensors.empty()) << file;
    const TensorInfo& t = *tensors[random_() % tensors.size()];
    const std::string one = value_bytes(*t.type, value);
    const std::size_t begin =
        static_cast<std::size_t>(t.data - reinterpret_cast<const std::byte*>(bytes.data()));
    const auto count = static_cast<std::size_t>(t.count());
    const std::size_t at = random_() % count;
    const std::string name = t.name;
    for (std::size_t i = all ? 0 : at; i < (all ? count : at + 1); ++i) {
      bytes.replace(begin + i * one.size(), one.size(), one);
    }
    place_ = name + " element " + std::to_string(at);
    return bytes;
  }
  double bad_value() {
    switch (random_() % 3) {
      case 0:
        return std::numeric_limits<double>::quiet_NaN();
      case 1:
        return std::numeric_limits<double>::infinity();
      default:
        return -std::numeric_limits<double>::infinity();
    }
  }
  static std::string put(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
    return file.string();
  }

  /// No tensor below `place` has a non-finite value.
  static void expect_finite(const fs::path& place) {
    for (const auto& entry : fs::recursive_directory_iterator(place)) {
      if (entry.path().extension() != ".safetensors") {
        continue;
      }
      const auto file = SafetensorsFile::open(entry.path());
      for (const TensorInfo& t : file.tensors()) {
        if (!t.type || !is_float(*t.type)) {
          continue;
        }
        dispatch_float(*t.type, [&]<typename T>() {
          for (std::int64_t i = 0; i < t.count(); ++i) {
            T v;
            std::memcpy(&v, t.data + static_cast<std::size_t>(i) * sizeof v, sizeof v);
            if (!std::isfinite(static_cast<float>(v))) {
              ADD_FAILURE() << entry.path() << ": " << t.name << " element " << i;
              break;
            }
          }
          return 0;
        });
      }
    }
  }

  int train(const std::vector<std::string>& arguments) {
    return Mantissa(home_).run(arguments, root_ / "bad.log").status;
  }
  void expect_stopped(int status, std::int64_t from, Report& report) {
    SCOPED_TRACE(place_ + "\n" + read_text(root_ / "bad.log"));
    ++report.count;
    EXPECT_TRUE(status == 4 || status == 2) << "exit status " << status;
    const fs::path run = folder("bad");
    if (fs::exists(run / "job.json")) {
      expect_finite(run);
      const auto rows = RunReader(home_ / "runs.db").metrics(id_of(run));
      const std::int64_t last = rows.empty() ? 0 : rows.back().step;
      EXPECT_LE(last - from, kMostSkips) << "steps after the value was put in";
    }
  }

  void in_inputs(Report& report) {
    const auto tensor = [](const std::string& name) {
      return name.starts_with("step.0001.") &&
             (name.ends_with("latents") || name.ends_with("noise") || name.ends_with("context") ||
              name.ends_with("pooled"));
    };
    const std::string trace =
        put(root_ / "bad.safetensors", poison(root_ / "trace.safetensors", tensor, bad_value()));
    expect_stopped(train({"train", (root_ / "preset.json").string(), "--base", "demo", "--replay",
                          trace, "--out", folder("bad").string()}),
                   0, report);
  }

  /// Gradients beyond FP32, from a target that is finite.
  void in_gradients(Report& report) {
    const std::string trace =
        put(root_ / "bad.safetensors",
            poison(
                root_ / "trace.safetensors",
                [](const std::string& name) { return name == "step.0001.noise"; }, 3e18, true));
    expect_stopped(train({"train", (root_ / "preset.json").string(), "--base", "demo", "--replay",
                          trace, "--out", folder("bad").string()}),
                   0, report);
  }

  void in_weights(Report& report) {
    const auto tensor = [](const std::string& name) {
      return name.starts_with("model.diffusion_model.") && name.ends_with("weight");
    };
    const std::string base =
        put(root_ / "base.safetensors",
            poison(fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/mini-sdxl.safetensors", tensor,
                   bad_value()));
    expect_stopped(train({"train", (root_ / "preset.json").string(), "--base", base, "--images",
                          "demo", "--out", folder("bad").string()}),
                   0, report);
  }

  void in_optimizer_state(Report& report) {
    fs::copy(folder("straight"), folder("bad"), fs::copy_options::recursive);
    const fs::path newest = folder("bad") / "checkpoints/step-00000009";
    put(newest / "state.safetensors",
        poison(
            newest / "state.safetensors", [](const std::string&) { return true; }, bad_value()));
    testing_support::rehash(newest);
    const std::string before =
        sha256_file(folder("bad") / "checkpoints/step-00000008/state.safetensors");
    const int status = train(with(arguments("bad", true), {"--set", "training.steps=30"}));
    EXPECT_EQ(sha256_file(folder("bad") / "checkpoints/step-00000008/state.safetensors"), before);
    fs::remove_all(newest);  // which contains the injected value
    fs::remove(folder("bad") / "tiny.safetensors");
    expect_stopped(status, kSteps, report);
  }

  void put_in(long times, Report& report) {
    random_.seed(test_seed());
    ASSERT_EQ(
        Mantissa(home_)
            .run(with(arguments("trace", false),
                      {"--trace", (root_ / "trace.safetensors").string(), "--trace-steps", "6"}),
                 root_ / "trace.log")
            .status,
        0)
        << log("trace");
    for (long i = 0; i < times; ++i) {
      for (const auto place : {&NonFiniteTest::in_inputs, &NonFiniteTest::in_gradients,
                               &NonFiniteTest::in_weights, &NonFiniteTest::in_optimizer_state}) {
        fs::remove_all(folder("bad"));
        (this->*place)(report);
      }
    }
  }

  std::mt19937 random_;
  std::string place_;
};

TEST_F(NonFiniteTest, OnceInEachPlace) {
  Report report("15 NaN and infinity put in");
  put_in(1, report);
}

TEST_F(NonFiniteTest, NightlyTwentyTimesInEachPlace) {
  Report report("15 NaN and infinity put in");
  put_in(count_of("MANTISSA_NON_FINITE", 20), report);
}

}  // namespace
}  // namespace mantissa
