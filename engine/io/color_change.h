#pragma once

#include "engine/io/image.h"

namespace mantissa {

/// A change of an image's colours, in ten-thousandths: factors are 1 + x/10000, the hue is turned
/// by x/10000 of the colour circle.
struct ColorChange {
  int brightness = 0, contrast = 0, saturation = 0;
  int hue = 0;
  bool operator==(const ColorChange&) const = default;
};

/// Changes brightness, contrast, saturation and hue, in this order, by the formulas of
/// torchvision.transforms.functional.adjust_*: on values v in [0, 1], with a factor f and
/// grey(v) = 0.2989 R + 0.587 G + 0.114 B,
///   brightness: f·v      contrast: f·v + (1 − f)·mean of grey over the image
///   saturation: f·v + (1 − f)·grey(v)      hue: the angle of HSV, plus the turn
/// each clamped to [0, 1]. The result is rounded once, half up. No change leaves every byte.
void change_colors(Image& image, const ColorChange& change);

}  // namespace mantissa
