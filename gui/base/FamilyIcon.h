#pragma once

#include <QIcon>
#include <QString>
#include <string>

namespace mantissa::gui {

/// Letters on a shape for a model family or its generation, by its key (family_badge.h): a square
/// for a variance-preserving model, a disk for a rectified flow, a dashed ring with a question mark
/// if the family is unknown. Letters and shape tell families apart without colour. Readable on
/// light and dark surfaces alike, so that it belongs to no theme.
QIcon family_icon(const std::string& key);

/// Its name as shown: "SDXL", "SD 2.x"; a sentence if the family is unknown.
QString family_title(const std::string& key);

}  // namespace mantissa::gui
