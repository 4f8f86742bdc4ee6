#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/io/json_file.h"
#include "engine/io/safetensors.h"
#include "tests/reliability/report.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace std::string_literals;

std::string length_field(std::uint64_t n) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) {
    bytes += static_cast<char>(n >> (8 * i) & 0xff);
  }
  return bytes;
}

std::string file_of(const std::string& header, std::size_t data_bytes) {
  return length_field(header.size()) + header + std::string(data_bytes, '\1');
}

// One tensor "w" with the given dtype, shape and offsets.
std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets,
                std::size_t data_bytes) {
  return file_of(R"({"w":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" +
                     offsets + "}}",
                 data_bytes);
}

const std::string kGood = R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";

struct BadCase {
  const char* what;
  std::string bytes;
  std::string rule;  // the message must contain this
};

std::vector<BadCase> bad_cases() {
  const std::string huge = std::to_string(std::numeric_limits<std::uint64_t>::max());
  return {
      // Length field.
      {"empty file", "", "has 0 bytes"},
      {"seven bytes", std::string(7, '\0'), "has 7 bytes"},
      {"header longer than the file", length_field(100) + "{}", "claims 100 bytes"},
      {"header above the limit", length_field(100'000'001) + "{}", "above the limit"},
      {"length 2^63", length_field(1ull << 63) + "{}", "above the limit"},
      {"length 2^64-1", length_field(~0ull) + "{}", "above the limit"},
      {"length 2^64-8: wraps when 8 is added", length_field(~0ull - 7) + "{}", "above the limit"},
      {"header one byte too long", length_field(kGood.size() + 9) + kGood + std::string(8, '\1'),
       "claims"},
      // Text.
      {"header of length 0", length_field(0), "start with '{'"},
      {"only spaces", file_of("        ", 0), "start with '{'"},
      {"a list", file_of("[]", 0), "start with '{'"},
      {"null", file_of("null", 0), "start with '{'"},
      {"a number", file_of("12345678", 0), "start with '{'"},
      {"byte order mark", file_of("\xef\xbb\xbf{}", 0), "start with '{'"},
      {"invalid UTF-8 in a name",
       file_of("{\"w\xff\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}", 0),
       "not UTF-8"},
      {"overlong UTF-8", file_of("{\"\xc0\xaf\":1}", 0), "not UTF-8"},
      {"UTF-8 surrogate", file_of("{\"\xed\xa0\x80\":1}", 0), "not UTF-8"},
      {"cut UTF-8", file_of("{\"\xe2\x82", 0), "not UTF-8"},
      {"code point above 10FFFF", file_of("{\"\xf4\x90\x80\x80\":1}", 0), "not UTF-8"},
      {"unclosed object", file_of("{", 0), "not JSON"},
      {"object closed twice", file_of("{}}", 0), "not JSON"},
      {"text after the object", file_of("{} x", 0), "not JSON"},
      {"zero byte after the object", file_of("{}\0\0"s, 0), "zero byte"},
      {"zero byte hiding more text", file_of("{}\0{\"w\":1}"s, 0), "zero byte"},
      {"comment", file_of("{}//x", 0), "not JSON"},
      {"single quotes", file_of("{'w':1}", 0), "not JSON"},
      {"trailing comma", file_of("{\"w\":1,}", 0), "must be an object"},
      {"bare word", file_of("{w:1}", 0), "not JSON"},
      {"raw control character in a name", file_of("{\"w\n\":1}", 0), "not JSON"},
      {"lone surrogate escape", file_of(R"({"\ud800":{}})", 0), "not JSON"},
      {"10,000 open brackets", file_of("{\"w\":" + std::string(10000, '['), 0),
       "must be an object"},
      {"10,000 open objects in an unknown field",
       file_of(
           "{\"w\":{\"x\":" +
               [] {
                 std::string s;
                 for (int i = 0; i < 10000; ++i) {
                   s += "{\"a\":";
                 }
                 return s;
               }(),
           0),
       "not JSON"},
      // Structure.
      {"tensor is a number", file_of("{\"w\":1}", 0), "must be an object"},
      {"tensor is null", file_of("{\"w\":null}", 0), "must be an object"},
      {"tensor is a list", file_of(R"({"w":["U8",[0],[0,0]]})", 0), "must be an object"},
      {"tensor is text", file_of(R"({"w":"U8"})", 0), "must be an object"},
      {"dtype missing", file_of(R"({"w":{"shape":[2],"data_offsets":[0,8]}})", 8),
       "dtype is missing"},
      {"shape missing", file_of(R"({"w":{"dtype":"F32","data_offsets":[0,8]}})", 8),
       "shape is missing"},
      {"offsets missing", file_of(R"({"w":{"dtype":"F32","shape":[2]}})", 8),
       "data_offsets is missing"},
      {"empty tensor object", file_of(R"({"w":{}})", 0), "is missing"},
      {"tensor named twice",
       file_of(R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
               R"("w":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
               2),
       "appears twice"},
      {"tensor named twice through an escape",
       file_of(R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
               R"("\u0077":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
               2),
       "appears twice"},
      {"dtype given twice",
       file_of(R"({"w":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1),
       "dtype appears twice"},
      {"offsets given twice",
       file_of(R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"data_offsets":[0,1]}})", 1),
       "data_offsets appears twice"},
      // Metadata.
      {"metadata is a list", file_of(R"({"__metadata__":[]})", 0),
       "__metadata__ must be an object"},
      {"metadata is text", file_of(R"({"__metadata__":"x"})", 0), "__metadata__ must be an object"},
      {"metadata is null", file_of(R"({"__metadata__":null})", 0),
       "__metadata__ must be an object"},
      {"metadata value is a number", file_of(R"({"__metadata__":{"a":1}})", 0), "'a' must be text"},
      {"metadata value is null", file_of(R"({"__metadata__":{"a":null}})", 0), "'a' must be text"},
      {"metadata value is an object", file_of(R"({"__metadata__":{"a":{}}})", 0),
       "'a' must be text"},
      {"metadata key twice", file_of(R"({"__metadata__":{"a":"1","a":"2"}})", 0),
       "'a' appears twice"},
      {"metadata twice", file_of(R"({"__metadata__":{},"__metadata__":{}})", 0), "appears twice"},
      // Types and shapes.
      {"unknown dtype", one("F33", "[2]", "[0,8]", 8), "dtype 'F33' is unknown"},
      {"lower-case dtype", one("f32", "[2]", "[0,8]", 8), "dtype 'f32' is unknown"},
      {"empty dtype", one("", "[2]", "[0,8]", 8), "dtype '' is unknown"},
      {"dtype is a number", file_of(R"({"w":{"dtype":1,"shape":[2],"data_offsets":[0,8]}})", 8),
       "dtype can't be"},
      {"shape is a number", one("F32", "2", "[0,8]", 8), "shape can't be"},
      {"shape is null", one("F32", "null", "[0,8]", 8), "shape can't be"},
      {"negative dimension", one("F32", "[-2]", "[0,8]", 8), "whole numbers"},
      {"minus zero", one("F32", "[-0]", "[0,0]", 0), "whole numbers"},
      {"fractional dimension", one("F32", "[2.0]", "[0,8]", 8), "whole numbers"},
      {"dimension with exponent", one("F32", "[2e0]", "[0,8]", 8), "whole numbers"},
      {"text dimension", one("F32", "[\"2\"]", "[0,8]", 8), "whole numbers"},
      {"nested shape", one("F32", "[[2]]", "[0,8]", 8), "whole numbers"},
      {"dimension above 2^64", one("F32", "[18446744073709551616]", "[0,8]", 8), "whole numbers"},
      {"dimension 2^64-1", one("U8", "[" + huge + "]", "[0,0]", 0), "2^63-1"},
      {"product overflows to zero", one("F32", "[4294967296,4294967296]", "[0,0]", 0),
       "does not fit"},
      {"product overflows to a small number", one("U8", "[6148914691236517206,3]", "[0,2]", 2),
       "does not fit"},
      {"bits overflow although elements fit", one("F64", "[2305843009213693952]", "[0,0]", 0),
       "does not fit"},
      {"zero after an overflow", one("U8", "[4611686018427387904,8,0]", "[0,0]", 0),
       "does not fit"},
      {"odd count of 4-bit values", one("F4", "[3]", "[0,2]", 2), "do not end on a byte"},
      {"6-bit values off a byte", one("F6_E2M3", "[3]", "[0,3]", 3), "do not end on a byte"},
      // Offsets.
      {"shape smaller than data", one("F32", "[1]", "[0,8]", 8), "need 4 bytes"},
      {"shape larger than data", one("F32", "[3]", "[0,8]", 8), "need 12 bytes"},
      {"scalar with no data", one("F32", "[]", "[0,0]", 0), "need 4 bytes"},
      {"end before start", one("F32", "[2]", "[8,0]", 8), "before its start"},
      {"hole at the front", one("F32", "[2]", "[8,16]", 16), "hole"},
      {"hole between tensors",
       file_of(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
               R"("b":{"dtype":"U8","shape":[4],"data_offsets":[5,9]}})",
               9),
       "hole"},
      {"overlap",
       file_of(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
               R"("b":{"dtype":"U8","shape":[4],"data_offsets":[3,7]}})",
               7),
       "overlaps"},
      {"same bytes twice",
       file_of(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
               R"("b":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})",
               4),
       "overlaps"},
      {"empty tensor inside another",
       file_of(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
               R"("b":{"dtype":"U8","shape":[0],"data_offsets":[2,2]}})",
               4),
       "overlaps"},
      {"data beyond the end", one("F32", "[2]", "[0,8]", 7), "cut off"},
      {"no data at all", one("F32", "[2]", "[0,8]", 0), "cut off"},
      {"offset 2^64-1", one("U8", "[1]", "[" + huge + "," + huge + "]", 1), "hole"},
      {"end 2^64-1", one("U8", "[1]", "[0," + huge + "]", 1), "need 1 bytes"},
      {"huge but consistent", one("U8", "[1152921504606846976]", "[0,1152921504606846976]", 1),
       "cut off"},
      {"one offset", one("F32", "[2]", "[0]", 8), "two numbers"},
      {"three offsets", one("F32", "[2]", "[0,8,8]", 8), "two numbers"},
      {"offsets as text", one("F32", "[2]", "\"0,8\"", 8), "data_offsets can't be"},
      {"fractional offsets", one("F32", "[2]", "[0.0,8.0]", 8), "whole numbers"},
      {"negative offset", one("F32", "[2]", "[-8,0]", 8), "whole numbers"},
      {"one byte left over", one("F32", "[2]", "[0,8]", 9), "left over"},
      {"a zip archive behind the data", one("F32", "[2]", "[0,8]", 8) + "PK\3\4 more", "left over"},
      {"bytes without any tensor", file_of("{}", 5), "left over"},
  };
}

