// Preloaded into mantissa-studio: a user who types, changes pages, writes captions, saves, queues
// and trains at random, by events to the window's widgets, until the process is killed. What the
// window shows is appended to a journal after each key, so that a test knows what had been typed.
//   MANTISSA_SCRIPT=FILE        the journal: one JSON per line
//   MANTISSA_SCRIPT_SEED=N
// First line of a start: what was restored. "beat" counts tenths of a second in which the window
// was alive: a starved machine slows the studio and its clock alike.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPlainTextEdit>
#include <QTimer>
#include <random>

namespace {

/// A key pressed and released on a widget.
void press(QWidget* widget, int key, const QString& text = {}) {
  for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
    QKeyEvent event(type, key, Qt::NoModifier, text);
    QCoreApplication::sendEvent(widget, &event);
  }
}

class Script : public QObject {
 public:
  explicit Script(const QString& journal)
      : journal_(journal), random_(qEnvironmentVariable("MANTISSA_SCRIPT_SEED").toUInt()) {
    if (!journal_.open(QIODevice::Append | QIODevice::Unbuffered)) {
      qFatal("the journal can't be written");
    }
    connect(&wait_, &QTimer::timeout, this, &Script::begin);
    connect(&beat_, &QTimer::timeout, this, [this] { note(QStringLiteral("beat"), ++beats_); });
    connect(&act_, &QTimer::timeout, this, &Script::act);
    wait_.start(50);
  }

 private:
  void note(const QString& what, const QJsonValue& value) {
    journal_.write(
        QJsonDocument(QJsonObject{{QStringLiteral("what"), what}, {QStringLiteral("value"), value}})
            .toJson(QJsonDocument::Compact) +
        '\n');
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  template <typename Widget>
  Widget* named(const QString& ending) const {
    for (Widget* widget : window_->findChildren<Widget*>()) {
      if (widget->accessibleName().endsWith(ending)) {
        return widget;
      }
    }
    return nullptr;
  }
  /// The line of a setting: its own, or that of its spin box.
  QLineEdit* line(const QString& ending) const {
    if (auto* edit = named<QLineEdit>(ending)) {
      return edit;
    }
    const auto* spin = named<QAbstractSpinBox>(ending);
    return spin == nullptr ? nullptr : spin->findChild<QLineEdit*>();
  }
  QAction* action(const QKeySequence& keys) const {
    for (QAction* action : window_->findChildren<QAction*>()) {
      if (action->shortcut() == keys) {
        return action;
      }
    }
    return nullptr;
  }
  void trigger(const QKeySequence& keys) {
    if (QAction* found = action(keys); found != nullptr && found->isEnabled()) {
      found->trigger();
    }
  }
  int queued() const {
    const auto* queue = named<QAbstractItemView>(QStringLiteral("Runs of the queue"));
    return queue == nullptr ? -1 : queue->model()->rowCount();
  }

  void begin() {
    for (QWidget* widget : QApplication::topLevelWidgets()) {
      if (auto* window = qobject_cast<QMainWindow*>(widget); window && window->isVisible()) {
        window_ = window;
      }
    }
    if (window_ == nullptr || ++waited_ < 10) {
      return;
    }
    wait_.stop();
    QJsonObject now;
    for (const auto& [what, ending] : kLines) {
      const QLineEdit* edit = line(QString::fromLatin1(ending));
      now.insert(QString::fromLatin1(what), edit == nullptr ? QJsonValue() : edit->text());
    }
    now.insert(QStringLiteral("queue"), queued());
    for (const QLabel* label : window_->findChildren<QLabel*>()) {
      if (label->isVisible() && (label->text().contains(QStringLiteral("can't be restored")) ||
                                 label->text().contains(QStringLiteral("can't be read")))) {
        now.insert(QStringLiteral("problem"), label->text());
      }
    }
    note(QStringLiteral("restored"), now);
    beat_.start(100);
    act_.start(30);
  }

  void type_line(std::size_t which) {
    trigger(QKeySequence(Qt::CTRL | Qt::Key_1));
    const auto& [what, ending] = kLines[which];
    QLineEdit* edit = line(QString::fromLatin1(ending));
    if (edit == nullptr) {
      return;
    }
    const bool number = QLatin1String(what) == QLatin1String("steps");
    if (number || edit->text().size() > 40) {
      edit->selectAll();
    }
    for (unsigned i = 0; i < 3; ++i) {
      const char key = static_cast<char>(number ? '1' + below(9) : 'a' + below(26));
      press(edit, QLatin1Char(key).unicode(), QString(QLatin1Char(key)));
      note(QString::fromLatin1(what), edit->text());
    }
  }

  void type_caption() {
    trigger(QKeySequence(Qt::CTRL | Qt::Key_2));
    auto* images = named<QAbstractItemView>(QStringLiteral("Images"));
    auto* text = named<QPlainTextEdit>(QStringLiteral("Caption of the image"));
    if (images == nullptr || text == nullptr || images->model()->rowCount() == 0) {
      return;
    }
    if (!images->currentIndex().isValid() || !absorbed_) {
      const int row = static_cast<int>(below(static_cast<unsigned>(images->model()->rowCount())));
      images->setCurrentIndex(images->model()->index(row, 0));
    }
    const QModelIndex image = images->currentIndex();
    if (!text->isEnabled() || text->isReadOnly()) {
      return;
    }
    text->moveCursor(QTextCursor::End);
    for (unsigned i = 0; i < 3; ++i) {
      const char key = static_cast<char>('a' + below(26));
      press(text, QLatin1Char(key).unicode(), QString(QLatin1Char(key)));
      note(QStringLiteral("caption ") + image.data().toString(), text->toPlainText());
    }
  }

  void act() {
    if (QWidget* dialog = QApplication::activeModalWidget()) {
      press(dialog, Qt::Key_Escape);
      return;
    }
    // Now and then for seconds nothing but one caption, without a pause.
    if (++acts_ % 100 == 0) {
      absorbed_ = below(3) == 0;
    }
    if (absorbed_) {
      type_caption();
      return;
    }
    switch (const unsigned choice = below(24); choice) {
      case 0:
        trigger(QKeySequence::Save);
        note(QStringLiteral("saved"), true);
        break;
      case 1:
        if (queued() < 30) {
          trigger(Qt::Key_F9);
          note(QStringLiteral("queue"), queued());
        }
        break;
      case 2:
        trigger(Qt::Key_F5);
        break;
      case 3:
        trigger(Qt::Key_F7);
        break;
      case 4:
        trigger(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + below(6))));
        break;
      default:
        if (choice % 3 == 0) {
          type_caption();
        } else {
          type_line(choice % std::size(kLines));
        }
        break;
    }
  }

  static constexpr std::pair<const char*, const char*> kLines[] = {
      {"name", "File name"}, {"steps", "Steps"}, {"prompt", "1 prompt"}};

  QFile journal_;
  std::mt19937 random_;
  QTimer wait_, beat_, act_;
  QMainWindow* window_ = nullptr;
  int waited_ = 0;
  int beats_ = 0, acts_ = 0;
  bool absorbed_ = false;
};

void begin_script() {
  const QString journal = qEnvironmentVariable("MANTISSA_SCRIPT");
  if (!journal.isEmpty()) {
    // A child of the application: it ends before the window does.
    (new Script(journal))->setParent(QCoreApplication::instance());
  }
}

}  // namespace

Q_COREAPP_STARTUP_FUNCTION(begin_script)
