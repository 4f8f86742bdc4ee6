#include "engine/preset/settings_rows.h"

namespace mantissa {
namespace {

using value_io::bind;
using P = Preset;

constexpr Condition kOfTrainingAdapters{"training.purpose", one_of<"adapter">};

constexpr Setting kDistilled[] = {
    {.key = "distilled.prompts",
     .label = "Prompts of the base's images",
     .kind = Kind::text,
     .group = Group::training,
     .text = TextRule::prose,
     .applies_if = kOfTrainingAdapters,
     .since = 2,
     .bind = bind<&P::distilled, &P::Distilled::prompts>(),
     .help = "What the base model makes images of before training, one prompt a line. They should "
             "be as varied as what the model is used for; empty lines are left out."},
    {.key = "distilled.images",
     .label = "Images of the base",
     .kind = Kind::integer,
     .group = Group::training,
     .min = 1,
     .max = 65536,
     .unit = "images",
     .applies_if = kOfTrainingAdapters,
     .since = 2,
     .bind = bind<&P::distilled, &P::Distilled::images>(),
     .help =
         "How many images the base model makes of the prompts, in turn. The more there are, the "
         "less the adapter learns of single ones; each takes one sampling before training."},
};

}  // namespace

std::span<const Setting> distilled_rows() {
  return kDistilled;
}

}  // namespace mantissa
