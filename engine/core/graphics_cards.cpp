#include "engine/core/graphics_cards.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>

#ifdef _WIN32
#include <windows.h>
#else
#include <fstream>
#endif

namespace mantissa {
namespace {
namespace fs = std::filesystem;

std::optional<CardMaker> maker_of(unsigned long vendor) {
  switch (vendor) {
    case 0x10de:
      return CardMaker::nvidia;
    case 0x1002:
      return CardMaker::amd;
    case 0x8086:
      return CardMaker::intel;
    default:
      return std::nullopt;
  }
}

void add_maker(std::vector<CardMaker>& makers, unsigned long vendor) {
  const std::optional<CardMaker> maker = maker_of(vendor);
  if (maker && std::ranges::find(makers, *maker) == makers.end()) {
    makers.push_back(*maker);
  }
}

#ifndef _WIN32
/// A number in a file of sysfs: "0x030000".
unsigned long number_in(const fs::path& file) {
  std::ifstream in(file);
  std::string text;
  std::getline(in, text);
  return std::strtoul(text.c_str(), nullptr, 16);
}
#endif

}  // namespace

#ifdef _WIN32
std::vector<CardMaker> graphics_card_makers(const fs::path&) {
  std::vector<CardMaker> makers;
  DISPLAY_DEVICEW device{};
  device.cb = sizeof(device);
  for (DWORD i = 0; EnumDisplayDevicesW(nullptr, i, &device, 0) != 0; ++i) {
    const std::wstring id = device.DeviceID;  // PCI\VEN_10DE&DEV_…
    const std::size_t at = id.find(L"VEN_");
    if (at != std::wstring::npos) {
      add_maker(makers, std::wcstoul(id.substr(at + 4, 4).c_str(), nullptr, 16));
    }
  }
  return makers;
}
#else
std::vector<CardMaker> graphics_card_makers(const fs::path& devices) {
  constexpr unsigned long kDisplay = 0x03;  // PCI's class of display controllers
  std::vector<CardMaker> makers;
  std::error_code error;
  for (fs::directory_iterator at(devices, error), end; !error && at != end; at.increment(error)) {
    if (number_in(at->path() / "class") >> 16 == kDisplay) {
      add_maker(makers, number_in(at->path() / "vendor"));
    }
  }
  return makers;
}
#endif

}  // namespace mantissa
