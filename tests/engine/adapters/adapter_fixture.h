#pragma once
// Adapters as written by other programs (tests/golden/make_adapters.py), with their model.

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/adapters/convert.h"
#include "engine/adapters/delta.h"
#include "engine/adapters/export.h"
#include "engine/adapters/merge.h"
#include "engine/adapters/module_weight.h"
#include "engine/adapters/read_adapter.h"
#include "engine/graph/executor.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa::testing_support {

/// Files and PEFT folders of tests/golden/adapters: LoRA, LoCon, LoHa, LoKr and DoRA of both axes.
inline constexpr const char* kAdapterFiles[] = {"peft",
                                                "diffusers.safetensors",
                                                "peft_dora",
                                                "locon.safetensors",
                                                "loha.safetensors",
                                                "lokr.safetensors",
                                                "dora.safetensors",
                                                "dora_input.safetensors"};

class AdapterFixture : public ::testing::Test {
 protected:
  AdapterFixture()
      : source_(WeightSource::open(golden_model("a.safetensors"))), folder_(own_folder()) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~AdapterFixture() override { std::filesystem::remove_all(folder_); }

  static std::filesystem::path golden(const std::string& name) {
    return std::filesystem::path(MANTISSA_TEST_DATA) / "golden/adapters" / name;
  }
  AdapterContents read_file(const std::filesystem::path& path, std::optional<DoraAxis> axis = {}) {
    return read_adapter(path, source_, axis);
  }
  std::vector<float> weight(const std::string& path) const {
    const auto [part, name] = weight_of_module(path);
    std::vector<float> values(static_cast<std::size_t>(source_.shape(part, name).count()));
    source_.read_f32(part, name, values);
    return values;
  }
  /// A file's change of each weight.
  std::map<std::string, std::vector<float>> changes(const AdapterContents& file) const {
    std::map<std::string, std::vector<float>> result;
    for (const AdapterModule& m : file.modules) {
      result[m.path] = weight_delta(m, weight(m.path));
    }
    return result;
  }
  /// ‖the module's change of its weight - want‖ / ‖want‖
  double change_error(const AdapterModule& module, const std::vector<float>& want) const {
    return test::deviation(weight_delta(module, weight(module.path)), want);
  }
  ConvertResult convert(const std::filesystem::path& from, const std::filesystem::path& to,
                        OutputFormat format) {
    ConvertRequest request;
    request.file = from;
    request.out = to;
    request.format = format;
    return convert_adapter(request, source_);
  }
  /// The UNet's prediction for the golden inputs.
  std::vector<float> predicted(StableDiffusion& model) {
    const Reference r("a.safetensors");
    Graph graph;
    const auto input = [&](const char* name) {
      return graph.input(name, DType::f32, r.shape(name));
    };
    graph.output("y", model.unet().forward(graph, input("unet.latents"), input("unet.timesteps"),
                                           input("unet.context"), input("unet.pooled"),
                                           input("unet.time_ids")));
    Arena arena(*kernels_);
    const Plan plan = make_plan(graph);
    Executor executor(graph, plan, *kernels_, arena);
    for (const auto& [name, id] : graph.inputs()) {
      executor.feed(name, r.values(name));
    }
    executor.run({});
    return executor.read("y");
  }
  /// Every tensor of a file by name: type, shape, bytes.
  static std::map<std::string, std::string> contents(const std::filesystem::path& path) {
    std::map<std::string, std::string> result;
    const SafetensorsFile file = SafetensorsFile::open(path);
    for (const TensorInfo& t : file.tensors()) {
      result[t.name] =
          t.dtype + t.shape().str() + std::string(reinterpret_cast<const char*>(t.data), t.bytes);
    }
    return result;
  }

  WeightSource source_;
  std::filesystem::path folder_;
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(1);

 private:
  static std::filesystem::path own_folder() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    return std::filesystem::path(::testing::TempDir()) /
           (std::string("mantissa-") + info->test_suite_name() + "-" + info->name());
  }
};

}  // namespace mantissa::testing_support
