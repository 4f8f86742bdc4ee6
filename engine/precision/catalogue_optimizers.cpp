#include <algorithm>
#include <fmt/format.h>

#include "engine/precision/catalogue_rules.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

bool bf16_masters(const PrecisionFacts& f) {
  return f.preset.precision.adapter == MasterType::bf16;
}

bool mixed_types(const PrecisionFacts& f) {
  const Preset::Precision& p = f.preset.precision;
  return p.adapter != p.gradients || p.optimizer_state != StateType::fp32;
}

bool narrow_state(const PrecisionFacts& f) {
  const Preset::Precision& p = f.preset.precision;
  return p.optimizer_state != StateType::fp32 || p.adapter != MasterType::fp32 ||
         any_part(f.preset, &OptimizerRow::always_eight_bit);
}

/// Names of the settings that chose these optimizers.
std::string names_of(const std::vector<PartOptimizer>& list) {
  std::string names;
  for (const PartOptimizer& o : list) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", enum_name(o.type), o.part.name());
  }
  return names;
}

template <typename Wanted>
std::vector<PartOptimizer> optimizers_that(const Preset& preset, Wanted wanted) {
  std::vector<PartOptimizer> list = part_optimizers(preset);
  std::erase_if(list, [&](const PartOptimizer& o) { return !wanted(o); });
  return list;
}

bool factored(const PartOptimizer& o) {
  return o.row().is_factored();
}

/// Sets the rate only of parts for which `wanted` is true: others that used optimizer.learning_rate
/// keep it in their group.
template <typename Wanted>
void set_rates(Preset& preset, double rate, Wanted wanted) {
  const double before = preset.optimizer.learning_rate;
  bool main_changes = false;
  for (const PartOptimizer& o : optimizers_that(preset, wanted)) {
    bool grouped = false;
    for (OptimizerGroup& group : preset.optimizer.groups) {
      if (group.part == o.part) {
        group.learning_rate = rate;
        grouped = true;
      }
    }
    main_changes = main_changes || !grouped;
  }
  if (!main_changes) {
    return;
  }
  preset.optimizer.learning_rate = rate;
  for (OptimizerGroup& group : preset.optimizer.groups) {
    group.learning_rate = group.learning_rate.value_or(before);
  }
}

MaybeConflict plain_bf16_masters(const PrecisionFacts& f) {
  const Preset::Precision& p = f.preset.precision;
  if (!bf16_masters(f) || p.stochastic_rounding || p.kahan) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.stochastic_rounding = true;
  const double lost = lost_update_share(f.preset.optimizer.learning_rate, MasterType::bf16);
  return adjust(fixed, {{"percent", fmt::format("{:.0f}", 100 * lost)}});
}

MaybeConflict plain_bf16_state(const PrecisionFacts& f) {
  const Preset::Precision& p = f.preset.precision;
  const auto keeps = optimizers_that(f.preset, [](const PartOptimizer& o) {
    return o.row().has_moment() && !o.row().always_eight_bit();
  });
  if (p.optimizer_state != StateType::bf16 || p.stochastic_rounding || keeps.empty()) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.optimizer_state = StateType::fp32;
  return adjust(fixed, {{"beta2", fmt::format("{:g}", f.preset.optimizer.betas[1])}});
}

MaybeConflict bf16_average(const PrecisionFacts& f) {
  if (f.preset.training.ema < 0.999 || !bf16_masters(f)) {
    return {};
  }
  return notice(f, {{"decay", fmt::format("{:g}", f.preset.training.ema)}});
}

MaybeConflict narrow_accumulation(const PrecisionFacts& f) {
  const int batches = f.preset.training.gradient_accumulation;
  if (f.preset.precision.gradients == MasterType::fp32 || batches < 2) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.gradients = MasterType::fp32;
  return adjust(fixed, {{"batches", batches}});
}

MaybeConflict small_tensors(const PrecisionFacts& f) {
  const bool eight_bit = f.preset.precision.optimizer_state == StateType::eight_bit;
  const auto keeps = optimizers_that(f.preset, [&](const PartOptimizer& o) {
    return o.row().always_eight_bit() || (eight_bit && o.row().has_moment());
  });
  if (keeps.empty()) {
    return {};
  }
  return notice(f);
}

