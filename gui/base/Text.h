#pragma once

#include <QLocale>
#include <QString>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/core/amount_text.h"
#include "engine/core/percent.h"
#include "engine/core/printable.h"

namespace mantissa::gui {

inline QString to_qstring(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Untrusted text for display: hidden and reordering characters escaped, lines kept.
inline QString shown(const QString& text) {
  return to_qstring(printable_lines(text.toStdString()));
}

/// An integer as digits alone, in every language.
inline QString step_text(std::int64_t step) {
  return QLocale::c().toString(static_cast<qlonglong>(step));
}

/// "9.8 GB", decimal units, as the engine writes them.
inline QString format_bytes(std::uint64_t bytes) {
  return to_qstring(bytes_text(bytes));
}

/// "850 ms", "1.3 s" or "14 s": of one step, as the engine writes it.
inline QString format_step_time(double seconds) {
  return to_qstring(step_time_text(seconds));
}

/// Words that stand alone, in scripts that have capitals.
inline QString capitalised(QString words) {
  if (!words.isEmpty()) {
    words[0] = words[0].toUpper();
  }
  return words;
}

/// A percentage: neither English nor Chinese nor Japanese puts a space before the sign.
inline QString percent_text(const QString& number) {
  return number + QLatin1Char('%');
}

/// A share of 1 as a percentage.
inline QString percent_text(double share, int decimals = 0) {
  return percent_text(QString::number(100 * share, 'f', decimals));
}

/// A share of 1 as a percentage of so many digits, as the engine writes it: 0.25%, 170%.
inline QString rounded_percent(double share, int digits) {
  return to_qstring(mantissa::percent_text(share, digits));
}

/// An explanation, with lines that say what something is, what good looks like and what to do, as a
/// tool tip, which wraps nothing else.
inline QString wrapped_tip(const QString& lines) {
  return QStringLiteral("<p>%1</p>")
      .arg(lines.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("</p><p>")));
}

/// Paths are passed as UTF-8, whatever the platform's narrow encoding.
inline QString path_text(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return QString::fromUtf8(reinterpret_cast<const char*>(text.data()),
                           static_cast<qsizetype>(text.size()));
}

inline std::filesystem::path to_path(const QString& text) {
  const QByteArray utf8 = text.toUtf8();
  return std::filesystem::path(std::u8string(reinterpret_cast<const char8_t*>(utf8.constData()),
                                             static_cast<std::size_t>(utf8.size())));
}

}  // namespace mantissa::gui
