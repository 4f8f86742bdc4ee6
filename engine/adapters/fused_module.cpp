#include "engine/adapters/fused_module.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "engine/core/error.h"

namespace mantissa {
namespace {

/// The share `index` of `count` equal ones.
std::vector<float> share(const std::vector<float>& values, std::size_t index, std::size_t count) {
  const std::size_t size = values.size() / count;
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(index * size);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

/// The shares of one fused module in order; null for those without an adapter.
using Shares = std::vector<const AdapterModule*>;

const AdapterModule& first_of(const Shares& shares) {
  return **std::find_if(shares.begin(), shares.end(), [](const auto* m) { return m != nullptr; });
}

/// By the fused module's path.
std::map<std::string, Shares> fused_groups(std::span<const AdapterModule> modules,
                                           const Dialect& dialect, const ModelNames& base) {
  std::map<std::string, Shares> groups;
  for (const AdapterModule& m : modules) {
    if (const auto fused = m.rank > 0 ? written_within(m.path, dialect, base) : std::nullopt) {
      Shares& shares = groups[fused->path];
      shares.resize(static_cast<std::size_t>(fused->slices));
      shares.at(static_cast<std::size_t>(fused->slice)) = &m;
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
  for (const AdapterModule* m : shares) {
    const bool adds = m != nullptr && !(one_down && m != &first);
    whole.rank += adds ? m->rank : 0;
    if (adds) {
      whole.down.insert(whole.down.end(), m->down.begin(), m->down.end());
    }
  }
  const double scale = first.alpha == 0 ? 1 : first.alpha / first.rank;
  whole.alpha = scale * whole.rank;
  whole.down_shape = {whole.rank, first.down_shape[1]};
  whole.up_shape = {first.up_shape[0] * static_cast<std::int64_t>(shares.size()), whole.rank};
  std::size_t column = 0;
  for (const AdapterModule* m : shares) {
    if (m == nullptr) {
      whole.up.resize(whole.up.size() + static_cast<std::size_t>(first.up_shape[0] * whole.rank));
      continue;
    }
    add_rows(whole, *m, column);
    column += one_down ? 0 : static_cast<std::size_t>(m->rank);
    whole.magnitude.insert(whole.magnitude.end(), m->magnitude.begin(), m->magnitude.end());
  }
  return whole;
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
  std::vector<AdapterModule> slices;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    AdapterModule slice = module;
    slice.path = paths[i];
    slice.product.reset();
    slice.up_shape[0] = module.up_shape[0] / count;
    slice.up = share(module.up, i, paths.size());
    slice.dense = share(module.dense, i, paths.size());
    slice.magnitude = share(module.magnitude, i, paths.size());
    slices.push_back(std::move(slice));
  }
  return slices;
}

AdapterModule with_halves_swapped(AdapterModule module, const std::string& file) {
  if (module.up_shape[0] % 2 != 0) {
    throw Error(message<"{file}: {module} has {rows} outputs, which {count} projections can't "
                        "share equally. Was the file made for another base model?">(
        file, module.path, module.up_shape[0], 2));
  }
  const auto swap = [](std::vector<float>& values) {
    std::ranges::rotate(values, values.begin() + std::ssize(values) / 2);
  };
  swap(module.up);
  swap(module.dense);
  if (module.dora_axis == DoraAxis::output) {
    swap(module.magnitude);
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
