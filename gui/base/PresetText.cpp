#include "gui/base/PresetText.h"

#include <QCoreApplication>

#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

QString preset_word(const std::string& text) {
  return text.empty() ? QString() : QCoreApplication::translate("presets", text.c_str());
}

}  // namespace

QString preset_title(const PresetEntry& entry) {
  return entry.preset.name.empty() ? to_qstring(entry.id) : preset_word(entry.preset.name);
}

QString preset_description(const PresetEntry& entry) {
  return preset_word(entry.preset.description);
}

}  // namespace mantissa::gui
