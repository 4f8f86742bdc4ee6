#include "engine/adapters/adapter_size.h"

#include "engine/io/module_path.h"

namespace mantissa {

AdapterSize adapter_size(const Preset::Adapter& adapter, std::string_view path, bool is_wide_conv) {
  for (const LayerRank& entry : adapter.ranks) {
    if (names_module(entry.layers, path)) {
      return {entry.rank, entry.alpha > 0 ? entry.alpha : adapter.alpha};
    }
  }
  const bool own = is_wide_conv && adapter.conv_rank > 0;
  return {own ? adapter.conv_rank : adapter.rank, adapter.alpha};
}

}  // namespace mantissa
