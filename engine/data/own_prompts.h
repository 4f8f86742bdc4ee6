#pragma once
// The prompts of images that the base model makes for a run, in place of the user's images.

#include <string>
#include <vector>

#include "engine/preset/preset.h"

namespace mantissa {

/// Prompts of which the base model makes the images, in turn: a slider's target, or the lines of
/// distilled.prompts without the empty ones.
std::vector<std::string> own_prompts(const Preset& preset);
/// How many images it makes.
int own_images(const Preset& preset);

}  // namespace mantissa
