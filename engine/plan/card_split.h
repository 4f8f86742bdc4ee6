#pragma once
// A run whose layers are split over several cards, as a plan: which card has which layers, and what
// that costs, beside streaming the weights to one card.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/graph/devices.h"
#include "engine/plan/card_shares.h"
#include "engine/plan/card_table.h"
#include "engine/plan/planned_run.h"

namespace mantissa {

/// Split of a run whose memory is planned: the cuts with the least traffic of those with which
/// every part fits its card, and of these the one that fills the cards most evenly.
CardSplit split_over_cards(const PlannedRun& run, Kernels& kernels,
                           const std::vector<SplitCard>& cards);

/// Split of a run that is split already: over all of the cards, and without the alternative.
CardSplit split_over_all(const PlannedRun& run, Kernels& kernels,
                         const std::vector<SplitCard>& cards);

/// Split of a job over cards that need not be there, at its preset's resolution or with its
/// images. Throws Error as roofline does.
CardSplit split_over_cards(const JobSpec& job, const std::vector<const CardSpec*>& models);

}  // namespace mantissa
