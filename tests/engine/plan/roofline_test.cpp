#include "engine/plan/roofline.h"

#include <cstdlib>
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/preset/preset_io.h"
#include "tests/environment.h"

namespace mantissa {
namespace {

class RooflineTest : public ::testing::Test {
 protected:
  RooflineTest() {
    test::set_environment("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources");
    job_.base = "demo";
    job_.preset.data.resolution = 128;
    job_.preset.data.batch_size = 4;
    apply_set(job_.preset, "precision.compute=bf16");
    apply_set(job_.preset, "precision.weights.denoiser=bf16");
  }
  static const RooflineKind& of(const Roofline& r, CostKind kind) {
    return r.by_kind[static_cast<std::size_t>(kind)];
  }
  Roofline on(std::string_view card) const { return roofline(job_, card_by_id(card)); }
  JobSpec job_;
};

TEST_F(RooflineTest, AddsUp) {
  const Roofline r = on("4090");
  double ms = r.gap_ms + r.optimizer.ms, flop = r.optimizer.flop, bytes = r.optimizer.bytes;
  int nodes = r.optimizer.nodes;
  for (const RooflineKind& kind : r.by_kind) {
    ms += kind.ms;
    flop += kind.flop;
    bytes += kind.bytes;
    nodes += kind.nodes;
  }
  EXPECT_NEAR(r.ms, ms, 1e-9 * ms);
  EXPECT_NEAR(r.flop, flop, 1e-9 * flop);
  EXPECT_NEAR(r.bytes, bytes, 1e-9 * bytes);
  EXPECT_EQ(r.nodes, nodes);
  EXPECT_GT(r.ms, r.floor_ms);
  EXPECT_GT(r.floor_ms, 0);
  EXPECT_GT(r.peak_bytes, 0u);
  for (const CostKind kind : {CostKind::skinny_gemm, CostKind::convolution, CostKind::attention,
                              CostKind::norm, CostKind::activation}) {
    EXPECT_GT(of(r, kind).nodes, 0) << cost_kind_name(kind);
  }
}

TEST_F(RooflineTest, CountsTheGradientsThatCardsExchange) {
  const double wide = on("4090").gradient_bytes;
  EXPECT_GT(wide, 0);
  apply_set(job_.preset, "precision.gradients=bf16");
  EXPECT_EQ(on("4090").gradient_bytes, wide / 2);
  apply_set(job_.preset, "adapter.type=dora");
  const double narrow_dora = on("4090").gradient_bytes;
  apply_set(job_.preset, "precision.gradients=fp32");
  EXPECT_LT(on("4090").gradient_bytes, 2 * narrow_dora) << "magnitudes' gradients are FP32 always";
}

TEST_F(RooflineTest, AFasterCardIsFaster) {
  EXPECT_LT(on("h200").ms, on("4090").ms);
  EXPECT_LT(on("4090").ms, on("4060").ms);
  EXPECT_EQ(on("h200").nodes, on("4060").nodes) << "the step is the same";
}

TEST_F(RooflineTest, CheckpointingComputesMore) {
  const Roofline plain = on("4090");
  job_.preset.training.gradient_checkpointing = true;
  EXPECT_GT(on("4090").flop, 1.2 * plain.flop);
}

TEST_F(RooflineTest, AccumulationRepeatsTheStepButNotTheUpdate) {
  const Roofline once = on("4090");
  job_.preset.training.gradient_accumulation = 3;
  const Roofline thrice = on("4090");
  EXPECT_NEAR(thrice.flop, 3 * once.flop, 1e-9 * thrice.flop);
  EXPECT_EQ(thrice.optimizer.nodes, once.optimizer.nodes);
}

TEST_F(RooflineTest, DoraDoesNotLaunchForEachLayersNorm) {
  const Roofline lora = on("h200");
  apply_set(job_.preset, "adapter.type=dora");
  const Roofline dora = on("h200");
  EXPECT_GT(dora.nodes, lora.nodes);
  EXPECT_LT(dora.nodes, 1.3 * lora.nodes);
}

TEST_F(RooflineTest, Fp8ComputeIsFp8OnlyWhereTheCardHasIt) {
  apply_set(job_.preset, "precision.compute=fp8");
  apply_set(job_.preset, "precision.weights.denoiser=fp8_e4m3");
  // If the matrix units accept codes, only those of convolutions are decoded.
  EXPECT_GT(of(on("3090"), CostKind::decoding).nodes, of(on("4090"), CostKind::decoding).nodes);
}

TEST_F(RooflineTest, CodesAndSmallProductsTakeTheirTime) {
  apply_set(job_.preset, "precision.compute=fp8");
  apply_set(job_.preset, "precision.weights.denoiser=fp8_e4m3");
  const CardSpec& card = card_by_id("h100");
  const Roofline plain = roofline(job_, card);
  Efficiency other;
  other.encoding.gb_per_s *= 0.5;
  other.gradient_encoding.gb_per_s *= 0.5;
  const Roofline slower = roofline(job_, card, other);
  EXPECT_GT(of(slower, CostKind::encoding).ms, of(plain, CostKind::encoding).ms);
  EXPECT_EQ(of(slower, CostKind::gemm).ms, of(plain, CostKind::gemm).ms);
  other = {};
  other.skinny.us = 0;
  const RooflineKind& skinny = of(plain, CostKind::skinny_gemm);
  EXPECT_LT(roofline(job_, card, other).ms, plain.ms - 1e-3 * skinny.nodes)
      << "the demo's are all small";
}

TEST_F(RooflineTest, WhatClearsAWorkspaceWaits) {
  const Roofline plain = on("h200");
  Efficiency other;
  other.clear_gap_us = 0;
  const Roofline without = roofline(job_, card_by_id("h200"), other);
  EXPECT_LT(without.gap_ms, plain.gap_ms);
  EXPECT_NEAR(plain.ms - without.ms, plain.gap_ms - without.gap_ms, 1e-9 * plain.ms);
}

TEST_F(RooflineTest, Int8ComputeHasItsOwnRateOnCardsWithoutFp8Too) {
  apply_set(job_.preset, "precision.compute=bf16");
  const double wide = on("3090").floor_ms;
  apply_set(job_.preset, "precision.compute=int8");
  apply_set(job_.preset, "precision.weights.denoiser=int8");
  const Roofline plain = on("3090");
  EXPECT_LT(plain.floor_ms, wide);
  apply_set(job_.preset, "precision.weights.denoiser=int8_convrot");
  const Roofline rotated = on("3090");
  EXPECT_NEAR(rotated.floor_ms, plain.floor_ms, 1e-9 * plain.floor_ms);
  EXPECT_GT(rotated.bytes, plain.bytes) << "gradients are turned back";
}

TEST_F(RooflineTest, NamesTheCardsThereAre) {
  try {
    card_by_id("geforce");
    FAIL();
  } catch (const Error& e) {
    const std::string told = e.what();
    EXPECT_NE(told.find("'geforce'"), std::string::npos) << told;
    for (const CardSpec& card : card_table()) {
      EXPECT_NE(told.find(card.id), std::string::npos) << told;
    }
  }
}

TEST_F(RooflineTest, ACardIsKnownByItsWholeName) {
  EXPECT_EQ(card_by_device_name("NVIDIA GeForce RTX 4090"), &card_by_id("4090"));
  EXPECT_EQ(card_by_device_name("NVIDIA H200"), &card_by_id("h200"));
  EXPECT_EQ(card_by_device_name("NVIDIA H100 80GB HBM3"), &card_by_id("h100"));
  for (const char* other : {"NVIDIA GeForce RTX 4060 Ti", "NVIDIA GeForce RTX 4090 Laptop GPU",
                            "NVIDIA GeForce RTX 4090 D", "cpu", ""}) {
    EXPECT_EQ(card_by_device_name(other), nullptr) << other;
  }
}

TEST_F(RooflineTest, APlannedRunHasTheEstimateOfItsLargestStep) {
  job_.preset.data.batch_size = 2;
  const CardSpec& card = card_by_id("4090");
  PlannedRun run = open_run(job_, {std::string(card.name), card.capability});
  run.shapes.shapes = {{2, 8, 8, 77}, {2, 16, 16, 77}, {2, 8, 16, 77}};
  EXPECT_EQ(roofline(run, card).ms, on("4090").ms);
}

}  // namespace
}  // namespace mantissa