TEST(SafetensorsBad, EveryHeaderIsRefusedNamingFileAndRule) {
  const test::TempFolder folder;
  const auto cases = bad_cases();
  EXPECT_GE(cases.size(), 60u);
  int number = 0;
  for (const BadCase& bad : cases) {
    SCOPED_TRACE(bad.what);
    const std::string name = "bad" + std::to_string(number++) + ".safetensors";
    test::write_file(folder / name, bad.bytes);
    test::expect_error_with([&] { SafetensorsFile::open(folder / name); }, {name, bad.rule});
    test::expect_error_with(
        [&] { SafetensorsFile::parse(std::as_bytes(std::span(bad.bytes)), "memory"); },
        {"memory", bad.rule});
  }
}

TEST(SafetensorsBad, TensorErrorsNameTheTensor) {
  const std::string bytes = one("F32", "[3]", "[0,8]", 8);
  test::expect_error_with([&] { SafetensorsFile::parse(std::as_bytes(std::span(bytes)), "x"); },
                          {"tensor 'w'"});
}

TEST(SafetensorsBad, HostileNamesStayHarmlessInMessages) {
  const std::string name(100000, 'n');
  const std::string bytes = file_of("{\"a\\u001b[31m\\n" + name + "\":1}", 0);
  try {
    SafetensorsFile::parse(std::as_bytes(std::span(bytes)), "x");
    FAIL();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_LT(message.size(), 600u);
    EXPECT_EQ(message.find('\x1b'), std::string::npos);
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

struct GoodCase {
  const char* what;
  std::string bytes;
  std::size_t tensors;
};

TEST(SafetensorsBad, LegalOdditiesAreAccepted) {
  const std::vector<GoodCase> cases{
      {"no tensors", file_of("{}", 0), 0},
      {"padded with spaces", file_of("{}      ", 0), 0},
      {"leading and trailing white space", file_of(" \n{}\t\r\n", 0), 0},
      {"scalar", one("F32", "[]", "[0,4]", 4), 1},
      {"empty tensor", one("F32", "[0]", "[0,0]", 0), 1},
      {"empty tensor with huge other sides", one("U8", "[0,4611686018427387904]", "[0,0]", 0), 1},
      {"rank 8", one("U8", "[1,1,1,1,1,1,1,2]", "[0,2]", 2), 1},
      {"4-bit pair", one("F4", "[2]", "[0,1]", 1), 1},
      {"four 6-bit values", one("F6_E3M2", "[4]", "[0,3]", 3), 1},
      {"complex", one("C64", "[2]", "[0,16]", 16), 1},
      {"unknown field",
       file_of(R"({"w":{"dtype":"U8","note":[{"a":[1]}],"shape":[1],)"
               R"("data_offsets":[0,1],"more":null}})",
               1),
       1},
      {"tensors listed out of order",
       file_of(R"({"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]},)"
               R"("a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})",
               6),
       2},
      {"several empty tensors at one place",
       file_of(R"({"b":{"dtype":"U8","shape":[0],"data_offsets":[2,2]},)"
               R"("c":{"dtype":"U8","shape":[0],"data_offsets":[2,2]},)"
               R"("a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})",
               2),
       3},
      {"metadata", file_of(R"({"__metadata__":{"a":"1","ü":"ä"}})", 0), 0},
      {"name with escapes",
       file_of(R"({"a\u00e9\n":{"dtype":"U8","shape":[],"data_offsets":[0,1]}})", 1), 1},
      {"empty name", file_of(R"({"":{"dtype":"U8","shape":[],"data_offsets":[0,1]}})", 1), 1},
  };
  for (const GoodCase& good : cases) {
    SCOPED_TRACE(good.what);
    EXPECT_NO_THROW({
      const auto file = SafetensorsFile::parse(std::as_bytes(std::span(good.bytes)), "memory");
      EXPECT_EQ(file.tensors().size(), good.tensors);
    });
  }
}