/// Prodigy estimates one rate per part: a part's own rate becomes d_coef, LoRA+ would break the
/// estimate.
MaybeConflict prodigy_rates(const PrecisionFacts& f) {
  const auto is_prodigy = [](const PartOptimizer& o) { return o.row().finds_rate(); };
  const auto prodigies = optimizers_that(f.preset, is_prodigy);
  if (prodigies.empty()) {
    return {};
  }
  const bool differ = std::any_of(prodigies.begin(), prodigies.end(), [&](const PartOptimizer& o) {
    return o.learning_rate != prodigies.front().learning_rate;
  });
  Preset fixed = f.preset;
  fixed.adapter.lora_plus_ratio = 1;
  if (!differ && fixed == f.preset) {
    return {};
  }
  return adjust(fixed, {{"parts", names_of(prodigies)}});
}

/// Everything incompatible with a fused backward pass, in one refusal.
MaybeConflict fused_needs_more(const PrecisionFacts& f) {
  if (!f.preset.optimizer.fused_back_pass) {
    return {};
  }
  const auto late = optimizers_that(
      f.preset, [](const PartOptimizer& o) { return o.row().finds_rate() || factored(o); });
  const bool clips = f.preset.training.max_grad_norm > 0;
  const int batches = f.preset.training.gradient_accumulation;
  std::vector<Message> reasons;
  if (batches > 1) {
    reasons.push_back(
        message<"accumulation over {batches} batches, whose sum is known after the last">(batches));
  }
  if (clips) {
    reasons.push_back(
        message<"clipping by the global norm, which is known after the whole backward pass (or set "
                "training.max_grad_norm to 0)">());
  }
  if (!late.empty()) {
    reasons.push_back(message<"{parts}, which moves all weights at once">(names_of(late)));
  }
  if (reasons.empty()) {
    return {};
  }
  Preset fixed = f.preset;
  if (clips || !late.empty()) {
    fixed.optimizer.fused_back_pass = false;
  } else {
    fixed.training.gradient_accumulation = 1;
  }
  return refuse(fixed, {{"reasons", joined<"; ">(std::move(reasons))}});
}

MaybeConflict eight_bit_by_name(const PrecisionFacts& f) {
  const auto named =
      optimizers_that(f.preset, [](const PartOptimizer& o) { return o.row().always_eight_bit(); });
  const StateType state = f.preset.precision.optimizer_state;
  if (named.empty() || state == StateType::eight_bit) {
    return {};
  }
  const FindingValues values{{"parts", names_of(named)}, {"state", enum_name(state)}};
  if (named.size() < part_optimizers(f.preset).size()) {
    return notice(f, values);
  }
  Preset fixed = f.preset;
  fixed.precision.optimizer_state = StateType::eight_bit;
  return adjust(fixed, values);
}

MaybeConflict prodigy_rate_far_from_one(const PrecisionFacts& f) {
  const auto is_far = [](const PartOptimizer& o) {
    return o.row().finds_rate() && (o.learning_rate < 0.1 || o.learning_rate > 5);
  };
  const auto list = optimizers_that(f.preset, is_far);
  if (list.empty()) {
    return {};
  }
  Preset fixed = f.preset;
  set_rates(fixed, 1, is_far);
  return warn(fixed, {{"rate", fmt::format("{:g}", list.front().learning_rate)}});
}

MaybeConflict rate_of_prodigy(const PrecisionFacts& f) {
  const auto high = [](const PartOptimizer& o) {
    return !o.row().finds_rate() && o.learning_rate >= o.row().too_high;
  };
  const auto list = optimizers_that(f.preset, high);
  if (list.empty()) {
    return {};
  }
  Preset fixed = f.preset;
  set_rates(fixed, 1e-4, high);
  return warn(fixed, {{"rate", fmt::format("{:g}", list.front().learning_rate)},
                      {"parts", names_of(list)}});
}

MaybeConflict state_stays_fp32(const PrecisionFacts& f) {
  const StateType state = f.preset.precision.optimizer_state;
  const auto list = optimizers_that(f.preset, [state](const PartOptimizer& o) {
    return (state != StateType::fp32 && o.row().has_fixed()) ||
           (state == StateType::eight_bit && o.row().has_sum());
  });
  if (list.empty()) {
    return {};
  }
  return notice(f, {{"parts", names_of(list)}, {"state", enum_name(state)}});
}

