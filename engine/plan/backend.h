#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/precision/plan.h"
#include "kernels/kernels.h"

namespace mantissa {

/// The kernels of a device: "cpu", "cuda:0". Throws Error with the reason if the device can't be
/// used. `deterministic` restricts a card to engines that give the same bits on every run; the CPU
/// always does. `sharing`: how many processes, or threads with a card each, share this machine's
/// cores and memory.
std::unique_ptr<Kernels> make_backend(const std::string& device, bool deterministic = true,
                                      int sharing = 1);

/// Most bytes of this computer's memory that make_backend page-locks for a card.
std::uint64_t pinned_memory_limit();

struct JobSpec;
/// Kernels of a job's devices, in the order of JobSpec::split, or of the only one.
std::vector<std::unique_ptr<Kernels>> make_backends(const JobSpec& job, int sharing = 1);

/// One of several processes that train one run, on its machine.
struct ProcessPlace {
  int place = 0;  ///< from 0
  int here = 1;   ///< processes on the machine
};
/// The device of that process: of "cuda:0,2" the card at its place; of "cuda" the card of its
/// number, or the only one that it can see. Throws Error if there are too few cards.
std::string device_of_process(const std::string& device, const ProcessPlace& process);
/// The devices that a run on `device` uses: of "cuda:0,2" "cuda:0" and "cuda:2"; of any other
/// itself. Throws Error as make_backend does for a name that it doesn't know, and for a card named
/// twice.
std::vector<std::string> devices_of(const std::string& device);
/// The devices that a job uses: all that share its layers, if they are split.
std::vector<std::string> devices_of(const JobSpec& job);
/// The reverse, for cards by their names; without any, "cpu".
std::string device_of(const std::vector<std::string>& cards);
/// Differs from card to card of a machine; empty for the CPU, and if the driver doesn't tell.
std::string card_id(const std::string& device);

/// A device's facts for the precision plan. Throws like make_backend.
DeviceFacts device_facts(const std::string& device);

}  // namespace mantissa
