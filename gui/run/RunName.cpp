#include "gui/run/RunName.h"

#include <QRegularExpression>
#include <QStringList>

#include "engine/preset/schema.h"
#include "engine/store/headline.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

constexpr int kMostLetters = 24;           ///< of each part
constexpr QLatin1String kListed(".base");  ///< "NAME.base.json" lists the files of NAME

/// Part of a file's name on every system.
QString part_of(const QString& text) {
  static const QRegularExpression other(QStringLiteral("[^\\p{L}\\p{N}._-]+"));
  QString part = text;
  return part.replace(other, QStringLiteral("_")).left(kMostLetters);
}

}  // namespace

JobSpec with_own_name(JobSpec job) {
  if (job.resume || job.preset.output.name != Preset{}.output.name) {
    return job;
  }
  const QString adapter =
      to_qstring(preset_headline(job.preset).adapter).remove(QLatin1Char(' ')).toLower();
  QString base = path_text(job.base.stem());
  if (base.endsWith(kListed)) {
    base.chop(kListed.size());
  }
  QStringList parts{part_of(base), part_of(adapter)};
  if (!job.images.empty()) {
    parts << part_of(path_text(job.images.front().filename()));
  }
  parts.removeAll(QString());
  // Where the rules for file names forbid it, the default stays.
  try_set_setting(job.preset, "output.name", parts.join(QLatin1Char('-')).toStdString());
  return job;
}

}  // namespace mantissa::gui
