#include "engine/preset/settings_rows.h"

namespace mantissa {
namespace {

using value_io::bind;
using P = Preset;

constexpr Condition kOfSliders{"training.purpose", one_of<"slider">};

constexpr Setting kSlider[] = {
    {.key = "slider.target",
     .label = "Slider target",
     .kind = Kind::text,
     .group = Group::training,
     .text = TextRule::prompt,
     .applies_if = kOfSliders,
     .since = 2,
     .bind = bind<&P::slider, &P::Slider::target>(),
     .help = "Prompt of what the slider changes, such as \"a photo of a person\"."},
    {.key = "slider.positive",
     .label = "Positive prompt",
     .kind = Kind::text,
     .group = Group::training,
     .text = TextRule::prompt,
     .applies_if = kOfSliders,
     .since = 2,
     .bind = bind<&P::slider, &P::Slider::positive>(),
     .help = "The target with the attribute at its full, such as \"a photo of a very old "
             "person\": where weights above 0 lead."},
    {.key = "slider.negative",
     .label = "Negative prompt",
     .kind = Kind::text,
     .group = Group::training,
     .text = TextRule::prompt,
     .applies_if = kOfSliders,
     .since = 2,
     .bind = bind<&P::slider, &P::Slider::negative>(),
     .help = "The target with the opposite attribute, such as \"a photo of a very young "
             "person\": where weights below 0 lead."},
    {.key = "slider.guidance",
     .label = "Slider strength",
     .kind = Kind::number,
     .group = Group::training,
     .min = 0.1,
     .max = 20,
     .applies_if = kOfSliders,
     .since = 2,
     .bind = bind<&P::slider, &P::Slider::guidance>(),
     .help = "How many times the difference between the two prompts a weight of 1 applies. 3 is "
             "usual; higher values learn faster and change more beside the attribute."},
    {.key = "slider.anchor",
     .label = "Anchor prompt",
     .kind = Kind::text,
     .group = Group::training,
     .text = TextRule::prompt,
     .applies_if = kOfSliders,
     .since = 2,
     .bind = bind<&P::slider, &P::Slider::anchor>(),
     .help = "A prompt that the slider must not change, such as \"a photo of a house\": there the "
             "base model's own prediction is the target. Empty anchors nothing."},
    {.key = "slider.anchor_weight",
     .label = "Anchor weight",
     .kind = Kind::number,
     .group = Group::training,
     .min = 0,
     .max = 10,
     .applies_if = kOfSliders,
     .since = 2,
     .bind = bind<&P::slider, &P::Slider::anchor_weight>(),
     .help = "Weight of the loss on the anchor prompt. 0 turns it off."},
    {.key = "slider.samples",
     .label = "Images of the target",
     .kind = Kind::integer,
     .group = Group::training,
     .min = 1,
     .max = 4096,
     .unit = "images",
     .applies_if = kOfSliders,
     .since = 2,
     .bind = bind<&P::slider, &P::Slider::samples>(),
     .help = "How many images of the target the base model makes before training; noise is added "
             "to these. More vary more and take longer."},
};

}  // namespace

std::span<const Setting> slider_rows() {
  return kSlider;
}

}  // namespace mantissa
