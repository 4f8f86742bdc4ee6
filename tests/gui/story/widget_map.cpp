// A plugin that Qt loads into mantissa-studio: writes where everything that can be seen is, in
// pixels of the screen, so that a script can click like a user without knowing the layout.
//   QT_PLUGIN_PATH=FOLDER QT_QPA_GENERIC_PLUGINS=widget_map    with FOLDER/generic/<this library>
//   MANTISSA_WIDGET_MAP=FILE    rewritten five times a second: {widgets, stalls}; widgets is a
//                               list of {name, kind, text, x, y, width, height, enabled}, where a
//                               window's text is its number; stalls are the times in ms that the
//                               window took no input for more than 50 ms, in their order
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QGenericPlugin>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QSaveFile>
#include <QTabBar>
#include <QTimer>

namespace {

class WidgetMap : public QObject {
 public:
  explicit WidgetMap(QString file) : file_(std::move(file)) {
    connect(&timer_, &QTimer::timeout, this, &WidgetMap::write);
    timer_.start(200);
    connect(&pulse_, &QTimer::timeout, this, &WidgetMap::watch);
    pulse_.setTimerType(Qt::PreciseTimer);
    pulse_.start(kPulse);
    since_.start();
  }

 private:
  void add(const QString& name, const QString& kind, const QString& text, const QWidget* on,
           const QRect& rect, bool enabled) {
    // Only the part in sight: a form scrolls, and so do lists.
    QRect seen = rect & on->rect() & on->visibleRegion().boundingRect();
    if (seen.width() < 4 || seen.height() < 4) {
      return;
    }
    seen.moveTopLeft(on->mapToGlobal(seen.topLeft()));
    const double scale = on->devicePixelRatioF();
    list_.append(QJsonObject{{QStringLiteral("name"), name},
                             {QStringLiteral("kind"), kind},
                             {QStringLiteral("text"), text},
                             {QStringLiteral("x"), seen.x() * scale},
                             {QStringLiteral("y"), seen.y() * scale},
                             {QStringLiteral("width"), seen.width() * scale},
                             {QStringLiteral("height"), seen.height() * scale},
                             {QStringLiteral("enabled"), enabled}});
  }

  void add_parts(const QWidget* widget) {
    if (const auto* view = qobject_cast<const QAbstractItemView*>(widget)) {
      for (int row = 0; row < view->model()->rowCount(view->rootIndex()) && row < 60; ++row) {
        for (int column = 0; column < 2; ++column) {
          const QModelIndex index = view->model()->index(row, column, view->rootIndex());
          if (index.isValid()) {
            add(view->accessibleName(), QStringLiteral("row"), index.data().toString(),
                view->viewport(), view->visualRect(index), true);
          }
        }
      }
    } else if (const auto* menu = qobject_cast<const QMenu*>(widget)) {
      for (QAction* action : menu->actions()) {
        add(action->text().remove(QLatin1Char('&')), QStringLiteral("menu"), {}, menu,
            menu->actionGeometry(action), action->isEnabled());
      }
    } else if (const auto* bar = qobject_cast<const QMenuBar*>(widget)) {
      for (QAction* action : bar->actions()) {
        add(action->text().remove(QLatin1Char('&')), QStringLiteral("menu"), {}, bar,
            bar->actionGeometry(action), action->isEnabled());
      }
    } else if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
      for (int i = 0; i < tabs->count(); ++i) {
        add(tabs->tabText(i), QStringLiteral("tab"), {}, tabs, tabs->tabRect(i),
            tabs->isTabEnabled(i));
      }
    }
  }

  static QString text_of(const QWidget* widget) {
    if (const auto* edit = qobject_cast<const QLineEdit*>(widget)) {
      return edit->text();
    }
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
      return button->text();
    }
    if (const auto* label = qobject_cast<const QLabel*>(widget)) {
      return label->text();
    }
    if (const auto* combo = qobject_cast<const QComboBox*>(widget)) {
      return combo->currentText();
    }
    const auto* plain = qobject_cast<const QPlainTextEdit*>(widget);
    return plain == nullptr ? QString() : plain->toPlainText();
  }

  void watch() {
    const qint64 late = since_.restart() - kPulse;
    if (late > 50) {
      stalls_.append(late);
    }
  }

  void write() {
    watch();  // up to here; the map's own time is not the window's
    list_ = {};
    for (const QWidget* top : QApplication::topLevelWidgets()) {
      // What a dialog blocks can't be clicked; menus can.
      const QWidget* modal = QApplication::activeModalWidget();
      const bool blocked = modal != nullptr && top != modal && top->windowType() != Qt::Popup;
      if (!top->isVisible() || blocked) {
        continue;
      }
      add(top->windowTitle(), QStringLiteral("window"), QString::number(top->winId()), top,
          top->rect(), true);
      add_parts(top);
      for (const QWidget* widget : top->findChildren<QWidget*>()) {
        const QString text = text_of(widget);
        if (widget->isVisible() && widget->window() == top &&
            !(widget->accessibleName().isEmpty() && text.isEmpty())) {
          add(widget->accessibleName(), QString::fromLatin1(widget->metaObject()->className()),
              text, widget, widget->rect(), widget->isEnabled());
        }
        if (widget->isVisible()) {
          add_parts(widget);
        }
      }
    }
    QSaveFile out(file_);
    if (out.open(QIODevice::WriteOnly)) {
      const QJsonObject map{{QStringLiteral("widgets"), list_},
                            {QStringLiteral("stalls"), stalls_}};
      out.write(QJsonDocument(map).toJson(QJsonDocument::Compact));
      out.commit();
    }
    since_.restart();
  }

  static constexpr int kPulse = 10;  // ms

  QString file_;
  QTimer timer_, pulse_;
  QElapsedTimer since_;
  QJsonArray list_, stalls_;
};

}  // namespace

class WidgetMapPlugin : public QGenericPlugin {
  Q_OBJECT
  Q_PLUGIN_METADATA(IID QGenericPluginFactoryInterface_iid FILE "widget_map.json")

 public:
  QObject* create(const QString&, const QString&) override {
    const QString file = qEnvironmentVariable("MANTISSA_WIDGET_MAP");
    return file.isEmpty() ? nullptr : new WidgetMap(file);
  }
};

#include "widget_map.moc"
