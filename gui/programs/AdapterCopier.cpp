#include "gui/programs/AdapterCopier.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <exception>
#include <utility>

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/engine/AppSettings.h"

namespace mantissa::gui {
namespace {

constexpr qint64 kChunk = 4 << 20;

Error unreadable(const QFile& file) {
  return Error(message<"can't read {file}: {reason}">(file.fileName().toStdString(),
                                                      file.errorString().toStdString()));
}

QByteArray next_chunk(QFile& file) {
  QByteArray bytes = file.read(kChunk);
  if (file.error() != QFileDevice::NoError) {
    throw unreadable(file);
  }
  return bytes;
}

bool is_same(const QString& a, const QString& b) {
  QFile first(a), second(b);
  if (!first.open(QIODevice::ReadOnly) || !second.open(QIODevice::ReadOnly) ||
      first.size() != second.size()) {
    return false;
  }
  for (;;) {
    const QByteArray chunk = next_chunk(first);
    if (chunk != next_chunk(second)) {
      return false;
    }
    if (chunk.isEmpty()) {
      return true;
    }
  }
}

/// "name-2.safetensors", or the first number that is free.
QString free_name(const QString& target) {
  const QFileInfo info(target);
  for (int i = 2;; ++i) {
    const QString name =
        QStringLiteral("%1-%2.%3").arg(info.completeBaseName()).arg(i).arg(info.suffix());
    if (!QFileInfo::exists(info.dir().filePath(name))) {
      return info.dir().filePath(name);
    }
  }
}

/// Under its name it is there complete or not at all.
void copy_file(const QString& from, const QString& to, bool replace) {
  QFile in(from);
  if (!in.open(QIODevice::ReadOnly)) {
    throw unreadable(in);
  }
  AtomicFile out(to_path(to), static_cast<std::uint64_t>(in.size()));
  for (QByteArray chunk = next_chunk(in); !chunk.isEmpty(); chunk = next_chunk(in)) {
    out.write(std::string_view(chunk.constData(), static_cast<std::size_t>(chunk.size())));
  }
  if (!replace && QFileInfo::exists(to)) {
    throw Error(
        message<"{file} was written by another program meanwhile; copy again">(to.toStdString()));
  }
  out.commit();
}

}  // namespace

AdapterCopier::AdapterCopier(AppSettings* settings, QObject* parent)
    : QObject(parent), settings_(settings) {
  pool_.setMaxThreadCount(1);
}

AdapterCopier::~AdapterCopier() {
  pool_.clear();
  pool_.waitForDone();
}

void AdapterCopier::set_questions(AskFolder folder, AskTaken taken) {
  ask_folder_ = std::move(folder);
  ask_taken_ = std::move(taken);
}

void AdapterCopier::run(std::function<std::function<void()>()> work) {
  busy_ = true;
  emit busy_changed(true);
  pool_.start([this, work = std::move(work)] {
    std::function<void()> then;
    try {
      then = work();
    } catch (const std::exception& e) {
      then = [this, why = error_text(message_of(e))] { emit failed(why); };
    }
    QMetaObject::invokeMethod(
        this,
        [this, then = std::move(then)] {
          busy_ = false;
          emit busy_changed(false);
          then();
        },
        Qt::QueuedConnection);
  });
}

void AdapterCopier::copy(const Wish& wish, QWidget* over) {
  if (busy_) {
    return;
  }
  const Job job{wish, over};
  const QString kept = settings_->adapter_folder(program_key(wish.program));
  run([this, job, kept]() -> std::function<void()> {
    if (!kept.isEmpty() && QFileInfo(kept).isDir()) {
      return [this, job, kept] { copy_into(job, kept); };
    }
    const QStringList found = find_program_folders(roots_()).adapters_of(job.program);
    if (found.size() == 1) {
      return [this, job, folder = found.front()] { copy_into(job, folder); };
    }
    return [this, job, start = found.value(0)] { ask_folder(job, start); };
  });
}

void AdapterCopier::copy_elsewhere(const Wish& wish, QWidget* over) {
  if (!busy_) {
    ask_folder({wish, over}, settings_->adapter_folder(program_key(wish.program)));
  }
}

void AdapterCopier::ask_folder(const Job& job, const QString& start) {
  if (!ask_folder_) {
    return;
  }
  ask_folder_(job.over, job.program, start, [this, job](const QString& chosen) {
    if (!chosen.isEmpty() && !busy_) {
      run([this, job, chosen]() -> std::function<void()> {
        const QString folder = adapter_folder_in(job.program, chosen);
        return [this, job, folder] { copy_into(job, folder); };
      });
    }
  });
}

void AdapterCopier::copy_into(const Job& job, const QString& folder) {
  settings_->set_adapter_folder(program_key(job.program), folder);
  const QString target = QDir(folder).filePath(job.name);
  run([this, job, target]() -> std::function<void()> {
    if (!QFileInfo::exists(target)) {
      return [this, job, target] { write(job, target, false); };
    }
    if (is_same(job.file, target)) {
      return [this, job, target] { emit copied(job, target, true); };
    }
    const QString other = free_name(target);
    return [this, job, target, other] { ask_about(job, target, other); };
  });
}

void AdapterCopier::ask_about(const Job& job, const QString& target, const QString& other) {
  if (!ask_taken_) {
    return;
  }
  ask_taken_(
      job.over,
      tr("%1 has another file called %2 already.")
          .arg(QDir::toNativeSeparators(QFileInfo(target).path()), QFileInfo(target).fileName()),
      QFileInfo(other).fileName(), [this, job, target, other](Taken taken) {
        if (!busy_) {
          write(job, taken == Taken::replace ? target : other, taken == Taken::replace);
        }
      });
}

void AdapterCopier::write(const Job& job, const QString& target, bool replace) {
  run([this, job, target, replace]() -> std::function<void()> {
    copy_file(job.file, target, replace);
    return [this, job, target] { emit copied(job, target, false); };
  });
}

}  // namespace mantissa::gui
