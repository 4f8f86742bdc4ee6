#pragma once
// A run that is to be split over cards: its job, its plan, and the split in words.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/plan/card_split.h"

namespace mantissa {

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

}  // namespace mantissa