std::string from_base64(const std::string& text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (char c : text) {
    const std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t value = digits.find(c);
    if (value == std::string_view::npos) {
      break;
    }
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    if ((count += 6) >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> count & 0xff);
    }
  }
  return bytes;
}

// Where this reader is stricter than the reference, on purpose: duplicate names (the format forbids
// them, the reference keeps the last), a list instead of an object, null metadata, and
// dimensions above 2^63-1 beside a zero.
bool intended_strictness(const std::string& message) {
  for (const char* rule : {"appears twice", "must be an object", "2^63-1"}) {
    if (message.find(rule) != std::string::npos) {
      return true;
    }
  }
  return false;
}

struct Verdicts {
  int both = 0, neither = 0, stricter = 0;
};

/// Compares with the verdicts of a file of make_safetensors_cases.py.
Verdicts compare_with_reference(const nlohmann::json& cases) {
  Verdicts verdicts;
  for (const auto& item : cases) {
    const std::string bytes = from_base64(item["bytes"].get<std::string>());
    SCOPED_TRACE(item["what"].get<std::string>() + ": " + bytes.substr(0, 300));
    std::string message;
    try {
      SafetensorsFile::parse(std::as_bytes(std::span(bytes)), "case");
    } catch (const Error& error) {
      message = error.what();
    }
    if (item["accepted"].get<bool>()) {
      const bool agreed = message.empty();
      EXPECT_TRUE(agreed || intended_strictness(message)) << message;
      ++(agreed ? verdicts.both : verdicts.stricter);
    } else {
      EXPECT_FALSE(message.empty()) << "the reference refuses this file";
      ++verdicts.neither;
    }
  }
  return verdicts;
}

