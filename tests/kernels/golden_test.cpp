#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

#include "kernels/check.h"
#include "tests/kernels/backends.h"
#include "tests/kernels/golden_cases.h"

namespace mantissa::testing {
namespace {

bool fp32_only(const std::string& op) {
  return op == "optimizer_step" || op == "ema";
}

/// Largest |got - expected| over the largest |expected| of the tensor (at least `floor`).
double relative_error(const Tensor& got, const std::vector<double>& expected, double floor) {
  double top = floor, worst = 0.0;
  for (double e : expected) {
    top = std::max(top, std::fabs(e));
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double off = std::fabs(got.get(static_cast<std::int64_t>(i)) - expected[i]);
    if (!(off <= worst)) {
      worst = off;  // NaN counts as the worst
    }
  }
  return worst / top;
}

class KernelGolden : public ::testing::TestWithParam<TestBackend> {
 protected:
  std::unique_ptr<Kernels> kernels = GetParam().make();
  void check_half(DType dtype, double half_ulp);
};
MANTISSA_FOR_EACH_BACKEND(KernelGolden);

TEST_P(KernelGolden, Fp32MatchesPyTorch) {
  for (const GoldenCase& c : load_golden_cases()) {
    const Results results = run_case(*kernels, c, DType::f32);
    for (const auto& [name, out] : c.outputs) {
      // With one key the gradient of q and k is zero, a difference of terms of about 1.
      const double floor = c.op == "attention_backward" ? 1.0 : 0.05;
      EXPECT_LE(relative_error(results.at(name), out.expected, floor), 1e-6)
          << c.title << " -> " << name << " " << out.shape.str();
    }
  }
}

TEST_P(KernelGolden, Fp64MatchesPyTorch) {
  for (const GoldenCase& c : load_golden_cases()) {
    if (fp32_only(c.op)) {
      continue;
    }
    const Results results = run_case(*kernels, c, DType::f64);
    for (const auto& [name, out] : c.outputs) {
      // Options come as fp32: eps, scale and p differ from the script's by their rounding.
      const bool rounded = c.options.count("eps") + c.options.count("scale") > 0;
      EXPECT_LE(relative_error(results.at(name), out.expected, 0.05), rounded ? 1e-7 : 1e-12)
          << c.title << " -> " << name;
    }
  }
}

/// Half types round each result once; intermediates are fp32, so fp32 on the same rounded inputs
/// gives the unrounded result. Sums that stay fp32 are not rounded at all.
void KernelGolden::check_half(DType dtype, double half_ulp) {
  for (const GoldenCase& c : load_golden_cases()) {
    if (fp32_only(c.op)) {
      continue;
    }
    // Parameters and start values that are fp32 in the half run are rounded in the other run.
    const bool wide_inputs = c.op.find("norm_backward") != std::string::npos ||
                             c.op == "embedding_backward" || c.op == "sum_per_sample" ||
                             c.op == "conv2d_backward_weight" || c.op == "mse_loss" ||
                             c.op == "mse_loss_backward" || c.op.starts_with("huber_loss") ||
                             c.op == "add_noise" || c.op == "timestep_embedding";
    // The backward reads the forward's rounded output.
    const double slack = c.op == "attention_backward" || wide_inputs ? 8.0 : 1.0;
    const Results half = run_case(*kernels, c, dtype);
    const Results full = run_case(*kernels, c, DType::f32, {"", dtype});
    // Cards multiply values by probabilities that were rounded to the half type, each by at most
    // half an ulp: for Σ p·v that is half an ulp of Σ p·|v|.
    const bool rounded_inside = c.op == "attention" && GetParam().name.rfind("cuda", 0) == 0;
    const Results sizes =
        rounded_inside ? run_case(*kernels, c, DType::f32, {"", dtype, "v"}) : Results();
    for (const auto& [name, t] : half) {
      double top = 0.05;
      for (std::int64_t i = 0; i < t.view.count(); ++i) {
        top = std::max(top, std::fabs(full.at(name).get(i)));
      }
      for (std::int64_t i = 0; i < t.view.count(); ++i) {
        const double expected = full.at(name).get(i);
        const double inside = name == "out" && rounded_inside ? sizes.at(name).get(i) : 0.0;
        const double bound =
            c.number("sums") != 0 ? 2e-6 * top
            : slack == 1.0 ? half_ulp * (std::fabs(expected) + (1 + half_ulp) * inside) + 2e-6 * top
                           : slack * half_ulp * top;
        ASSERT_LE(std::fabs(t.get(i) - expected), bound) << c.title << " -> " << name << " " << i;
      }
    }
  }
}
TEST_P(KernelGolden, Fp16RoundsOnce) {
  check_half(DType::f16, 0x1p-11);
}
TEST_P(KernelGolden, Bf16RoundsOnce) {
  check_half(DType::bf16, 0x1p-8);
}

TEST(KernelGoldenCases, EveryMethodHasACase) {
  std::ifstream file(std::string(MANTISSA_SOURCE_DIR) + "/kernels/kernels.h");
  std::stringstream text;
  text << file.rdbuf();
  const std::string header = text.str();
  const std::regex method(R"(virtual\s+[\w:]+\*?\s+(\w+)\()");
  // Methods that don't compute (device_test.cpp covers them), and the rules of whole optimizers
  // (tests/engine/optim/golden_test.cpp).
  std::set<std::string> device = {
      "name",           "allocate",        "release",        "constant_bytes", "scratch_bytes",
      "synchronize",    "prodigy_observe", "factored_step",  "memory",         "host_memory",
      "upload",         "download",        "begin_run",      "record",         "replay",
      "prefetch",       "await_prefetch",  "allocate_host",  "release_host",   "release_constants",
      "measure_update", "decodes_weights", "muon_direction", "allocations",    "settle_scratch",
      "call_done",      "draw_normal"};
  device.insert({"has_attention_engine", "keep_turned_codes", "choose_products"});
  std::set<std::string> covered;
  for (const GoldenCase& c : load_golden_cases()) {
    covered.insert(c.op);
  }
  covered.insert({"quantize", "dequantize", "matmul_codes"});  // quant_test.cpp
  covered.insert({"glu_codes", "glu_backward_codes"});         // glu_codes_test.cpp
  covered.insert("rotate");                                    // rotation_test.cpp
  covered.insert({"tensor_statistics", "queue_statistics"});   // statistics_test.cpp
  covered.insert("decide_step");                               // step_end_parity_test.cpp
  covered.insert({"weight_squares", "dora_norm", "divide_by_norm", "dora_factors",
                  "add_magnitude_gradients", "scale_channels",
                  "scale_channels_backward"});  // dora_test.cpp
  int methods = 0;
  for (std::sregex_iterator it(header.begin(), header.end(), method), end; it != end; ++it) {
    const std::string name = (*it)[1];
    if (device.count(name) == 0) {
      ++methods;
      EXPECT_EQ(covered.count(name), 1u) << "no golden case calls Kernels::" << name;
    }
  }
  EXPECT_GE(methods, 35);
}

TEST(KernelGoldenCases, EveryUnaryHasItsCases) {
  std::set<std::string> covered;
  for (const GoldenCase& c : load_golden_cases()) {
    if (c.options.contains("kind")) {
      covered.insert(c.op + " " + c.options.at("kind"));
    }
  }
  for (Unary kind : kUnaries) {
    const std::string name(unary_name(kind));
    EXPECT_TRUE(covered.contains("unary " + name) && covered.contains("unary_backward " + name))
        << "tests/golden/make_kernels.py makes no cases of " << name;
  }
}

TEST_P(KernelGolden, NanComesThrough) {
  for (const GoldenCase& c : load_golden_cases()) {
    for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
      if (dtype != DType::f32 && fp32_only(c.op)) {
        continue;
      }
      for (const auto& [input, unused] : c.inputs) {
        const bool ignored =
            (input == "start" && (c.number("beta") == 0.0 && c.op == "matmul")) ||
            (input == "start" && c.options.count("accumulate") != 0 &&
             c.number("accumulate") == 0.0) ||
            (c.op == "embedding" && input == "table") || c.op == "gather_tokens" ||
            (input == "beta" && (c.op == "layer_norm_backward" ||
                                 (c.op == "group_norm_backward" && c.number("silu") == 0.0)));
        const Results results = run_case(*kernels, c, dtype, {input});
        bool seen = false;
        for (const auto& [name, t] : results) {
          for (std::int64_t i = 0; i < t.view.count(); ++i) {
            seen = seen || std::isnan(t.get(i)) || (c.op == "count_non_finite" && t.get(i) == 1.0);
          }
        }
        const bool dropped = c.op == "dropout";  // its first element may be one that is dropped
        if (!ignored && !dropped) {
          EXPECT_TRUE(seen) << c.title << ": a NaN in " << input << " is lost";
        }
      }
    }
  }
}

}  // namespace
}  // namespace mantissa::testing
