#include "engine/adapters/fused_module.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "engine/core/error.h"

namespace mantissa {
namespace {

/// The shares of one fused module in order; null for those without an adapter. A module with
/// several stands in each of them.
using Shares = std::vector<const AdapterModule*>;

const AdapterModule& first_of(const Shares& shares) {
  return **std::find_if(shares.begin(), shares.end(), [](const auto* m) { return m != nullptr; });
}

/// Outputs of an equal share.
std::int64_t share_rows(const Shares& shares) {
  const AdapterModule& first = first_of(shares);
  return first.up_shape[0] / std::ranges::count(shares, &first);
}

/// Whether share `i` is of the module of the one before it.
bool goes_on(const Shares& shares, std::size_t i) {
  return i > 0 && shares[i] != nullptr && shares[i] == shares[i - 1];
}

/// By the fused module's path.
std::map<std::string, Shares> fused_groups(std::span<const AdapterModule> modules,
                                           const Dialect& dialect, const ModelNames& base) {
  std::map<std::string, Shares> groups;
  for (const AdapterModule& m : modules) {
    if (const auto fused = m.rank > 0 ? written_within(m.path, dialect, base) : std::nullopt) {
      Shares& shares = groups[fused->path];
      shares.resize(static_cast<std::size_t>(fused->slices));
      std::fill_n(shares.begin() + fused->slice, fused->span, &m);
    }
  }
  return groups;
}

/// Whether they are what split_outputs makes of one module.
bool share_down(const Shares& shares) {
  return std::all_of(shares.begin(), shares.end(), [&](const AdapterModule* m) {
    return m != nullptr && m->alpha == shares.front()->alpha && m->down == shares.front()->down;
  });
}

/// Whether none is a DoRA, or all are whose magnitudes are the whole's.
bool joins_exactly(const Shares& shares) {
  const AdapterModule& first = first_of(shares);
  return std::all_of(shares.begin(), shares.end(), [&](const AdapterModule* m) {
    const auto axis = m == nullptr ? std::nullopt : m->dora_axis;
    return axis == first.dora_axis && axis != DoraAxis::input;
  });
}

/// The rows of `whole`'s up matrix that are a share's: its own in the columns of its ranks, at the
/// whole's scale.
void add_rows(AdapterModule& whole, const AdapterModule& m, std::size_t column) {
  const auto own = static_cast<float>(m.alpha / m.rank / (whole.alpha / whole.rank));
  const auto rank = static_cast<std::size_t>(m.rank);
  for (std::size_t r = 0; r < m.up.size(); r += rank) {
    whole.up.resize(whole.up.size() + static_cast<std::size_t>(whole.rank));
    const auto row = whole.up.end() - whole.rank + static_cast<std::ptrdiff_t>(column);
    std::transform(m.up.begin() + static_cast<std::ptrdiff_t>(r),
                   m.up.begin() + static_cast<std::ptrdiff_t>(r + rank), row,
                   [&](float x) { return own * x; });
  }
}

AdapterModule joined(const std::string& path, const Shares& shares) {
  const AdapterModule& first = first_of(shares);
  const bool one_down = share_down(shares);
  AdapterModule whole{.path = path, .dora_axis = first.dora_axis, .in_original = true};
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const AdapterModule* m = shares[i];
    const bool adds = m != nullptr && !goes_on(shares, i) && !(one_down && m != &first);
    whole.rank += adds ? m->rank : 0;
    if (adds) {
      whole.down.insert(whole.down.end(), m->down.begin(), m->down.end());
    }
  }
  const double scale = first.alpha == 0 ? 1 : first.alpha / first.rank;
  whole.alpha = scale * whole.rank;
  whole.down_shape = {whole.rank, first.down_shape[1]};
  const std::int64_t rows = share_rows(shares);
  whole.up_shape = {rows * static_cast<std::int64_t>(shares.size()), whole.rank};
  std::size_t column = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const AdapterModule* m = shares[i];
    if (m == nullptr) {
      whole.up.resize(whole.up.size() + static_cast<std::size_t>(rows * whole.rank));
      continue;
    }
    if (goes_on(shares, i)) {
      continue;
    }
    add_rows(whole, *m, column);
    column += one_down ? 0 : static_cast<std::size_t>(m->rank);
    whole.magnitude.insert(whole.magnitude.end(), m->magnitude.begin(), m->magnitude.end());
  }
  return whole;
}

}  // namespace

std::vector<float> OutputShare::of(const std::vector<float>& values) const {
  const std::size_t size = values.size() / shares;
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first * size);
  return {begin, begin + static_cast<std::ptrdiff_t>(count * size)};
}

std::vector<OutputShare> output_shares(std::span<const std::string> paths) {
  std::vector<OutputShare> list;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (i > 0 && paths[i] == paths[i - 1]) {
      ++list.back().count;
    } else {
      list.push_back({&paths[i], i, 1, paths.size()});
    }
  }
  return list;
}