MaybeConflict automagic_rate_far_from_usual(const PrecisionFacts& f) {
  const auto high = [](const PartOptimizer& o) {
    const bool moves_rates =
        std::ranges::count(o.row().state, StateShape::rates, &StateRow::shape) > 0;
    return moves_rates && o.learning_rate > 1e-5;
  };
  const auto list = optimizers_that(f.preset, high);
  if (list.empty()) {
    return {};
  }
  Preset fixed = f.preset;
  set_rates(fixed, 1e-6, high);
  return warn(fixed, {{"rate", fmt::format("{:g}", list.front().learning_rate)},
                      {"steps", fmt::format("{:.0f}", list.front().learning_rate / 1e-6)}});
}

bool schedule_free(const PartOptimizer& o) {
  return o.row().schedule_free;
}

MaybeConflict averaged_twice(const PrecisionFacts& f) {
  const auto list = optimizers_that(f.preset, schedule_free);
  if (list.empty() || f.preset.training.ema == 0) {
    return {};
  }
  const FindingValues values{{"parts", names_of(list)},
                             {"decay", fmt::format("{:g}", f.preset.training.ema)}};
  if (list.size() < part_optimizers(f.preset).size()) {
    return notice(f, values);
  }
  Preset fixed = f.preset;
  fixed.training.ema = 0;
  return adjust(fixed, values);
}

MaybeConflict falls_beside_an_average(const PrecisionFacts& f) {
  const auto list = optimizers_that(f.preset, schedule_free);
  if (list.empty() || f.preset.schedule.type == ScheduleType::constant) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.schedule.type = ScheduleType::constant;
  return warn(fixed, {{"parts", names_of(list)}, {"schedule", enum_name(f.preset.schedule.type)}});
}