TEST(SafetensorsBad, AgreesWithTheReferenceReader) {
  const auto cases =
      read_json(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/safetensors_cases.json");
  ASSERT_GE(cases.size(), 200u);
  const Verdicts verdicts = compare_with_reference(cases);
  EXPECT_GT(verdicts.both, 50);
  EXPECT_GT(verdicts.neither, 80);
  EXPECT_LT(verdicts.stricter, 30);
}

// Needs python3 with the package safetensors.
TEST(SafetensorsBad, NightlyAgreesWithTheReferenceReaderOnTwentyThousand) {
  Report report("8 safetensors beside the reference reader");
  const test::TempFolder folder;
  const std::filesystem::path file = folder / "cases.json";
  const long count = count_of("MANTISSA_REFERENCE_CASES", 10000);
  const std::string command = "python3 " MANTISSA_TEST_DATA "/golden/make_safetensors_cases.py " +
                              file.string() + " " + std::to_string(count);
  if (std::system("python3 -c 'import safetensors'") != 0) {
    GTEST_SKIP() << "python3 has no package safetensors";
  }
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream in(file);
  const Verdicts verdicts = compare_with_reference(nlohmann::json::parse(in));
  report.count = verdicts.both + verdicts.neither + verdicts.stricter;
  EXPECT_EQ(report.count, 2 * count);
  report.notes = std::to_string(verdicts.both) + " accepted by both, " +
                 std::to_string(verdicts.neither) + " by neither, " +
                 std::to_string(verdicts.stricter) + " refused by a stricter rule";
}

}  // namespace
}  // namespace mantissa
