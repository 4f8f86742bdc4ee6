#pragma once

#include <memory>

#include "kernels/card_link.h"
#include "kernels/cuda/context.h"

namespace mantissa::cuda {

/// The version of an opened library, and whether it has all that is called here: sets `error` and
/// drops the handle if not.
void describe_nccl(NcclLibrary& nccl);

/// As new_card_link and join_card_link.
CardLinkId new_nccl_link(const NcclLibrary& nccl);
std::unique_ptr<CardLink> join_nccl_link(const NcclLibrary& nccl, Context& context,
                                         const CardLinkPlace& place, WhileWaiting while_waiting);

}  // namespace mantissa::cuda
