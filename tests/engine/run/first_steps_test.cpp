// The trace of a run's first steps as a file, and two of them compared.
#include "engine/run/first_steps.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/run/first_steps_comparison.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using testing::HasSubstr;

FirstSteps example() {
  FirstSteps trace;
  trace.version = "0.1.0 (1a2b3c4d5e)";
  trace.device = "AMD EPYC 9654, avx512";
  trace.compute = "bf16";
  trace.peak_bytes = 1'234'567;
  trace.identity = {{"base", "", "/models/a.safetensors", std::string(64, 'a'), 6},
                    {"images", "a.png", "", std::string(64, 'b'), 7},
                    {"images", "a.png caption", "", std::string(64, 'c'), 8}};
  trace.tensors = {"unet.a.lora_A.weight", "unet.a.lora_B.weight"};
  for (int i = 0; i < 3; ++i) {
    trace.steps.push_back({0.1 + i / 7.0,
                           0.3,
                           65536,
                           false,
                           0.05,
                           {"0123456789abcdef", fmt::format("{:016x}", i)},
                           {1.5, 0.1 * i}});
  }
  return trace;
}

TEST(FirstSteps, TextKeepsEveryBit) {
  FirstSteps trace = example();
  trace.steps[0].loss = 0.1 + 0.2;
  trace.steps[1].grad_norm = std::numeric_limits<double>::infinity();
  trace.steps[1].skipped = true;
  trace.steps[2].norms[1] = std::nan("");
  const FirstSteps read = parse_first_steps(to_text(trace), "trace");
  EXPECT_EQ(read.version, trace.version);
  EXPECT_EQ(read.device, trace.device);
  EXPECT_EQ(read.compute, "bf16");
  EXPECT_TRUE(read.repeatable);
  EXPECT_EQ(read.peak_bytes, 1'234'567u);
  EXPECT_EQ(read.tensors, trace.tensors);
  EXPECT_EQ(to_json(read.identity), to_json(trace.identity));
  EXPECT_EQ(read.steps[0].loss, 0.1 + 0.2);
  EXPECT_EQ(read.steps[0].seconds, 0.05);
  EXPECT_TRUE(std::isnan(read.steps[1].grad_norm));
  EXPECT_TRUE(read.steps[1].skipped);
  EXPECT_EQ(read.steps[2].hashes, trace.steps[2].hashes);
  EXPECT_EQ(compare_first_steps(trace, read).sameness, Sameness::bits);
}

TEST(FirstSteps, WhatIsCutOrDamagedIsRefused) {
  const std::string text = to_text(example());
  const auto problem = [](const std::string& damaged) {
    return test::message_of([&] { parse_first_steps(damaged, "run/first-steps.json"); });
  };
  EXPECT_THAT(problem(text.substr(0, text.size() / 2)), HasSubstr("run/first-steps.json"));
  EXPECT_THAT(problem(""), HasSubstr("run/first-steps.json"));
  std::string flipped = text;
  flipped[flipped.find("0123456789abcdef")] = '1';
  EXPECT_THAT(problem(flipped),
              HasSubstr("run/first-steps.json is damaged: it has another content"));
  EXPECT_THAT(problem("{\"mantissa_first_steps\":2}"), HasSubstr("written by a newer version"));
  FirstSteps uneven = example();
  uneven.steps[1].norms.pop_back();
  EXPECT_THAT(problem(to_text(uneven)), HasSubstr("one entry for each of 2 tensors"));
  FirstSteps none = example();
  none.steps.clear();
  EXPECT_THAT(problem(to_text(none)), HasSubstr("field 'steps'"));
}

