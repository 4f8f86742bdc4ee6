#pragma once

#include <string_view>

#include "engine/preset/preset.h"

namespace mantissa {

/// The size of the adapter on one module.
struct AdapterSize {
  int rank = 0;  ///< 0: none
  double alpha = 0;
};

/// By the first entry of adapter.ranks that names the module at `path`, else adapter.rank, or for
/// a convolution larger than 1x1 adapter.conv_rank.
AdapterSize adapter_size(const Preset::Adapter& adapter, std::string_view path, bool is_wide_conv);

}  // namespace mantissa
