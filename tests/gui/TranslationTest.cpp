#include "tests/gui/TranslationTest.h"

#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTranslator>
#include <QXmlStreamReader>
#include <QtTest>

#include "engine/core/message.h"
#include "engine/core/paths.h"
#include "engine/precision/catalogue.h"
#include "engine/preset/preset_library.h"
#include "engine/preset/schema.h"
#include "engine/preset/value_titles.h"
#include "gui/base/Language.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

struct Entry {
  QString context, source, translation;
  bool finished = true, numerus = false;
};

QList<Entry> messages(const QString& file) {
  QFile in(file);
  QList<Entry> list;
  if (!in.open(QIODevice::ReadOnly)) {
    return list;
  }
  QXmlStreamReader xml(&in);
  QString context;
  bool numerus = false;
  while (!xml.atEnd()) {
    if (!xml.readNextStartElement()) {
      continue;
    }
    if (xml.name() == QLatin1String("name")) {
      context = xml.readElementText();
    } else if (xml.name() == QLatin1String("message")) {
      numerus = xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes");
    } else if (xml.name() == QLatin1String("source")) {
      list.append({context, xml.readElementText(), {}, true, numerus});
    } else if (xml.name() == QLatin1String("translation") && !list.isEmpty()) {
      list.back().finished =
          xml.attributes().value(QLatin1String("type")) != QLatin1String("unfinished");
      list.back().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements);
    }
  }
  return list;
}

QString ts(const char* name, const QString& language) {
  return QStringLiteral(MANTISSA_SOURCE_DIR "/resources/i18n/%1_%2.ts")
      .arg(QLatin1String(name), language);
}

QList<Entry> all_of(const QString& language) {
  return messages(ts("mantissa", language)) + messages(ts("engine", language)) +
         messages(ts("schema", language)) + messages(ts("presets", language));
}

void language_rows() {
  QTest::addColumn<QString>("language");
  QTest::newRow("zh_CN") << QStringLiteral("zh_CN");
  QTest::newRow("ja") << QStringLiteral("ja");
}

QString lupdate() {
  const QString found = QStandardPaths::findExecutable(QStringLiteral("lupdate"));
  return found.isEmpty() ? QStandardPaths::findExecutable(QStringLiteral("lupdate"),
                                                          {QStringLiteral("/usr/lib/qt6/bin")})
                         : found;
}

/// Every text that the sources pass to tr() and similar, as found by Qt's own tool; and its
/// warnings.
std::pair<QList<Entry>, QString> texts_of_sources() {
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("all.ts"));
  QProcess tool;
  tool.setWorkingDirectory(QStringLiteral(MANTISSA_SOURCE_DIR));
  tool.start(lupdate(), {QStringLiteral("-silent"), QStringLiteral("-I"), QStringLiteral("."),
                         QStringLiteral("gui"), QStringLiteral("-ts"), file});
  tool.waitForFinished();
  return {messages(file), QString::fromUtf8(tool.readAllStandardError())};
}

/// The sources in a folder, with literals in several pieces put together.
QString literals_of(const char* folder) {
  QString text;
  QDirIterator files(QStringLiteral(MANTISSA_SOURCE_DIR "/") + QLatin1String(folder),
                     {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                     QDirIterator::Subdirectories);
  while (files.hasNext()) {
    QFile file(files.next());
    if (file.open(QIODevice::ReadOnly)) {
      text += QString::fromUtf8(file.readAll());
    }
  }
  static const QRegularExpression between(QStringLiteral("\"\\s*\n\\s*\""));
  return text.remove(between).replace(QStringLiteral("\\\""), QStringLiteral("\""));
}

QSet<QString> keys_of(const QList<Entry>& list) {
  QSet<QString> keys;
  for (const Entry& m : list) {
    keys.insert(m.context + QStringLiteral(" | ") + m.source);
  }
  return keys;
}

QString listed(const QSet<QString>& keys) {
  return QStringList(keys.begin(), keys.end()).join(QLatin1Char('\n'));
}

}  // namespace

void TranslationTest::files_hold_what_the_sources_say_data() {
  language_rows();
}