TEST(FirstSteps, TenThousandImagesAndTwoThousandTensorsFit) {
  FirstSteps trace = example();
  trace.tensors.clear();
  for (TracedStep& step : trace.steps) {
    step.hashes.assign(2'000, "0123456789abcdef");
    step.norms.assign(2'000, 0.12345678901234567);
  }
  for (int i = 0; i < 2'000; ++i) {
    trace.tensors.push_back(fmt::format(
        "down_blocks.2.attentions.1.transformer_blocks.{:04d}.attn1.to_q.lora_A.weight", i));
  }
  EXPECT_LT(to_text(trace).size(), 700'000u);
  const std::string folder(60, 'x');
  for (const char* part : {"images", "validation"}) {
    for (int i = 0; i < 10'000; ++i) {
      trace.identity.push_back(
          {part, fmt::format("{}/{}.png", folder, i), "", std::string(64, 'd'), 1'000'000});
      trace.identity.push_back(
          {part, fmt::format("{}/{}.png caption", folder, i), "", std::string(64, 'e'), 100});
    }
  }
  const std::string text = to_text(trace);
  EXPECT_LE(text.size(), kLargestTrace);
  const RunIdentity kept = parse_first_steps(text, "trace").identity;
  EXPECT_EQ(kept.size(), 3u) << "the base, and a hash for each set";
  EXPECT_NO_THROW(require_traced_inputs(kept, trace.identity));
  trace.identity.back().sha256 = std::string(64, 'f');
  EXPECT_THAT(test::message_of([&] { require_traced_inputs(kept, trace.identity); }),
              HasSubstr("validation: all of them (SHA-256"));
}

TEST(FirstSteps, ThatAreTooManyAreRefused) {
  FirstSteps trace = example();
  trace.tensors.assign(60'000, std::string(80, 'x'));
  for (TracedStep& step : trace.steps) {
    step.hashes.assign(60'000, "0123456789abcdef");
    step.norms.assign(60'000, 0.5);
  }
  EXPECT_THAT(test::message_of([&] { to_text(trace); }), HasSubstr("5000000"));
}

TEST(FirstSteps, ChangedInputsAreNamed) {
  const RunIdentity then = example().identity;
  RunIdentity now = then;
  EXPECT_NO_THROW(require_traced_inputs(then, now));
  now[0].path = "/elsewhere/a.safetensors";
  EXPECT_NO_THROW(require_traced_inputs(then, now)) << "the same content in another place";
  now[0].sha256 = std::string(64, '0');
  now[2].sha256 = std::string(64, '1');
  const std::string text = test::message_of([&] { require_traced_inputs(then, now); });
  EXPECT_THAT(text, HasSubstr("base: /elsewhere/a.safetensors (SHA-256 aaaaaaaaaaaaaaaa…"));
  EXPECT_THAT(text, HasSubstr("images: a.png caption"));
}

TEST(FirstStepsComparison, NamesTheFirstTensorOfTheFirstStep) {
  const FirstSteps then = example();
  FirstSteps now = then;
  now.steps[1].hashes[1] = "ffffffffffffffff";
  now.steps[2].hashes = {"ffffffffffffffff", "ffffffffffffffff"};
  const FirstStepsComparison c = compare_first_steps(then, now);
  EXPECT_EQ(c.sameness, Sameness::different) << "the same program on the same processor";
  EXPECT_EQ(c.first->step, 2);
  EXPECT_EQ(c.first->tensor, "unet.a.lora_B.weight");
  EXPECT_EQ(c.steps[0].first_tensor, "");
  EXPECT_EQ(c.steps[2].first_tensor, "unet.a.lora_A.weight");
  EXPECT_THAT(c.verdict.text(), HasSubstr("different: first at unet.a.lora_B.weight of step 2"));
}

TEST(FirstStepsComparison, TheLossComesBeforeTheTensorsOfItsStep) {
  const FirstSteps then = example();
  FirstSteps now = then;
  now.steps[2].loss = std::nextafter(now.steps[2].loss, 1.0);
  now.steps[2].hashes[0] = "ffffffffffffffff";
  const FirstStepsComparison c = compare_first_steps(then, now);
  EXPECT_EQ(c.first->step, 3);
  EXPECT_EQ(c.first->tensor, "");
  EXPECT_THAT(c.verdict.text(), HasSubstr("first in the loss or the gradients of step 3"));
}

TEST(FirstStepsComparison, OnlyAnotherDeviceVersionOrAFastCardRounds) {
  const FirstSteps then = example();
  FirstSteps now = then;
  now.steps[0].loss *= 1.001;
  now.steps[0].hashes[0] = "ffffffffffffffff";
  EXPECT_EQ(compare_first_steps(then, now).sameness, Sameness::different);
  now.device = "Intel Xeon 8480, avx2";
  FirstStepsComparison c = compare_first_steps(then, now);
  EXPECT_EQ(c.sameness, Sameness::rounding);
  EXPECT_EQ(c.first->step, 1);
  EXPECT_THAT(c.verdict.text(),
              HasSubstr("the same within rounding (another processor or kernels: AMD EPYC 9654, "
                        "avx512 then, Intel Xeon 8480, avx2 now)"));
  EXPECT_THAT(
      c.verdict.text(),
      HasSubstr("gradient norms 0.001 (rounding: up to 0.031), tensor norms 0 (up to 0.18)"));
  now.device = then.device;
  now.version = "0.2.0";
  EXPECT_EQ(compare_first_steps(then, now).sameness, Sameness::rounding);
  now.version = then.version;
  now.repeatable = false;
  c = compare_first_steps(then, now);
  EXPECT_EQ(c.sameness, Sameness::rounding);
  EXPECT_THAT(c.verdict.text(), HasSubstr("fastest kernels of AMD EPYC 9654"));
}

TEST(FirstStepsComparison, WhatIsBeyondTheBoundIsDifferentEverywhere) {
  const FirstSteps then = example();
  const auto differs = [&](auto edit) {
    FirstSteps now = then;
    now.device = "another";
    edit(now);
    return compare_first_steps(then, now).sameness == Sameness::different;
  };
  EXPECT_TRUE(differs([](FirstSteps& t) { t.steps[0].loss *= 1.05; }));
  EXPECT_TRUE(differs([](FirstSteps& t) { t.steps[2].grad_norm *= 1.05; }));
  const auto norm_times = [](double factor) {
    return [factor](FirstSteps& t) {
      t.steps[2].norms[1] *= factor;
      t.steps[2].hashes[1] = "ffffffffffffffff";
    };
  };
  EXPECT_TRUE(differs(norm_times(1.25)));
  EXPECT_TRUE(differs([](FirstSteps& t) { t.steps[1].loss = std::nan(""); }));
  EXPECT_TRUE(differs([](FirstSteps& t) { t.steps[1].skipped = true; }));
  EXPECT_TRUE(differs([](FirstSteps& t) { t.steps[1].loss_scale = 32768; }));
  EXPECT_TRUE(differs([](FirstSteps& t) { t.steps.pop_back(); }));
  EXPECT_TRUE(differs([](FirstSteps& t) { t.tensors[1] = "unet.b.lora_B.weight"; }));
  EXPECT_FALSE(differs([](FirstSteps& t) { t.steps[1].loss *= 1.03; }));
  EXPECT_FALSE(differs(norm_times(1.2)));
}

TEST(FirstStepsComparison, OtherTensorsAreNamed) {
  const FirstSteps then = example();
  FirstSteps now = then;
  now.tensors.emplace_back("unet.b.lora_A.weight");
  for (TracedStep& step : now.steps) {
    step.hashes.emplace_back("0123456789abcdef");
    step.norms.push_back(1);
  }
  EXPECT_EQ(compare_first_steps(then, now).first->tensor, "unet.b.lora_A.weight");
  EXPECT_EQ(compare_first_steps(now, then).first->tensor, "unet.b.lora_A.weight");
}

TEST(FirstStepsComparison, BoundsFollowTheComputeType) {
  EXPECT_EQ(rounding_bound("bf16"), 8 * std::ldexp(1.0, -8));
  EXPECT_EQ(rounding_bound("fp8"), 8 * std::ldexp(1.0, -8));
  EXPECT_EQ(rounding_bound("int8"), 8 * std::ldexp(1.0, -8));
  EXPECT_EQ(rounding_bound("fp16"), 8 * std::ldexp(1.0, -11));
  EXPECT_EQ(rounding_bound("tf32"), 8 * std::ldexp(1.0, -11));
  EXPECT_EQ(rounding_bound("fp32"), 1e-5);
  EXPECT_EQ(norm_rounding_bound("fp16"), 1.0 / 16);
}

}  // namespace
}  // namespace mantissa
