#pragma once

#include "gui/preset/FieldEditor.h"

namespace mantissa::gui {

/// The editor for a value of this kind.
FieldEditor* make_editor(const EditorSpec& spec, const Theme* theme, QWidget* parent);

}  // namespace mantissa::gui
