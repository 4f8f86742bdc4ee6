#pragma once
#include <array>
#include <string>
#include <string_view>

#include "engine/precision/catalogue.h"

namespace mantissa {

/// What conditions put into the {names} of a message, where it is more than a number or a name.
/// The studio translates messages by these sentences, so none of them is written elsewhere.
namespace phrase {

inline constexpr std::string_view fp16_scaled = "FP16 with loss scaling";
inline constexpr std::string_view fp32_for_bf16 = "FP32 for layers pinned to BF16 or decoded to it";
inline constexpr std::string_view accumulates =
    "accumulation over {batches} batches, whose sum is known after the last";
inline constexpr std::string_view clips_globally =
    "clipping by the global norm, which is known after the whole backward pass (or set "
    "training.max_grad_norm to 0)";
inline constexpr std::string_view moves_at_once = "{parts}, which moves all weights at once";
inline constexpr std::string_view lycoris_reads = "LyCORIS reads it as trained";
inline constexpr std::string_view comfyui_differs =
    "ComfyUI takes the base weight's norm and renders it differently";
inline constexpr std::string_view diffusers_drops = "diffusers drops the magnitudes";
inline constexpr std::string_view comfyui_reads = "ComfyUI and OneTrainer read it as trained";
inline constexpr std::string_view peft_reads =
    "PEFT reads it as trained, and so does diffusers through PEFT";
inline constexpr std::string_view kohya_do_not = "programs that expect kohya names don't";
inline constexpr std::string_view peft_outputs = "PEFT knows magnitudes per output only";
inline constexpr std::string_view unknown_layer = "not known";
inline constexpr std::string_view and_more = "{names} and {count} more";

/// Between the parts of a list of reasons.
inline constexpr std::string_view between = "; ";

inline constexpr std::array all{
    fp16_scaled,   fp32_for_bf16,   accumulates,     clips_globally, moves_at_once,
    lycoris_reads, comfyui_differs, diffusers_drops, comfyui_reads,  peft_reads,
    kohya_do_not,  peft_outputs,    unknown_layer,   and_more,
};

}  // namespace phrase

/// `text` with every {name} replaced by its value.
std::string fill_in(std::string_view text, const FindingValues& values);

}  // namespace mantissa
