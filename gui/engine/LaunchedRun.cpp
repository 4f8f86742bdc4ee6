#include "gui/engine/LaunchedRun.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QProcess>
#include <QTemporaryFile>

#include "engine/core/error.h"
#include "engine/plan/backend.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run_relay.h"
#include "engine/run/run_requests.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

constexpr int kLookMs = 20, kPatienceMs = 5000;
constexpr qsizetype kKeptErrors = 4000;  ///< characters of the error stream

QString path_argument(const std::filesystem::path& path) {
  return path_text(path);
}

void write_preset(QTemporaryFile& file, const Preset& preset) {
  const QByteArray text = QByteArray::fromStdString(to_json(preset, WriteMode::full));
  if (!file.open() || file.write(text) != text.size() || !file.flush()) {
    throw Error(message<"can't write {file}: {reason}">(file.fileName().toStdString(),
                                                        file.errorString().toStdString()));
  }
}

/// The process of a run, from its start to its end.
class Launched {
 public:
  Launched(const QString& program, const JobSpec& job, RunObserver& observer) : relayed_(observer) {
    write_preset(preset_, job.preset);
    process_.start(program, train_arguments(job, preset_.fileName()));
    if (!process_.waitForStarted()) {
      throw Error(message<"could not start {file}: {reason}">(
          process_.program().toStdString(), process_.errorString().toStdString()));
    }
  }
  /// Whatever goes wrong here, it doesn't stay behind.
  ~Launched() {
    if (process_.state() != QProcess::NotRunning) {
      process_.closeWriteChannel();  // it saves and stops
      process_.waitForFinished(-1);
    }
  }
  Launched(const Launched&) = delete;
  Launched& operator=(const Launched&) = delete;

  RunResult follow(RunControl& control) {
    while (process_.state() != QProcess::NotRunning) {
      for (const std::string& line : requests_.take(control)) {
        process_.write(QByteArray::fromStdString(line) + '\n');
      }
      process_.waitForReadyRead(kLookMs);
      read();
      if (!heard_ && control.stop_requested() != RunControl::Stop::none) {
        end_unheard();
      }
      if (relayed_.has_ended()) {
        process_.closeWriteChannel();
        process_.waitForFinished(-1);
      }
    }
    read();
    if (!relayed_.has_ended()) {
      throw Error(message<"the process of the run ended without a word (status {status}): "
                          "{reason}">(process_.exitCode(),
                                      errors_.trimmed().right(kKeptErrors).toStdString()));
    }
    return relayed_.result();
  }

 private:
  /// It hasn't begun: there is nothing to save, and perhaps nobody who follows requests.
  [[noreturn]] void end_unheard() {
    process_.terminate();
    if (!process_.waitForFinished(kPatienceMs)) {
      process_.kill();
      process_.waitForFinished(-1);
    }
    throw Error(ErrorKind::interrupted,
                message<"stopped before the process of the run had begun">());
  }

  void read() {
    errors_ = (errors_ + QString::fromUtf8(process_.readAllStandardError())).right(kKeptErrors);
    process_.setReadChannel(QProcess::StandardOutput);
    while (process_.canReadLine()) {
      const QByteArray line = process_.readLine();
      try {
        relayed_.take(line.toStdString());
        heard_ = true;
      } catch (const std::exception&) {
        errors_ += QString::fromUtf8(line);  // of a library
      }
    }
  }

  QTemporaryFile preset_;
  QProcess process_;
  RelayedRun relayed_;
  RequestLines requests_;
  QString errors_;
  bool heard_ = false;  ///< of it
};

}  // namespace

QString train_program() {
#ifdef Q_OS_WIN
  const QString name = QStringLiteral("mantissa.exe");
#else
  const QString name = QStringLiteral("mantissa");
#endif
  const QString file = QDir(QCoreApplication::applicationDirPath()).filePath(name);
  if (!QFileInfo(file).isExecutable()) {
    throw Error(message<"{file} is missing: it belongs to this installation of Mantissa and trains "
                        "on other cards">(file.toStdString()));
  }
  return file;
}

QStringList train_arguments(const JobSpec& job, const QString& preset_file,
                            const QStringList& ways) {
  QStringList list = QStringList{QStringLiteral("train"), preset_file} + ways;
  const auto add = [&list](const char* option, const QString& value) {
    if (!value.isEmpty()) {
      list << QLatin1String(option) << value;
    }
  };
  add("--base", path_argument(job.base));
  const std::pair<const char*, const std::vector<std::filesystem::path>*> folders[] = {
      {"--images", &job.images},
      {"--prior", &job.prior},
      {"--validation", &job.validation},
      {"--references", &job.references}};
  for (const auto& [option, paths] : folders) {
    for (const std::filesystem::path& path : *paths) {
      add(option, path_argument(path));
    }
  }
  if (!job.resume) {
    add("--out", path_argument(job.out));
  }
  if (job.split.empty()) {
    add("--device", to_qstring(job.device));
  } else {
    add("--split-cards", to_qstring(device_of(devices_of(job))));
  }
  add("--resume", path_argument(job.resume.value_or("")));
  for (const std::string& part : job.accept_changed) {
    add("--accept-changed", to_qstring(part));
  }
  if (!job.resume) {
    add("--continue-from", path_argument(job.continue_from.value_or("")));
  }
  for (const TrainingAdapter& adapter : job.training_adapters) {
    add("--training-adapter",
        path_argument(adapter.file) + QLatin1Char(':') +
            QString::number(adapter.weight, 'g', QLocale::FloatingPointShortest));
  }
  if (job.dora_axis && !job.resume) {
    add("--dora-axis", to_qstring(enum_name(*job.dora_axis)));
  }
  if (job.memory_budget > 0) {
    add("--memory-budget", QString::number(job.memory_budget) + QLatin1Char('B'));
  }
  add("--health-every", QString::number(job.health_every));
  add("--on-full-disk",
      job.on_full_disk == OnFullDisk::wait ? QStringLiteral("wait") : QStringLiteral("stop"));
  const std::pair<bool, const char*> flags[] = {{job.deterministic, "--deterministic"},
                                                {job.overwrite, "--overwrite"},
                                                {job.start_over, "--start-over"}};
  for (const auto& [on, flag] : flags) {
    if (on) {
      list << QLatin1String(flag);
    }
  }
  return list;
}

RunResult launch_training(const JobSpec& job, RunControl& control, RunObserver& observer) {
  return train_by(train_program(), job, control, observer);
}

RunResult train_by(const QString& program, const JobSpec& job, RunControl& control,
                   RunObserver& observer) {
  return Launched(program, job, observer).follow(control);
}

}  // namespace mantissa::gui
