#include "gui/result/EndedRun.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/run/run_adapters.h"
#include "engine/store/checkpoint_choice.h"
#include "engine/store/memorising.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

using Json = nlohmann::json;

constexpr qint64 kMostBytes = 8 << 20;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(RunResultFiles)
};

QString text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string()
             ? shown(to_qstring(found->get_ref<const std::string&>()))
             : QString();
}

qint64 number_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<qint64>() : 0;
}

/// The largest error of a checked layer, as a percentage.
QString largest_error(const Json& reader) {
  double most = 0;
  const auto layers = reader.find("layers");
  if (layers != reader.end() && layers->is_array()) {
    for (const Json& layer : *layers) {
      const auto error = layer.find("error");
      if (error != layer.end() && error->is_number()) {
        most = std::max(most, error->get<double>());
      }
    }
  }
  return rounded_percent(most, 2);
}

QString verdict_of(const Json& reader, const QString& outcome) {
  const QString tensors = QString::number(number_of(reader, "tensors"));
  if (outcome == QLatin1String("as_meant")) {
    return Words::tr("Loads it as it was trained.");
  }
  if (outcome == QLatin1String("differs")) {
    return Words::tr("Loads it, but a layer's change is off by %1.").arg(largest_error(reader));
  }
  if (outcome == QLatin1String("partly")) {
    return Words::tr("Ignores %1 of its %2 tensors.")
        .arg(QString::number(number_of(reader, "left_out_count")), tensors);
  }
  if (outcome == QLatin1String("no_change")) {
    return Words::tr("Loads it, but the checked layers stay as they are.");
  }
  if (outcome == QLatin1String("nothing")) {
    return Words::tr("Recognizes none of its tensors: it has no effect, or fails to load.");
  }
  if (outcome == QLatin1String("refused")) {
    return Words::tr("Refuses it.");
  }
  if (outcome == QLatin1String("unsupported")) {
    return Words::tr("No verdict: how it names adapters of this base model isn't known.");
  }
  return Words::tr("A verdict of a newer version: %1").arg(outcome);
}

/// "comfy/lora.py 1a2b3c", a line each.
QString rules_of(const Json& reader) {
  QStringList lines;
  const auto rules = reader.find("rules");
  if (rules != reader.end() && rules->is_array()) {
    for (const Json& rule : *rules) {
      lines << QStringLiteral("%1 %2").arg(text_of(rule, "file"), text_of(rule, "version"));
    }
  }
  return lines.join(QLatin1Char('\n'));
}

void read_verdicts(const QString& folder, RunFiles& found) {
  QFile file(QDir(folder).filePath(QStringLiteral("result.json")));
  if (!file.exists()) {
    return;
  }
  if (!file.open(QIODevice::ReadOnly) || file.size() > kMostBytes) {
    found.problem = Words::tr("result.json can't be read: %1").arg(file.errorString());
    return;
  }
  const Json stamp = Json::parse(file.readAll().toStdString(), nullptr, false);
  const auto readers = stamp.is_object() ? stamp.find("readers") : stamp.end();
  if (!stamp.is_object() || readers == stamp.end() || !readers->is_array()) {
    found.problem = Words::tr("result.json is damaged: it lists no programs.");
    return;
  }
  found.proven = text_of(stamp, "file");
  if (const auto value = stamp.find("suggested_checkpoint"); value != stamp.end()) {
    if (const auto choice = checkpoint_choice_of(*value)) {
      found.suggestion = error_text(choice->text());
      if (choice->better_than_untrained()) {
        found.suggested = choice->step;
      }
    }
  }
  if (const auto value = stamp.find("memorising"); value != stamp.end()) {
    if (const auto memorising = memorising_of(*value)) {
      found.memorising = error_text(memorising->text());
      found.memorises = memorising->sign();
    }
  }
  for (const Json& reader : *readers) {
    if (!reader.is_object()) {
      continue;
    }
    const QString outcome = text_of(reader, "outcome");
    ReaderLine line;
    line.program = text_of(reader, "title");
    line.verdict = verdict_of(reader, outcome);
    line.rules = rules_of(reader);
    line.works = outcome == QLatin1String("as_meant");
    line.known = outcome != QLatin1String("unsupported");
    found.readers.push_back(std::move(line));
  }
}

quint64 size_of(const QFileInfo& info) {
  if (!info.isDir()) {
    return static_cast<quint64>(info.size());
  }
  quint64 bytes = 0;
  QDirIterator files(info.filePath(), QDir::Files, QDirIterator::Subdirectories);
  while (files.hasNext()) {
    files.next();
    bytes += static_cast<quint64>(files.fileInfo().size());
  }
  return bytes;
}

ResultFile file_at(const QString& path, std::optional<std::int64_t> step) {
  const QFileInfo info(path);
  return {QDir::toNativeSeparators(path), step, size_of(info), info.isDir()};
}

}  // namespace

std::vector<SamplePair> sample_pairs(const std::vector<SampleRecord>& samples) {
  std::map<int, SamplePair> pairs;
  for (const SampleRecord& sample : samples) {
    const auto [at, fresh] = pairs.try_emplace(sample.prompt_index);
    SamplePair& pair = at->second;
    if (fresh || sample.step < pair.first.step) {
      pair.first = sample;
    }
    if (fresh || sample.step >= pair.last.step) {
      pair.last = sample;
      pair.prompt = to_qstring(sample.prompt);
    }
  }
  std::vector<SamplePair> list;
  for (auto& [index, pair] : pairs) {
    list.push_back(std::move(pair));
  }
  return list;
}

RunFiles read_run_files(const QString& folder, const Preset& preset) {
  RunFiles found;
  if (folder.isEmpty() || !QFileInfo(folder).isDir()) {
    return found;
  }
  try {
    for (const RunAdapter& adapter : run_adapters(to_path(folder), preset)) {
      found.files.push_back(file_at(path_text(adapter.file),
                                    adapter.step < 0 ? std::nullopt : std::optional(adapter.step)));
    }
  } catch (const std::exception& e) {
    found.problem = error_text(message_of(e));
  }
  const QString name = to_qstring(preset.output.name);
  if (preset.training.method == TrainingMethod::full) {
    for (const QString& whole : {name + QStringLiteral(".safetensors"), name}) {
      if (const QString path = QDir(folder).filePath(whole); QFileInfo::exists(path)) {
        found.files.push_back(file_at(path, std::nullopt));
        break;
      }
    }
  }
  std::ranges::reverse(found.files);
  read_verdicts(folder, found);
  return found;
}

}  // namespace mantissa::gui
