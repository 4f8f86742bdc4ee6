#include "engine/data/cut_captions.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/data/own_prompts.h"
#include "engine/preset/family_table.h"

namespace mantissa {
namespace {

Message text_cut(DiffusionModel& model, const std::string& text) {
  const std::vector<TextReach> reach = model.text_reach(text);
  const auto worst =
      std::ranges::max_element(reach, {}, [](const TextReach& r) { return r.tokens - r.most; });
  return worst == reach.end() || !worst->cuts()
             ? Message{}
             : message<"{tokens} tokens, of which {part} reads {most}">(
                   worst->tokens, worst->part.name(), worst->most);
}

Message cut_advice(const DiffusionModel& model) {
  return family_row(model.family().id()).has_clip
             ? message<"Shorten them, or raise data.caption_chunks">()
             : message<"Shorten them">();
}

}  // namespace

CutTexts::CutTexts(DiffusionModel& model)
    : found{DataFindingKind::cut_caption, {}, cut_advice(model)}, model_(model) {}

void CutTexts::add(const std::filesystem::path& file, const std::string& text) {
  const auto [at, is_new] = known_.try_emplace(text);
  if (is_new) {
    at->second = text_cut(model_, text);
  }
  if (!at->second.empty()) {
    found.files.push_back({file, at->second});
  }
}

void add_prompts(CutTexts& cut, const Preset& preset) {
  int number = 0;
  for (const SamplePrompt& prompt : preset.samples.prompts) {
    const std::string name = fmt::format("samples.prompts[{}]", number++);
    cut.add(name, prompt.prompt);
    cut.add(name, prompt.negative);
  }
  if (trains_training_adapter(preset)) {
    number = 0;
    for (const std::string& prompt : own_prompts(preset)) {
      cut.add(fmt::format("distilled.prompts[{}]", number++), prompt);
    }
  }
  if (trains_slider(preset)) {
    const Preset::Slider& slider = preset.slider;
    cut.add("slider.target", slider.target);
    cut.add("slider.positive", slider.positive);
    cut.add("slider.negative", slider.negative);
    cut.add("slider.anchor", slider.anchor);
  }
}

DataFinding cut_captions(DiffusionModel& model, std::span<const ImageItem> items) {
  CutTexts cut(model);
  for (const ImageItem& item : items) {
    cut.add(item.path, item.caption);
  }
  return std::move(cut.found);
}

}  // namespace mantissa