/// lupdate would neither add nor remove a text in any context.
void TranslationTest::files_hold_what_the_sources_say() {
  QFETCH(QString, language);
  QVERIFY2(!lupdate().isEmpty(), "lupdate is missing: install qt6-l10n-tools");
  const auto [texts, complaints] = texts_of_sources();
  QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
  const QSet<QString> wanted = keys_of(texts), kept = keys_of(messages(ts("mantissa", language)));
  QVERIFY(wanted.size() > 500);
  QVERIFY2((wanted - kept).isEmpty(), qPrintable(listed(wanted - kept)));
  QVERIFY2((kept - wanted).isEmpty(), qPrintable(listed(kept - wanted)));
}

// Qt takes what it doesn't know for the locale C, which speaks English.
void TranslationTest::no_language_is_no_english() {
  auto& app = *qobject_cast<QApplication*>(qApp);
  QVERIFY(!load_language(app, QStringLiteral("xx")));
  QVERIFY(!load_language(app, QStringLiteral("klingon")));
  QVERIFY(load_language(app, QStringLiteral("en")));
}

void TranslationTest::english_knows_one_and_many() {
  const QList<Entry> english = messages(ts("mantissa", QStringLiteral("en")));
  QList<Entry> counted = texts_of_sources().first;
  counted.removeIf([](const Entry& m) { return !m.numerus; });
  QVERIFY(counted.size() > 8);
  QCOMPARE(keys_of(english), keys_of(counted));
  for (const Entry& m : english) {
    QVERIFY2(m.finished && !m.translation.contains(QStringLiteral("(s)")), qPrintable(m.source));
  }
  QTranslator words;
  QVERIFY(words.load(QLocale(QLocale::English), QStringLiteral("mantissa"), QStringLiteral("_"),
                     path_text(find_resource("i18n").value())));
  const auto runs = [&](int n) {
    return words.translate("mantissa::gui::RunFilters", "%n run(s)", nullptr, n);
  };
  QCOMPARE(runs(1), QStringLiteral("%n run"));
  QCOMPARE(runs(2), QStringLiteral("%n runs"));
}

void TranslationTest::every_text_is_translated_data() {
  language_rows();
}

void TranslationTest::every_text_is_translated() {
  QFETCH(QString, language);
  QSet<QString> known;
  for (const Entry& m : all_of(language)) {
    QVERIFY2(m.finished && !m.translation.isEmpty(), qPrintable(m.source));
    known.insert(m.source);
  }
  QStringList wanted;
  for (const Setting& setting : settings()) {
    wanted << to_qstring(setting.label) << to_qstring(setting.help);
    for (const ItemField& field : setting.fields) {
      wanted << to_qstring(field.label) << to_qstring(field.help);
    }
  }
  for (const ValueTitle& row : value_titles()) {
    wanted << to_qstring(row.title);
  }
  for (const CatalogueEntry& entry : catalogue()) {
    wanted << to_qstring(entry.cause) << to_qstring(entry.message) << to_qstring(entry.refusal)
           << to_qstring(entry.fix);
  }
  QSet<QString> presets;
  for (const PresetEntry& entry : PresetLibrary(MANTISSA_SOURCE_DIR "/presets").list()) {
    presets << to_qstring(entry.preset.name) << to_qstring(entry.preset.description);
  }
  wanted << presets.values();
  QSet<QString> said;
  for (const MessageTemplate* t = message_templates(); t != nullptr; t = t->next) {
    said.insert(QString::fromUtf8(t->text));
  }
  // Punctuation and names in a row need no translation, though they may have one.
  static const QRegularExpression letters(QStringLiteral("[A-Za-z]")),
      name(QStringLiteral("\\{[a-z0-9_]+\\}"));
  for (const QString& text : said) {
    if (letters.match(QString(text).remove(name)).hasMatch()) {
      wanted << text;
    }
  }
  QStringList missing;
  for (const QString& text : wanted) {
    if (!text.isEmpty() && !known.contains(text)) {
      missing << text;
    }
  }
  QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
  // What is said on another system is in the sources alone.
  const QString sources = literals_of("engine");
  QStringList outlived;
  for (const Entry& m : messages(ts("engine", language))) {
    if (!said.contains(m.source) && !sources.contains(m.source)) {
      outlived << m.source;
    }
  }
  for (const Entry& m : messages(ts("presets", language))) {
    if (!presets.contains(m.source)) {
      outlived << m.source;
    }
  }
  QVERIFY2(outlived.isEmpty(), qPrintable(outlived.join(QLatin1Char('\n'))));
}

