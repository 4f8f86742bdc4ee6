#include "gui/widgets/NumberText.h"

#include <QLocale>
#include <QRegularExpression>
#include <cmath>

namespace mantissa::gui {
namespace {

/// As the C locale writes it: without separators of thousands, with a point.
QString in_plain_digits(const QString& typed) {
  static const QRegularExpression thousands(
      QStringLiteral("\\A[+-]?[1-9]\\d{0,2}([,' \\x{a0}\\x{202f}])\\d{3}(?:\\1\\d{3})*(?:\\.\\d*)?"
                     "\\z")),
      comma(QStringLiteral("\\A[+-]?\\d*,\\d+(?:[eE][+-]?\\d+)?\\z"));
  QString plain = typed.trimmed();
  const QRegularExpressionMatch grouped = thousands.match(plain);
  if (grouped.hasMatch()) {
    plain.remove(grouped.captured(1));
  } else if (comma.match(plain).hasMatch()) {
    plain.replace(QLatin1Char(','), QLatin1Char('.'));
  }
  return plain;
}

}  // namespace

std::optional<double> read_number(const QString& text) {
  static const QLocale plain = [] {
    QLocale c = QLocale::c();
    c.setNumberOptions(QLocale::RejectGroupSeparator);
    return c;
  }();
  bool ok = false;
  const double value = plain.toDouble(in_plain_digits(text), &ok);
  return ok && std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

std::optional<std::int64_t> read_whole_number(const QString& text) {
  const QString plain = in_plain_digits(text);
  bool ok = false;
  const qlonglong value = plain.toLongLong(&ok);
  if (ok) {
    return value;
  }
  // 2.500 may mean either; with an exponent a point is one of decimals.
  constexpr double kExact = 9007199254740992.0;
  const auto number =
      plain.contains(QLatin1Char('e'), Qt::CaseInsensitive) ? read_number(plain) : std::nullopt;
  return number && std::abs(*number) < kExact && *number == std::floor(*number)
             ? std::optional<std::int64_t>(static_cast<std::int64_t>(*number))
             : std::nullopt;
}

}  // namespace mantissa::gui
