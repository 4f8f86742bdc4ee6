#include "engine/data/own_prompts.h"

#include <sstream>

namespace mantissa {

std::vector<std::string> own_prompts(const Preset& preset) {
  if (trains_slider(preset)) {
    return {preset.slider.target};
  }
  constexpr const char* kSpace = " \t";
  std::vector<std::string> prompts;
  std::istringstream lines(preset.distilled.prompts);
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t first = line.find_first_not_of(kSpace); first != std::string::npos) {
      prompts.push_back(line.substr(first, line.find_last_not_of(kSpace) + 1 - first));
    }
  }
  return prompts;
}

int own_images(const Preset& preset) {
  return trains_slider(preset) ? preset.slider.samples : preset.distilled.images;
}

}  // namespace mantissa
