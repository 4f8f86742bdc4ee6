#include "gui/preset/FieldEditor.h"

#include <QApplication>
#include <QFocusEvent>
#include <QTimer>

#include "gui/base/Text.h"
#include "gui/preset/SchemaText.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

EditorSpec EditorSpec::of(const Setting& s) {
  EditorSpec spec;
  spec.key = to_qstring(s.key);
  spec.name = QCoreApplication::translate("schema", std::string(s.label).c_str());
  spec.kind = s.kind;
  spec.min = s.min;
  spec.max = s.max;
  spec.choices = s.choices;
  spec.fields = s.fields;
  spec.prose = s.kind == Kind::text && s.text == TextRule::prose;
  return spec;
}

EditorSpec EditorSpec::of(const ItemField& field, const EditorSpec& owner, const QString& number) {
  EditorSpec spec;
  spec.key = owner.key + QLatin1Char('.') + to_qstring(field.key);
  spec.name = QStringLiteral("%1 %2 %3").arg(owner.name, number, schema_text(field.label));
  spec.kind = field.kind;
  spec.min = field.min;
  spec.max = field.max;
  spec.choices = field.choices;
  spec.optional = !field.required;
  return spec;
}

void FieldEditor::watch(QWidget* child) {
  child->installEventFilter(this);
  if (!focusProxy() && child->focusPolicy() != Qt::NoFocus) {
    setFocusProxy(child);
  }
}

bool FieldEditor::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusOut) {
    const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
    // A menu or another program in front does not end the editing.
    if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason && !leaving_) {
      leaving_ = true;
      QTimer::singleShot(0, this, [this] {
        leaving_ = false;
        const QWidget* now = QApplication::focusWidget();
        if (now == nullptr || !isAncestorOf(now)) {
          emit left();
        } else {
          emit moved();
        }
      });
    }
  }
  return QWidget::eventFilter(watched, event);
}

void FieldEditor::set_invalid(bool invalid) {
  if (QWidget* target = focusProxy()) {
    set_property(target, "invalid", invalid ? QStringLiteral("true") : QStringLiteral("false"));
  }
}

}  // namespace mantissa::gui
