#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/adapters/export.h"
#include "engine/core/message.h"
#include "engine/io/weights.h"

namespace mantissa {

/// An adapter to be written in another form.
struct ConvertRequest {
  std::filesystem::path file, out;
  OutputFormat format = OutputFormat::kohya;
  std::optional<MasterType> dtype;    ///< without it, as in the file
  std::optional<DoraAxis> dora_axis;  ///< the user's answer where the file leaves it open
  int rank = 0;                       ///< new rank of every module; 0: as they are
  double energy = 1;                  ///< with rank: no more than hold this share of ‖ΔW‖²
};

struct ConvertResult {
  std::int64_t modules = 0;
  int rank = 0;          ///< largest written; 0 where the tensors were only named anew
  double error = 0;      ///< largest relative error of a module that got another rank
  bool renamed = false;  ///< every tensor has the bytes it had
  std::vector<Message> notices;
};

/// Reads an adapter by the base model's modules and writes it in the form of `format`. Where only
/// names differ, every tensor keeps its type and bytes, LoHa and LoKr included; else it goes
/// through fp32. Metadata is kept. Throws Error as read_lora and write_lora do.
ConvertResult convert_adapter(const ConvertRequest& request, const WeightSource& base);

}  // namespace mantissa
