#include "engine/adapters/kept_factors.h"

#include <algorithm>
#include <set>

#include "engine/adapters/output_names.h"

namespace mantissa {
namespace {

ProductModule::Member* member_of(ProductModule& product, AdapterRole role) {
  const auto found = std::ranges::find(product.members, role, &ProductModule::Member::role);
  return found == product.members.end() ? nullptr : &*found;
}

/// A scale that no reader applies where both of a LoKr's factors are whole, as a part of the first.
void fold_scale(ProductModule& product) {
  ProductModule::Member* first = member_of(product, AdapterRole::lokr_w1);
  if (first == nullptr || member_of(product, AdapterRole::lokr_w2) == nullptr) {
    return;
  }
  const auto scale = static_cast<float>(product.alpha / product.rank);
  for (float& x : first->values) {
    x *= scale;
  }
  product.alpha = product.rank;
}

/// A rank from which on PEFT keeps the second factor whole, at the same scale.
void raise_rank(ProductModule& product) {
  const ProductModule::Member* second = member_of(product, AdapterRole::lokr_w2);
  if (second == nullptr) {
    return;
  }
  const std::int64_t side = std::max(second->shape[0], second->shape[1]);
  const int rank = std::max(product.rank, static_cast<int>((side + 1) / 2));
  product.alpha = product.alpha / product.rank * rank;
  product.rank = rank;
}

/// Whether PEFT makes factors of this module's shapes.
bool made_with(const AdapterModule& m, int factor) {
  Shape weight = m.down_shape;
  weight[0] = m.up_shape[0];
  const ProductModule& product = *m.product;
  // A factor that divides a side comes first there, though it be the larger one.
  const auto exchanged = [&](std::int64_t side) {
    return factor > 0 && side % factor == 0 && factor > side / factor;
  };
  if (product.type == AdapterType::lokr && (exchanged(weight[0]) || exchanged(weight[1]))) {
    return false;
  }
  return std::ranges::equal(product_factors(product.type, weight, product.rank, factor),
                            product.members, [](const auto& made, const auto& own) {
                              return made.role == own.role && made.shape == own.shape;
                            });
}

/// decompose_factor, -1 for LoHa; empty if none makes all of these.
std::optional<int> peft_factor(std::span<const AdapterModule> modules) {
  std::set<int> candidates{-1};
  for (const AdapterModule& m : modules) {
    for (const ProductModule::Member& member : m.product->members) {
      if (member.role == AdapterRole::lokr_w1) {
        candidates.insert(static_cast<int>(member.shape[0]));
        candidates.insert(static_cast<int>(member.shape[1]));
      }
    }
  }
  for (const int factor : candidates) {
    if (std::ranges::all_of(modules, [&](const auto& m) { return made_with(m, factor); })) {
      return factor;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<KeptFactors> kept_factors(std::span<const AdapterModule> modules, OutputFormat format,
                                        const ModelNames& base) {
  if (modules.empty() || !modules.front().product) {
    return std::nullopt;
  }
  const AdapterModule& first = modules.front();
  const WrittenKind kind{true, first.dora_axis};
  const FileForm form = written_form(format, kind, base.family()).form;
  const bool fits = std::ranges::all_of(modules, [&](const AdapterModule& m) {
    return m.product && m.product->type == first.product->type && m.dora_axis == first.dora_axis &&
           !m.in_original && written_name(m.path, false, true, *form.dialect, base);
  });
  if (form.plain || !fits || !form_holds(form, kind)) {
    return std::nullopt;
  }
  KeptFactors kept{.modules = {modules.begin(), modules.end()}};
  for (AdapterModule& m : kept.modules) {
    m.rank = 0;
    m.down_shape[0] = m.up_shape[1] = 0;
    m.down = m.up = m.dense = {};
    if (form.dialect->is_folder) {
      raise_rank(*m.product);
    } else {
      fold_scale(*m.product);
    }
  }
  const std::optional<int> factor = peft_factor(kept.modules);
  if (form.dialect->is_folder && !factor) {
    return std::nullopt;
  }
  kept.lokr_factor = factor.value_or(-1);
  return kept;
}

}  // namespace mantissa
