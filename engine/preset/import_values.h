#pragma once
// Values that several programs write alike.

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "engine/preset/import_rules.h"

namespace mantissa {

/// An optimizer by the name of its class or of a library's option, in any case: "AdamW8bit".
void take_optimizer(ImportContext& context, ImportRow& row, std::string_view name);

/// A number of batches as updates of `batches` each, which are steps here; part of one is one.
double updates_of(double batches, double each);
/// Takes a number of steps there, and tells if these are batches.
void take_steps(ImportContext& context, ImportRow& row, std::string_view target,
                const nlohmann::json& value, double batches);

/// The nearest learning rate that is offered; the row of a key that holds another one says so.
double offered_rate(double rate);
void mark_rate(ImportContext& context, std::string_view key);

/// Ignores the row of a key that concerns the noise of Stable Diffusion alone, if the base model's
/// family is rectified flow; true if so.
bool ignore_for_flow(ImportContext& context, ImportRow& row);

/// The row of a guidance scale that a model embeds, which is 1 in training here: a change if FLUX.1
/// is given another one.
void answer_guidance(ImportContext& context, ImportRow& row, const nlohmann::json& value);
inline constexpr RuleText kGuidanceNote =
    words<"A guidance scale that a model embeds is 1 in training here.">;
/// The row of a switch that masks the padding of captions: a change with FLUX.1, whose T5 has no
/// mask here.
void answer_caption_mask(ImportContext& context, ImportRow& row, const nlohmann::json& value);
inline constexpr RuleText kT5Mask = words<"a mask for the padding of T5's captions">;

/// training.loss by a name of sd-scripts and diffusers: "l2", "huber", "smooth_l1". Any other one,
/// such as "l1" or "mae", becomes mse, which the row says.
void take_loss(ImportContext& context, ImportRow& row, std::string_view name);

/// A flag within a prompt and the member of samples.prompts that it sets; without one it is known,
/// but says nothing for this model.
struct PromptFlag {
  std::string_view flag, key;
};
/// One of samples.prompts from a prompt with flags, as sd-scripts and AI Toolkit have them:
/// "a cat --n blurry --w 1024 --h 768 --d 7 --l 6.5 --s 28". Flags of which nothing could be taken
/// are added to `unread`. Of two flags for one member the later in `flags` counts.
nlohmann::json prompt_with_flags(std::string_view line, std::span<const PromptFlag> flags,
                                 std::set<std::string>& unread);
/// samples.prompts; the row names the flags that were not read.
void take_prompts(ImportContext& context, ImportRow& row, const nlohmann::json& list,
                  const std::set<std::string>& unread);

/// "no", "fp16", "bf16" or "fp8" of accelerate, as the type of computation and of all weights.
void take_mixed_precision(ImportContext& context, ImportRow& row, std::string_view name);

/// "float16", "torch.bfloat16", "fp32", …: our name of a dtype of torch; empty for another one.
std::string_view torch_dtype(std::string_view name);

/// Versions of each image in place of changes that another program draws at every step.
inline constexpr int kDrawnVersions = 8;
/// data.crop_jitter of crops that lie anywhere without being enlarged: there is none without.
inline constexpr double kLeastJitter = 0.01;
/// data.variants; the most, if several keys want them.
void take_versions(ImportContext& context, ImportRow& row, int count);

/// data.crop_jitter for a switch of crops that are drawn at every step and not enlarged.
void take_random_crop(ImportContext& context, ImportRow& row, const nlohmann::json& value);

/// Note that a size that isn't square counts by its area.
Message same_area_note(double width, double height);
/// data.resolution as the side of the square with the same area. The row says so.
void take_area(ImportContext& context, ImportRow& row, double width, double height);

}  // namespace mantissa
