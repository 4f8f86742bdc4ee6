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

/// Splits the layers of a job over `cards`: "cuda:0,1", or with the whole name of each. Throws
/// Error as devices_of does.
void split_over(JobSpec& job, std::string cards);

/// Throws Error naming the setting or option, and what to change, if a job's layers are to be split
/// (JobSpec::split) and it asks for something that such a run can't do.
void require_splittable(const JobSpec& job);

/// Plans the split of a run whose memory is planned, on its devices: which has which weights, and
/// in `report` the memory of all together. Throws Error(out_of_memory) naming the part that doesn't
/// fit.
void plan_split(PlannedRun& run, std::span<Kernels* const> devices);

/// The cards of this machine that could share a run on `device`, that one first, of which
/// `free_bytes` may be used.
std::vector<SplitCard> cards_to_split_over(const std::string& device, std::uint64_t free_bytes);

/// The split in a few sentences, of a run that could be split.
Message split_text(const CardSplit& split);
/// The stages in a few sentences, of a run that is split.
Message stages_text(const CardSplit& split);

/// Split of a job over cards that need not be there, at its preset's resolution or with its
/// images. Throws Error as roofline does.
CardSplit split_over_cards(const JobSpec& job, const std::vector<const CardSpec*>& models);

}  // namespace mantissa
