#pragma once

#include <QString>
#include <QStringList>

namespace mantissa::gui {

/// What a file as ComfyUI's extra_model_paths.yaml names, absolute; whether it exists or not.
struct ExtraModelPaths {
  QStringList bases, adapters;
};

/// As ComfyUI reads it: each section has a base_path, to which its folders are relative; a section
/// names several folders of a kind in lines of their own. A missing or damaged file names none.
ExtraModelPaths read_extra_model_paths(const QString& file);

}  // namespace mantissa::gui
