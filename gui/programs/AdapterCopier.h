#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>
#include <QWidget>
#include <functional>

#include "gui/programs/ProgramFolders.h"

namespace mantissa::gui {

class AppSettings;

/// Copies adapter files to where another program looks for them. The program's folder is found, or
/// chosen once, and remembered. A file of that name is never replaced unasked. Everything that
/// reads or writes the disk happens on a thread of its own.
class AdapterCopier : public QObject {
  Q_OBJECT

 public:
  enum class Taken { replace, rename };
  /// Asks what to do about another file of that name; calls back unless it is given up.
  using AskTaken = std::function<void(QWidget* over, const QString& text, const QString& new_name,
                                      std::function<void(Taken)> answered)>;
  /// Asks for a program's folder, beginning at `start`.
  using AskFolder = std::function<void(QWidget* over, Program program, const QString& start,
                                       std::function<void(const QString&)> chosen)>;

  explicit AdapterCopier(AppSettings* settings, QObject* parent = nullptr);
  /// Waits for a copy in progress.
  ~AdapterCopier() override;

  void set_questions(AskFolder folder, AskTaken taken);
  void set_roots(FindRoots roots) { roots_ = std::move(roots); }

  /// A copy that is wanted.
  struct Wish {
    QString file;
    QString name;  ///< of the copy
    Program program = Program::comfyui;
  };
  /// `over`: the parent of questions.
  void copy(const Wish& wish, QWidget* over);
  /// As `copy`, into another folder than the remembered one, which is asked for.
  void copy_elsewhere(const Wish& wish, QWidget* over);
  bool is_busy() const { return busy_; }

 signals:
  void busy_changed(bool busy);
  /// `there`: it was there already, byte for byte.
  void copied(const mantissa::gui::AdapterCopier::Wish& wish, const QString& to, bool there);
  void failed(const QString& why);

 private:
  struct Job : Wish {
    QPointer<QWidget> over;
  };
  void ask_folder(const Job& job, const QString& start);
  void copy_into(const Job& job, const QString& folder);
  /// `other`: a free name beside `target`.
  void ask_about(const Job& job, const QString& target, const QString& other);
  void write(const Job& job, const QString& target, bool replace);
  /// `work` on the thread, then what it returns here.
  void run(std::function<std::function<void()>()> work);

  AppSettings* settings_;
  FindRoots roots_ = ProgramRoots::of_this_machine;
  AskFolder ask_folder_;
  AskTaken ask_taken_;
  bool busy_ = false;
  QThreadPool pool_;  ///< last: its task ends before what it uses
};

}  // namespace mantissa::gui
