#include "gui/preset/SettingsReader.h"

#include <QCoreApplication>
#include <QPointer>
#include <QProcess>
#include <QTimer>
#include <algorithm>
#include <cstring>
#include <iostream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/memory_limit.h"
#include "engine/core/paths.h"
#include "engine/io/preset_file.h"
#include "engine/preset/preset_io.h"
#include "engine/store/message_json.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

using Json = nlohmann::json;

constexpr const char* kArgument = "--read-settings";
constexpr qsizetype kMostAnswer = 64 << 20;        // bytes; far above any file's report
constexpr std::uint64_t kMostMemory = 2ULL << 30;  // bytes that the process may fill

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json json_of(const ImportResult& result) {
  Json rows = Json::array();
  for (const ImportRow& row : result.rows) {
    rows.push_back({{"source", row.source},
                    {"key", row.key},
                    {"line", row.line},
                    {"value", row.value},
                    {"fate", static_cast<int>(row.fate)},
                    {"targets", row.targets},
                    {"note", message_json(row.note)}});
  }
  return {{"format", static_cast<int>(result.format)},
          {"preset", to_json(result.preset, WriteMode::full)},
          {"rows", rows}};
}

ImportResult result_of(const Json& json) {
  ImportResult result;
  result.format = static_cast<ImportFormat>(json.at("format").get<int>());
  result.preset = parse_preset(json.at("preset").get<std::string>(), "the imported preset");
  for (const Json& from : json.at("rows")) {
    ImportRow& row = result.rows.emplace_back();
    row.source = from.at("source");
    row.key = from.at("key");
    row.line = from.at("line");
    row.value = from.at("value");
    row.fate = static_cast<ImportFate>(from.at("fate").get<int>());
    row.targets = from.at("targets").get<std::vector<std::string>>();
    row.note = parse_message(from.at("note").get<std::string>());
  }
  return result;
}

/// In the process that reads.
Json answer(const Json& request) {
  Json out = Json::object();
  try {
    ImportResult result;
    if (request.contains("text")) {
      result = import_preset_text(request.at("text").get<std::string>(),
                                  request.at("name").get<std::string>());
    } else {
      const auto file = path_from_utf8(request.at("file").get<std::string>());
      out["kind"] = static_cast<int>(path_kind(file));
      result = import_preset_file(file);
    }
    out["result"] = json_of(result);
  } catch (const std::exception& e) {
    out["problem"] = message_json(message_of(e));
  }
  return out;
}

/// In the window.
SettingsFile file_of(const QByteArray& answered) {
  const Json json = Json::parse(answered.toStdString());
  SettingsFile file;
  file.kind = static_cast<PathKind>(json.value("kind", static_cast<int>(PathKind::settings)));
  if (json.contains("result")) {
    file.result = result_of(json.at("result"));
  } else {
    file.problem = parse_message(json.at("problem").get<std::string>());
  }
  return file;
}

SettingsFile failed(Message why) {
  return {PathKind::settings, std::nullopt, std::move(why)};
}

}  // namespace

SettingsReader::SettingsReader(QObject* parent) : QObject(parent) {}

SettingsReader::SettingsReader(Program program, QObject* parent)
    : QObject(parent), program_(std::move(program)) {}

SettingsReader::~SettingsReader() {
  for (QProcess* process : findChildren<QProcess*>()) {
    process->disconnect();
    process->kill();
    process->waitForFinished();
  }
}

void SettingsReader::read(const QString& file, QObject* context, Got got) {
  ask(QByteArray::fromStdString(text_of({{"file", file.toStdString()}})), file, context,
      std::move(got));
}

void SettingsReader::read_text(const QString& text, const QString& name, QObject* context,
                               Got got) {
  ask(QByteArray::fromStdString(
          text_of({{"text", text.toStdString()}, {"name", name.toStdString()}})),
      name, context, std::move(got));
}

void SettingsReader::ask(const QByteArray& request, const QString& name, QObject* context,
                         Got got) {
  auto* process = new QProcess(this);
  const bool own = program_.file.isEmpty();
  process->setProgram(own ? QCoreApplication::applicationFilePath() : program_.file);
  process->setArguments(own ? QStringList{QString::fromLatin1(kArgument)} : program_.arguments);
  process->setStandardErrorFile(QProcess::nullDevice());
  ++reading_;
  const auto end = [this, process, context = QPointer<QObject>(context), got = std::move(got),
                    done = std::make_shared<bool>(false)](const SettingsFile& file) {
    if (std::exchange(*done, true)) {
      return;
    }
    process->disconnect(this);
    if (process->state() == QProcess::NotRunning) {
      process->deleteLater();
    } else {
      connect(process, &QProcess::finished, process, &QObject::deleteLater);
      process->kill();
    }
    --reading_;
    if (context) {
      got(file);
    }
  };
  const std::string who = name.toStdString();
  connect(process, &QProcess::started, this, [process, request] {
    process->write(request);
    process->closeWriteChannel();
  });
  connect(process, &QProcess::readyReadStandardOutput, this, [process, end, who] {
    if (process->bytesAvailable() > kMostAnswer) {
      end(failed(message<"{file} could not be read: its settings fill the memory. Nothing was "
                         "changed">(who)));
    }
  });
  connect(process, &QProcess::errorOccurred, this,
          [process, end, who](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart) {
              end(failed(message<"{file} could not be read: could not start {program} ({reason})">(
                  who, process->program().toStdString(), process->errorString().toStdString())));
            }
          });
  connect(process, &QProcess::finished, this, [process, end, who](int status) {
    try {
      end(file_of(process->readAllStandardOutput()));
    } catch (const std::exception&) {
      end(failed(message<"{file} could not be read: reading it ended unexpectedly (status "
                         "{status}). It may be damaged, or made to do harm; nothing was "
                         "changed">(who, status)));
    }
  });
  const int seconds = std::max(program_.most_ms / 1000, 1);
  QTimer::singleShot(program_.most_ms, process, [end, who, seconds] {
    end(failed(message<"{file} could not be read within {seconds} s and was given up. It may be "
                       "damaged, or made to do harm; nothing was changed">(who, seconds)));
  });
  process->start();
}

std::optional<int> run_settings_reader(int argc, char** argv) {
  if (argc < 2 || std::strcmp(argv[1], kArgument) != 0) {
    return std::nullopt;
  }
  limit_own_memory(kMostMemory);
  const std::string request{std::istreambuf_iterator<char>(std::cin), {}};
  const Json json = Json::parse(request, nullptr, false);
  if (!json.is_object()) {
    return 2;
  }
  std::cout << text_of(answer(json)) << std::flush;
  return 0;
}

}  // namespace mantissa::gui
