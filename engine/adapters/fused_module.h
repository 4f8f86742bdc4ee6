#pragma once
// Modules of a base model whose outputs are one module's in the family's original checkpoints: q, k
// and v. Other programs adapt that one, so files hold its adapters.

#include <span>
#include <string>
#include <vector>

#include "engine/adapters/adapter_module.h"
#include "engine/adapters/dialect.h"

namespace mantissa {

/// One module's part of the outputs of a fused one.
struct OutputShare {
  const std::string* path;
  std::size_t first = 0, count = 1;  ///< its equal shares
  std::size_t shares = 1;            ///< of all

  /// The module's rows of a matrix, or values of a vector.
  std::vector<float> of(const std::vector<float>& values) const;
};
/// `paths` as in NamedModule::slices.
std::vector<OutputShare> output_shares(std::span<const std::string> paths);

/// A module of fused outputs (q, k, v in one) as modules of equal shares of them, in order, under
/// the given paths (NamedModule::slices): the same change of the weights, exactly. They have the
/// module's down matrix, their own rows of up or of the dense change, and their own magnitudes.
/// Ranks that a share has only zeros for aren't in it, and a share of a LoRA with zeros alone is
/// none, unless all are: so what join_outputs puts together comes apart as it was. Throws
/// Error naming file and module if the outputs don't divide, or for a DoRA per input: its norms are
/// of whole columns of the fused weight, which no module has alone.
std::vector<AdapterModule> split_outputs(const AdapterModule& module,
                                         std::span<const std::string> paths,
                                         const std::string& file);

/// Exchanges the halves of rows, or of one number for each row.
void exchange_halves(std::vector<float>& rows);
/// The module with its halves of the outputs exchanged: rows of up or of the dense change, and
/// magnitudes per output. Throws Error naming file and module if the outputs are odd in number.
AdapterModule with_halves_swapped(AdapterModule module, const std::string& file);

/// What join_outputs would do for a file in this dialect.
enum class Joining {
  none,   ///< every module has a name of its own
  exact,  ///< shares become their fused modules, others have their halves exchanged
  /// A DoRA's shares can't: its norms are per input, or not every share has one. Plain LoRA can.
  of_plain_ones,
};
Joining joining(std::span<const AdapterModule> modules, const Dialect& dialect,
                const ModelNames& base);

/// `modules` with those joined that the dialect has as shares of a fused one (written_within), the
/// inverse of split_outputs: the same change of the weights, exactly, unless joining says
/// of_plain_ones; and with the halves of those exchanged that it has so (written_swapped). Shares
/// with one down matrix keep their rank; others make one of all their ranks, with up matrices on
/// the diagonal. Modules without a rank stay.
std::vector<AdapterModule> join_outputs(std::span<const AdapterModule> modules,
                                        const Dialect& dialect, const ModelNames& base);

}  // namespace mantissa
