#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>

#include "engine/io/path_kind.h"
#include "engine/preset/import.h"

class QProcess;

namespace mantissa::gui {

/// What a file turned out to be.
struct SettingsFile {
  PathKind kind = PathKind::settings;
  std::optional<ImportResult> result;  ///< its settings; empty if there are none
  Message problem;                     ///< why there are none
};

/// Reader of presets, other programs' configurations and adapters, each in a process of its own: a
/// file that makes a reader crash, hang or fill the memory ends that process, never a run in this
/// one. Answers arrive on this object's thread.
class SettingsReader : public QObject {
  Q_OBJECT

 public:
  /// The process that reads, and how long it may take.
  struct Program {
    QString file;  ///< empty: this program, whose main calls run_settings_reader
    QStringList arguments;
    int most_ms = 20'000;
  };
  using Got = std::function<void(const SettingsFile&)>;

  explicit SettingsReader(QObject* parent = nullptr);
  explicit SettingsReader(Program program, QObject* parent = nullptr);
  /// Ends the processes that still read; nothing is answered any more.
  ~SettingsReader() override;

  /// Reads a file or folder; `got` is not called if `context` is destroyed by then.
  void read(const QString& file, QObject* context, Got got);
  /// Reads a text, such as the clipboard's; `name` is what its report calls it.
  void read_text(const QString& text, const QString& name, QObject* context, Got got);
  bool is_busy() const { return reading_ > 0; }

 private:
  void ask(const QByteArray& request, const QString& name, QObject* context, Got got);
  Program program_;
  int reading_ = 0;
};

/// The exit status of the process that reads, if the program was started as one; to be called by
/// main before there is an application.
std::optional<int> run_settings_reader(int argc, char** argv);

}  // namespace mantissa::gui
