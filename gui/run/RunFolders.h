#pragma once

#include <QDir>
#include <QString>

namespace mantissa::gui {

/// The run that a checkpoint belongs to: the nearest folder above it that holds job.json.
inline QString run_folder_of(const QString& checkpoint) {
  QDir folder(checkpoint);
  for (int i = 0; i < 4 && !checkpoint.isEmpty(); ++i) {
    if (folder.exists(QStringLiteral("job.json"))) {
      return folder.path();
    }
    if (!folder.cdUp()) {
      break;
    }
  }
  return checkpoint;
}

}  // namespace mantissa::gui