namespace {

/// The module in those of its ranks that have a value in its up matrix: the same change.
void keep_used_ranks(AdapterModule& module) {
  const auto had = static_cast<std::size_t>(module.rank);
  std::vector<std::size_t> used;
  for (std::size_t j = 0; j < had; ++j) {
    bool any = false;
    for (std::size_t i = j; i < module.up.size() && !any; i += had) {
      any = module.up[i] != 0;
    }
    if (any) {
      used.push_back(j);
    }
  }
  if (used.size() == had || used.empty()) {
    return;
  }
  const std::size_t columns = module.down.size() / had;
  std::vector<float> up, down;
  for (std::size_t row = 0; row < module.up.size(); row += had) {
    for (const std::size_t j : used) {
      up.push_back(module.up[row + j]);
    }
  }
  for (const std::size_t j : used) {
    const auto row = module.down.begin() + static_cast<std::ptrdiff_t>(j * columns);
    down.insert(down.end(), row, row + static_cast<std::ptrdiff_t>(columns));
  }
  const auto rank = static_cast<int>(used.size());
  module.alpha = module.alpha / module.rank * rank;
  module.rank = module.down_shape[0] = module.up_shape[1] = rank;
  module.up = std::move(up);
  module.down = std::move(down);
}

bool is_zero(const std::vector<float>& values) {
  return std::ranges::all_of(values, [](float x) { return x == 0; });
}

}  // namespace

std::vector<AdapterModule> split_outputs(const AdapterModule& module,
                                         std::span<const std::string> paths,
                                         const std::string& file) {
  const auto count = static_cast<std::int64_t>(paths.size());
  if (module.up_shape[0] % count != 0) {
    throw Error(message<"{file}: {module} has {rows} outputs, which {count} projections can't "
                        "share equally. Was the file made for another base model?">(
        file, module.path, module.up_shape[0], count));
  }
  if (module.dora_axis == DoraAxis::input) {
    throw Error(message<"{file}: {module} is a DoRA per input of {count} fused projections, whose "
                        "norms span all of them; here they are modules of their own. Export it as "
                        "plain LoRA where it was made">(file, module.path, count));
  }
  // What join_outputs has put together comes apart as it was: shares without an adapter have none,
  // the others their own ranks.
  const bool plain = module.rank > 0 && !module.product && !module.dora_axis;
  const bool any = !is_zero(module.up);
  std::vector<AdapterModule> slices;
  for (const OutputShare& share : output_shares(paths)) {
    if (plain && any && is_zero(share.of(module.up))) {
      continue;
    }
    AdapterModule slice = module;
    slice.path = *share.path;
    slice.product.reset();
    slice.up_shape[0] = module.up_shape[0] / count * static_cast<std::int64_t>(share.count);
    slice.up = share.of(module.up);
    slice.dense = share.of(module.dense);
    slice.magnitude = share.of(module.magnitude);
    if (module.rank > 0 && !module.product) {
      keep_used_ranks(slice);
    }
    slices.push_back(std::move(slice));
  }
  return slices;
}

void exchange_halves(std::vector<float>& rows) {
  std::rotate(rows.begin(), rows.begin() + std::ssize(rows) / 2, rows.end());
}

AdapterModule with_halves_swapped(AdapterModule module, const std::string& file) {
  if (module.up_shape[0] % 2 != 0) {
    throw Error(message<"{file}: {module} has {rows} outputs, which {count} projections can't "
                        "share equally. Was the file made for another base model?">(
        file, module.path, module.up_shape[0], 2));
  }
  exchange_halves(module.up);
  exchange_halves(module.dense);
  if (module.dora_axis == DoraAxis::output) {
    exchange_halves(module.magnitude);
  }
  module.product.reset();  // its factors are of the rows in their order
  return module;
}

Joining joining(std::span<const AdapterModule> modules, const Dialect& dialect,
                const ModelNames& base) {
  const auto groups = fused_groups(modules, dialect, base);
  const bool swaps = std::ranges::any_of(modules, [&](const AdapterModule& m) {
    return !m.product && written_swapped(m.path, dialect, base);
  });
  return groups.empty() ? swaps ? Joining::exact : Joining::none
         : std::all_of(groups.begin(), groups.end(),
                       [](const auto& group) { return joins_exactly(group.second); })
             ? Joining::exact
             : Joining::of_plain_ones;
}

std::vector<AdapterModule> join_outputs(std::span<const AdapterModule> modules,
                                        const Dialect& dialect, const ModelNames& base) {
  std::vector<AdapterModule> result;
  for (const AdapterModule& m : modules) {
    const auto swapped = m.product ? std::nullopt : written_swapped(m.path, dialect, base);
    if (swapped) {
      result.push_back(with_halves_swapped(m, m.path));
      result.back().path = *swapped;
      result.back().in_original = true;
    } else if (m.rank == 0 || !written_within(m.path, dialect, base)) {
      result.push_back(m);
    }
  }
  for (const auto& [path, shares] : fused_groups(modules, dialect, base)) {
    result.push_back(joined(path, shares));
  }
  return result;
}

}  // namespace mantissa
