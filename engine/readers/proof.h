#pragma once
// The proof of a file that a run has written: read back by the rules of every program that draws
// with adapters of its base model.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "engine/adapters/adapter_module.h"
#include "engine/core/message.h"
#include "engine/io/weights.h"
#include "engine/preset/preset.h"
#include "engine/readers/read_as.h"

namespace mantissa {

/// A file as written, and what it was written from.
struct WrittenFile {
  std::filesystem::path path;
  std::span<const AdapterModule> trained;
  MasterType dtype = MasterType::fp32;  ///< of the file's factors
  double approximation = 0;  ///< relative error of a layer that was written as a plain LoRA
};

/// One verdict for each reader that has adapters for the base model. A layer passes if it is off
/// the trained one by no more than the rounding of its factors. Reads headers and the values of the
/// layers that are checked. Throws Error if the file can't be read.
std::vector<ReaderVerdict> prove(const WrittenFile& file, const WeightSource& base);

/// "Read back by the rules of ComfyUI and Forge: …"; empty if none of the verdicts is as meant.
Message proof_message(std::span<const ReaderVerdict> verdicts);

/// The reader whose program a format is for; null for formats of several programs.
const Reader* reader_of(OutputFormat format);

/// The stamp of a result: {"mantissa_result": 1, "file", "step", "readers": [verdicts]}.
nlohmann::ordered_json result_stamp(const std::string& file, std::int64_t step,
                                    std::span<const ReaderVerdict> verdicts);

}  // namespace mantissa