/// English, Chinese and Japanese write 5%.
void TranslationTest::no_space_stands_before_a_percent_sign() {
  static const QRegularExpression literal(QStringLiteral("\"((?:[^\"\\\\\n]|\\\\.)*)\"")),
      spaced(QStringLiteral("(^|[0-9}])[ \u00a0\u202f]%(?![0-9nL])"));
  QStringList found;
  for (const char* folder : {"gui", "engine"}) {
    const QString sources = literals_of(folder);
    for (auto it = literal.globalMatch(sources); it.hasNext();) {
      if (const QString text = it.next().captured(1); text.contains(spaced)) {
        found << text;
      }
    }
  }
  for (const char* language : {"zh_CN", "ja"}) {
    for (const Entry& m : all_of(QLatin1String(language))) {
      if (m.translation.contains(spaced)) {
        found << m.translation;
      }
    }
  }
  QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
}

void TranslationTest::chinese_has_one_word_for_a_thing() {
  // Image: 图片, beside the term 图像增强. The n-th step: 第 n 步.
  static const QRegularExpression mistaken(
      QStringLiteral("图像(?!增强)|(?<![时每一第])(?<!第 )步 (\\{(step|lowest)\\}|%1)(?! 步)"));
  QStringList found;
  QHash<QString, QString> of;
  for (const Entry& m : all_of(QStringLiteral("zh_CN"))) {
    if (m.translation.contains(mistaken)) {
      found << m.translation;
    }
    of.insert(m.source, m.translation);
  }
  QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
  // Folders are scanned, settings swept.
  QVERIFY(of[QStringLiteral("Scan again")].contains(QStringLiteral("扫描")));
  QCOMPARE(of[QStringLiteral("Sweep…")], QStringLiteral("参数扫描…"));
  QCOMPARE(of[QStringLiteral("Sweep")], QStringLiteral("参数扫描"));
}

/// A message that changed in the engine would reach the window with the command line's advice.
void TranslationTest::the_windows_words_are_for_messages_of_the_engine() {
  const QString engine = literals_of("engine");
  QFile file(QStringLiteral(MANTISSA_SOURCE_DIR "/gui/base/WindowWords.cpp"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QString words =
      QString::fromUtf8(file.readAll()).replace(QStringLiteral("\\\""), QStringLiteral("\""));
  static const QRegularExpression row(
      QStringLiteral("\\{message_template<\"(.*?)\">\\.text, message_template<"));
  int rows = 0;
  for (auto found = row.globalMatch(words); found.hasNext(); ++rows) {
    const QString source = found.next().captured(1);
    QVERIFY2(engine.contains(QLatin1Char('"') + source + QLatin1Char('"')), qPrintable(source));
  }
  QVERIFY2(rows >= 25, "the table is written in another way");
}

void TranslationTest::numbers_stand_where_they_belong_data() {
  language_rows();
}

void TranslationTest::numbers_stand_where_they_belong() {
  QFETCH(QString, language);
  static const QRegularExpression place(QStringLiteral("%(L?[0-9]+|n)|\\{[a-z0-9_]+\\}"));
  const auto places = [](const QString& text) {
    QSet<QString> found;
    for (auto it = place.globalMatch(text); it.hasNext();) {
      found.insert(it.next().captured());
    }
    return found;
  };
  for (const Entry& m : all_of(language)) {
    QVERIFY2(places(m.source) == places(m.translation),
             qPrintable(m.source + QLatin1String(" -> ") + m.translation));
  }
}

void TranslationTest::window_speaks_data() {
  QTest::addColumn<QString>("language");
  QTest::addColumn<QString>("steps");
  QTest::newRow("zh_CN") << QStringLiteral("zh_CN") << QStringLiteral("步");
  QTest::newRow("ja") << QStringLiteral("ja") << QStringLiteral("ステップ");
}

void TranslationTest::window_speaks() {
  QFETCH(QString, language);
  QFETCH(QString, steps);
  QTranslator words;
  const auto folder = find_resource("i18n");
  QVERIFY(folder.has_value());
  QVERIFY(words.load(QLocale(language), QStringLiteral("mantissa"), QStringLiteral("_"),
                     path_text(*folder)));
  const Setting* setting = find_setting("training.steps");
  const QString label = words.translate("schema", std::string(setting->label).c_str());
  QVERIFY2(label.contains(steps), qPrintable(label));
  QVERIFY(!words.translate("mantissa::gui::WindowMenus", "&File").isEmpty());
}

}  // namespace mantissa::gui
