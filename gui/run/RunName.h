#pragma once

#include "engine/plan/job.h"

namespace mantissa::gui {

/// The job with a name of its own if its preset only has the default one: base model, adapter and
/// image folder, "sd_xl_base_1.0-dora16-zorbs". A continued run keeps its name.
JobSpec with_own_name(JobSpec job);

}  // namespace mantissa::gui
