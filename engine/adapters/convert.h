#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/adapters/export.h"
#include "engine/core/message.h"
#include "engine/io/weights.h"

namespace mantissa {

/// A conversion of an adapter to another form.
struct ConvertRequest {
  std::filesystem::path file, out;
  OutputFormat format = OutputFormat::kohya;
  std::optional<MasterType> dtype;    ///< default: as in the file
  std::optional<DoraAxis> dora_axis;  ///< the user's choice if the file is ambiguous
  int rank = 0;                       ///< new rank of every module; 0: unchanged
  double energy = 1;  ///< with rank: no more than needed for this share of ‖ΔW‖²
  /// The command that gives the file this rank, for the refusal of changes of full rank.
  std::function<std::string(std::int64_t rank)> resize_command = {};
  /// Modules done, of all. May throw to cancel: nothing is written then.
  std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

struct ConvertResult {
  std::int64_t modules = 0;
  int rank = 0;          ///< largest written; 0 if the tensors were only renamed
  double error = 0;      ///< largest relative error of a module whose rank changed
  bool renamed = false;  ///< all tensors unchanged byte for byte
  std::vector<Message> notices;
};

/// Bytes that the factors of these modules take at least, at no more than `rank` (0: as they are)
/// and as `energy` needs.
std::uint64_t least_factor_bytes(std::span<const AdapterModule> modules, int rank, double energy,
                                 MasterType dtype);

/// Reads an adapter by the base model's modules and writes it as `format`. If only names differ,
/// every tensor keeps its type and bytes; else it goes through fp32. LoHa and LoKr keep their
/// factors where the format has a place for them (kept_factors).
/// Metadata is kept. Throws Error as read_adapter and write_adapter_file do, and DiskFull before
/// the work.
ConvertResult convert_adapter(const ConvertRequest& request, const WeightSource& base);

}  // namespace mantissa
