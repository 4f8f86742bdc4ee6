#include "engine/preset/import_result.h"

#include <algorithm>

namespace mantissa {

Message import_format_title(ImportFormat format) {
  switch (format) {
    case ImportFormat::mantissa:
      return Message::verbatim("Mantissa");
    case ImportFormat::kohya:
      return message<"kohya (sd-scripts, kohya_ss)">();
    case ImportFormat::kohya_adapter:
      return message<"an adapter trained with kohya's sd-scripts">();
    case ImportFormat::onetrainer:
      return Message::verbatim("OneTrainer");
    case ImportFormat::ai_toolkit:
      return Message::verbatim("AI Toolkit");
    case ImportFormat::musubi:
      return Message::verbatim("musubi-tuner");
    case ImportFormat::simpletuner:
      return Message::verbatim("SimpleTuner");
    case ImportFormat::lycoris:
      return Message::verbatim("LyCORIS");
    case ImportFormat::diffusion_pipe:
      return Message::verbatim("diffusion-pipe");
  }
  return {};
}

std::string_view import_fate_name(ImportFate fate) {
  switch (fate) {
    case ImportFate::mapped:
      return "mapped";
    case ImportFate::changed:
      return "changed";
    case ImportFate::ignored:
      return "ignored";
    case ImportFate::unknown:
      return "unknown";
    case ImportFate::assumed:
      return "assumed";
  }
  return {};
}

std::size_t ImportResult::count(ImportFate fate) const {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [fate](const ImportRow& row) { return row.fate == fate; }));
}

}  // namespace mantissa
