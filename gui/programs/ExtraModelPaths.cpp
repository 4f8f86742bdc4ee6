#include "gui/programs/ExtraModelPaths.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <string>
#include <vector>

#include "engine/preset/import_yaml.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

constexpr qint64 kMostBytes = 1 << 20;

/// "~" and variables, as Python's expanduser and expandvars do.
QString expanded(QString path) {
  if (path == QLatin1String("~") || path.startsWith(QLatin1String("~/")) ||
      path.startsWith(QLatin1String("~\\"))) {
    path.replace(0, 1, QDir::homePath());
  }
  static const QRegularExpression variable(QStringLiteral(R"(\$\{(\w+)\}|\$(\w+)|%(\w+)%)"));
  qsizetype from = 0;
  for (QRegularExpressionMatch m = variable.match(path, from); m.hasMatch();
       m = variable.match(path, from)) {
    const QString name = m.captured(m.lastCapturedIndex());
    const bool known = qEnvironmentVariableIsSet(name.toUtf8().constData());
    const QString value = known ? qEnvironmentVariable(name.toUtf8().constData()) : m.captured(0);
    path.replace(m.capturedStart(), m.capturedLength(), value);
    from = m.capturedStart() + value.size();
  }
  return path;
}

const JsonNode* member(const JsonNode& node, std::string_view key) {
  for (const JsonNode::Member& m : node.members) {
    if (m.key == key) {
      return &m.node;
    }
  }
  return nullptr;
}

QString text_of(const JsonNode* node) {
  return node != nullptr && node->scalar.is_string()
             ? to_qstring(node->scalar.get_ref<const std::string&>())
             : QString();
}

}  // namespace

ExtraModelPaths read_extra_model_paths(const QString& file) {
  ExtraModelPaths paths;
  QFile in(file);
  if (!in.open(QIODevice::ReadOnly) || in.size() > kMostBytes) {
    return paths;
  }
  JsonNode root;
  std::vector<LineProblem> problems;
  if (!parse_yaml_text(in.readAll().toStdString(), root, problems)) {
    return paths;
  }
  const QDir beside(QFileInfo(file).absolutePath());
  for (const JsonNode::Member& section : root.members) {
    const QString given = expanded(text_of(member(section.node, "base_path")).trimmed());
    const QDir base(given.isEmpty() ? beside.absolutePath() : beside.absoluteFilePath(given));
    const auto add = [&](QStringList& to, const char* kind) {
      const QStringList lines = text_of(member(section.node, kind)).split(QLatin1Char('\n'));
      for (const QString& line : lines) {
        if (const QString path = expanded(line.trimmed()); !path.isEmpty()) {
          to << QDir::cleanPath(base.absoluteFilePath(path));
        }
      }
    };
    for (const char* kind : {"checkpoints", "diffusion_models", "unet", "diffusers"}) {
      add(paths.bases, kind);
    }
    add(paths.adapters, "loras");
  }
  return paths;
}

}  // namespace mantissa::gui