constexpr CatalogueEntry kOptimizerRows[] = {
    {.id = "B1",
     .area = CatalogueArea::optimizers,
     .verdicts = "A",
     .title = "BF16 adapter weights, rounded to nearest: training stalls",
     .cause = "BF16 has 8 significant bits: 1 - 0.001 is 1.",
     .here = "Stochastic rounding is switched on; FP32 weights or Kahan summation work as well.",
     .message = "Stochastic rounding enabled: at this learning rate, {percent}% of the updates of "
                "BF16 weights would be lost at the start, and more as weights grow.",
     .fix = "stochastic rounding, Kahan summation, or FP32 adapter weights",
     .fields = {"precision.stochastic_rounding", "precision.adapter", "precision.kahan"},
     .rank = 40,
     .find = plain_bf16_masters},
    {.id = "B2",
     .area = CatalogueArea::optimizers,
     .verdicts = "A",
     .title = "Second moment in BF16: it never decays, and learning slows down for good",
     .cause = "With beta2 = 0.999, one step changes it by a thousandth, which is below half a step "
              "of BF16.",
     .here = "Moments in BF16 are rounded stochastically; otherwise they are FP32.",
     .message = "Optimizer state in FP32: with beta2 {beta2} and rounding to nearest, BF16 moments "
                "stop changing.",
     .fix = "FP32 state, or stochastic rounding",
     .fields = {"precision.optimizer_state", "precision.stochastic_rounding", "optimizer.betas"},
     .rank = 41,
     .find = plain_bf16_state},
    {.id = "B3",
     .area = CatalogueArea::optimizers,
     .verdicts = "W",
     .title = "Weight decay on BF16 weights does nothing",
     .cause = "Decay alone is far below half a step of BF16 and was rounded on its own.",
     .here = "Decay and update are added in FP32, and the sum is rounded once.",
     .fields = {"optimizer.weight_decay", "precision.adapter"},
     .concerns = bf16_masters},
    {.id = "B4",
     .area = CatalogueArea::optimizers,
     .verdicts = "A",
     .title = "Weight average in BF16 never moves",
     .cause = "At a decay of 0.999 and more, what is added is below half a step of BF16.",
     .here = "The average is always FP32.",
     .message = "Weight average in FP32: at decay {decay} a BF16 average would not move.",
     .fields = {"training.ema", "precision.adapter"},
     .find = bf16_average},
    {.id = "B5",
     .area = CatalogueArea::optimizers,
     .verdicts = "A",
     .title = "Gradients accumulated in 16 bits: late batches count less",
     .cause = "As the sum grows, small additions are rounded away.",
     .here = "Gradients are accumulated in FP32 over more than one batch.",
     .message = "FP32 accumulator: sums over {batches} batches swallow small gradients in 16 bits.",
     .fix = "FP32 gradients",
     .fields = {"precision.gradients", "training.gradient_accumulation"},
     .rank = 25,
     .find = narrow_accumulation},
    {.id = "B6",
     .area = CatalogueArea::optimizers,
     .verdicts = "W",
     .title = "An optimizer that takes one type only: \"only bfloat16 is supported\"",
     .cause = "Weights, gradients and state must share one type.",
     .here = "The three are independent choices, and every optimizer takes every one of them.",
     .fields = {"precision.adapter", "precision.gradients", "precision.optimizer_state"},
     .concerns = mixed_types},
    {.id = "B7",
     .area = CatalogueArea::optimizers,
     .verdicts = "W",
     .title = "Adam in FP16: eps of 1e-8 becomes 0, then division by zero",
     .cause = "FP16's smallest number is 6e-8.",
     .here = "Optimizers calculate in FP32 whatever their operands are stored in.",
     .fields = {"optimizer.eps", "precision.compute"},
     .concerns = computes_fp16},
    {.id = "B8",
     .area = CatalogueArea::optimizers,
     .verdicts = "A",
     .title = "8-bit state on small tensors: unstable",
     .cause = "One block of 256 shares one scale; in a small tensor, a few values decide all.",
     .here = "Tensors of less than 4096 elements have FP32 state.",
     .message = "Small tensors (under 4096 elements) use FP32 state.",
     .fields = {"precision.optimizer_state", "optimizer.type"},
     .find = small_tensors},
    {.id = "B9",
     .area = CatalogueArea::optimizers,
     .verdicts = "W",
     .title = "Resuming casts the optimizer's state to the weights' type",
     .cause = "The loader has one type for everything.",
     .here =
         "Every buffer in a checkpoint has its type; one that differs from the plan is an error "
         "with its name.",
     .fields = {"precision.optimizer_state", "precision.adapter"},
     .concerns = narrow_state},
    {.id = "B10",
     .area = CatalogueArea::optimizers,
     .verdicts = "A",
     .title = "Prodigy with several learning rates, or LoRA+: the estimate runs away",
     .cause = "Prodigy estimates one rate from all weights; factors on single weights distort it.",
     .here =
         "Each part has a Prodigy of its own; a part's learning rate over optimizer.learning_rate "
         "is its d_coef. LoRA+ is left out.",
     .message =
         "One Prodigy for each of {parts}; the ratio of their learning rates becomes d_coef.",
     .fix = "LoRA+ ratio 1",
     .fields = {"optimizer.learning_rate", "optimizer.groups", "optimizer.type",
                "adapter.lora_plus_ratio"},
     .find = prodigy_rates},
    {.id = "B11",
     .area = CatalogueArea::optimizers,
     .verdicts = "R",
     .title =
         "Settings that exclude each other: Adafactor with a rate and its relative step; a step "
         "inside the backward pass with accumulation",
     .cause = "A relative step ignores the given learning rate. A fused backward pass updates "
              "before the other batches and the global norm are known.",
     .here =
         "Adafactor's relative step is always off: the rate that is given is the rate. A step "
         "inside the backward pass is refused with accumulation, with clipping by global norm, and "
         "with optimizers that move all weights at once (Prodigy, Adafactor, CAME, "
         "Automagic).",
     .refusal = "Choose one: a fused backward pass excludes {reasons}.",
     .fix = "accumulation 1, or optimizer.fused_back_pass off",
     .fields = {"optimizer.fused_back_pass", "training.gradient_accumulation",
                "training.max_grad_norm", "optimizer.type"},
     .find = fused_needs_more},
    {.id = "B12",
     .area = CatalogueArea::optimizers,
     .verdicts = "A",
     .title = "An 8-bit optimizer and a wider state asked for at once",
     .cause = "adamw8bit is AdamW with 8-bit state; precision.optimizer_state says something else.",
     .here = "The optimizer's name counts.",
     .message = "{parts} keeps its state in 8bit; precision.optimizer_state {state} does not apply "
                "to it.",
     .fix = "optimizer adamw for the wider state",
     .fields = {"precision.optimizer_state", "optimizer.type", "optimizer.groups"},
     .rank = 15,
     .find = eight_bit_by_name},
    {.id = "B13",
     .area = CatalogueArea::optimizers,
     .verdicts = "N",
     .title = "Prodigy with an ordinary learning rate: nothing is learned for thousands of steps",
     .cause = "Prodigy finds the rate itself; the learning rate is a factor on what it finds.",
     .here = "It is used as given.",
     .message =
         "Prodigy's learning rate is a factor on the rate it finds, usually 1; it is {rate}.",
     .fix = "learning rate 1",
     .fields = {"optimizer.learning_rate", "optimizer.groups", "optimizer.type"},
     .find = prodigy_rate_far_from_one},
    {.id = "B14",
     .area = CatalogueArea::optimizers,
     .verdicts = "N",
     .title = "Prodigy's learning rate with another optimizer: noise after a few steps",
     .cause = "The learning rate is still 1 from another optimizer.",
     .here = "It is used as given.",
     .message = "A learning rate of {rate} breaks a LoRA with {parts}; 1 is Prodigy's rate.",
     .fix = "learning rate 1e-4",
     .fields = {"optimizer.learning_rate", "optimizer.groups", "optimizer.type"},
     .find = rate_of_prodigy},
    {.id = "B15",
     .area = CatalogueArea::optimizers,
     .verdicts = "A",
     .title = "Narrow state where the optimizer needs it exact",
     .cause =
         "Adafactor's, CAME's and Automagic's row and column moments stand for whole matrices; "
         "Prodigy's estimate, Automagic's rates and schedule-free averages are sums of small "
         "increments. They are small, or must be exact.",
     .here = "Those stay FP32; only the other moments have the chosen type.",
     .message = "Part of the state of {parts} stays FP32 instead of {state}: factored moments, "
                "second moments of vectors and sums of small increments need it.",
     .fields = {"precision.optimizer_state", "optimizer.type"},
     .find = state_stays_fp32},
    {.id = "B16",
     .area = CatalogueArea::optimizers,
     .verdicts = "A",
     .title = "Weight averaging with a schedule-free optimizer: an average of what is not the "
              "result",
     .cause = "Its parameters are where gradients are taken; the result is an average that it "
              "keeps by itself.",
     .here = "Its own average is saved, sampled and validated; training.ema does not apply to it.",
     .message = "{parts} averages the weights by itself: training.ema {decay} does not apply to "
                "it.",
     .fix = "training.ema 0",
     .fields = {"training.ema", "optimizer.type", "optimizer.groups"},
     .rank = 16,
     .find = averaged_twice},
    {.id = "B17",
     .area = CatalogueArea::optimizers,
     .verdicts = "N",
     .title = "A falling learning rate with a schedule-free optimizer: the end of the run hardly "
              "counts",
     .cause = "Its average does what the schedule is for, and weights each step by the square of "
              "its rate or of the largest so far.",
     .here = "It is used as given.",
     .message = "{parts} replaces the schedule by an average; with schedule.type {schedule} its "
                "last steps are too small.",
     .fix = "schedule.type constant; warm-up stays",
     .fields = {"schedule.type", "optimizer.type", "optimizer.groups"},
     .find = falls_beside_an_average},
    {.id = "B18",
     .area = CatalogueArea::optimizers,
     .verdicts = "N",
     .title = "Automagic with an ordinary learning rate: its rates hardly adapt",
     .cause =
         "The rate of each value begins at the learning rate and moves by 1e-6 a step, whatever "
         "it is.",
     .here = "It is used as given.",
     .message = "Automagic's rates begin at the learning rate, usually 1e-6, and move by 1e-6 a "
                "step: from {rate}, they need {steps} steps to fall.",
     .fix = "learning rate 1e-6",
     .fields = {"optimizer.learning_rate", "optimizer.groups", "optimizer.type"},
     .find = automagic_rate_far_from_usual},
};

}  // namespace

std::span<const CatalogueEntry> optimizer_entries() {
  return kOptimizerRows;
}

}  // namespace mantissa
