#pragma once

#include <span>
#include <string_view>

namespace mantissa {

/// Peak rates of a card. Rates of matrix units are dense, with FP32 accumulation.
struct CardSpec {
  std::string_view id;     ///< "4090"
  std::string_view name;   ///< "RTX 4090"
  int capability = 0;      ///< 89
  int processors = 0;      ///< streaming multiprocessors
  double half_tflops = 0;  ///< FP16 and BF16
  double fp8_tflops = 0;   ///< 0: none
  double int8_tops = 0;
  double tf32_tflops = 0, fp32_tflops = 0;
  double copy_gb_per_s = 0;  ///< of its memory
  double memory_gb = 0;
  double host_gb_per_s = 0;  ///< of its PCIe slot, in each direction
  double card_gb_per_s = 0;  ///< to another card: by NVLink, else through the host
};

/// Cards of one compute capability: the precision plan asks no more of a card.
struct CardGeneration {
  int capability = 0;      ///< 89
  std::string_view cards;  ///< "RTX 40"
};

/// By capability, from the oldest that the CUDA library runs on. A card between two of them gets
/// the verdicts of the earlier.
std::span<const CardGeneration> card_generations();

/// Matrix units of data centre cards by measured rates, their memory by NVIDIA's data sheets;
/// GeForce cards by processors × clock × 512 half-precision FLOP per clock, from NVIDIA's
/// architecture papers. INT8 has twice the half-precision rate on data centre cards, and four times
/// on GeForce cards, which halve the rate of FP32 accumulation alone.
std::span<const CardSpec> card_table();

/// The card of that id. Throws Error listing the known ids.
const CardSpec& card_by_id(std::string_view id);

/// The card that a driver calls "NVIDIA GeForce RTX 4090"; null if its rates aren't known. A "4060
/// Ti" or a laptop's "4090 Laptop GPU" is another card than the one whose name it begins with.
const CardSpec* card_by_device_name(std::string_view device_name);

}  // namespace mantissa
