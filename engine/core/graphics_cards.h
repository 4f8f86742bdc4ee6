#pragma once

#include <filesystem>
#include <vector>

namespace mantissa {

/// Who made a graphics card, by its PCI vendor number.
enum class CardMaker { nvidia, amd, intel };

/// The makers of this machine's graphics cards, each once, whether or not they have drivers; empty
/// if unknown. `devices` is where Linux lists PCI devices; Windows is asked by its own interface.
std::vector<CardMaker> graphics_card_makers(
    const std::filesystem::path& devices = "/sys/bus/pci/devices");

}  // namespace mantissa
