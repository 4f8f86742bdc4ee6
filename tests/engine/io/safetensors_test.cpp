#include "engine/io/safetensors.h"

#include <cstring>
#include <gtest/gtest.h>

#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

std::vector<TensorToWrite> some_tensors(const std::vector<float>& floats,
                                        const std::vector<float16>& halves) {
  std::vector<TensorToWrite> tensors(4);
  tensors[0] = {"z.half", DType::f16, Shape{3}, halves.data(), {}};
  tensors[1] = {"b.weight", DType::f32, Shape{2, 2}, floats.data(), {}};
  tensors[2] = {"a.scalar", DType::f32, Shape{}, floats.data() + 1, {}};
  tensors[3] = {"c.long", DType::i64, Shape{1}, nullptr, [](std::span<std::byte> out) {
                  const std::int64_t value = 77;
                  std::memcpy(out.data(), &value, sizeof value);
                }};
  return tensors;
}

const std::vector<float> kFloats{1, 2, 3, 4};
const std::vector<float16> kHalves{float16(0.5f), float16(-1.0f), float16(2.0f)};
const std::map<std::string, std::string> kMetadata{{"format", "pt"}, {"note", "größe \"x\"\n"}};

TEST(Safetensors, RoundTrip) {
  const test::TempFolder folder;
  const auto tensors = some_tensors(kFloats, kHalves);
  write_safetensors(folder / "t.safetensors", tensors, kMetadata);
  const auto file = SafetensorsFile::open(folder / "t.safetensors");
  EXPECT_EQ(file.metadata(), kMetadata);
  ASSERT_EQ(file.tensors().size(), 4u);
  // Largest element first, then by name.
  EXPECT_EQ(file.tensors()[0].name, "c.long");
  EXPECT_EQ(file.tensors()[1].name, "a.scalar");
  EXPECT_EQ(file.tensors()[2].name, "b.weight");
  EXPECT_EQ(file.tensors()[3].name, "z.half");
  const TensorInfo* weight = file.find("b.weight");
  ASSERT_NE(weight, nullptr);
  EXPECT_EQ(weight->dtype, "F32");
  EXPECT_EQ(weight->type, DType::f32);
  EXPECT_EQ(weight->shape(), (Shape{2, 2}));
  EXPECT_EQ(weight->bytes, 16u);
  EXPECT_EQ(std::memcmp(weight->data, kFloats.data(), 16), 0);
  std::int64_t number = 0;
  std::memcpy(&number, file.find("c.long")->data, 8);
  EXPECT_EQ(number, 77);
  EXPECT_EQ(file.find("nothing"), nullptr);
  EXPECT_EQ(file.data_offset() % 8, 0u);
}

TEST(Safetensors, EqualInputGivesEqualBytesInAnyOrder) {
  auto tensors = some_tensors(kFloats, kHalves);
  const auto first = serialize_safetensors(tensors, kMetadata);
  std::reverse(tensors.begin(), tensors.end());
  EXPECT_EQ(serialize_safetensors(tensors, kMetadata), first);
  const test::TempFolder folder;
  write_safetensors(folder / "t.safetensors", tensors, kMetadata);
  const auto file = SafetensorsFile::open(folder / "t.safetensors");
  EXPECT_TRUE(std::equal(first.begin(), first.end(), file.bytes().begin(), file.bytes().end()));
}

TEST(Safetensors, ReadAndWrittenAgainIsTheSameFile) {
  const auto first = serialize_safetensors(some_tensors(kFloats, kHalves), kMetadata);
  const auto file = SafetensorsFile::parse(first, "memory");
  std::vector<TensorToWrite> again;
  for (const TensorInfo& tensor : file.tensors()) {
    again.push_back({tensor.name, *tensor.type, tensor.shape(), tensor.data, {}});
  }
  EXPECT_EQ(serialize_safetensors(again, file.metadata()), first);
}

TEST(Safetensors, NeverWritesOverAFileThatIsOpen) {
  const test::TempFolder folder;
  const auto tensors = some_tensors(kFloats, kHalves);
  const fs::path path = folder / "t.safetensors";
  write_safetensors(path, tensors);
  {
    const auto open = SafetensorsFile::open(path);
    test::expect_error_with([&] { write_safetensors(path, tensors, kMetadata); },
                            {"t.safetensors", "it is open"});
    EXPECT_TRUE(open.metadata().empty());
  }
  write_safetensors(path, tensors, kMetadata);
  EXPECT_EQ(SafetensorsFile::open(path).metadata(), kMetadata);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1)
      << "a temporary file was left behind";
}

TEST(Safetensors, WriterRefusesBadInput) {
  const test::TempFolder folder;
  auto tensors = some_tensors(kFloats, kHalves);
  const fs::path path = folder / "t.safetensors";
  tensors[0].name = "b.weight";
  test::expect_error_with([&] { write_safetensors(path, tensors); }, {"b.weight", "twice"});
  tensors[0].name = "__metadata__";
  test::expect_error_with([&] { write_safetensors(path, tensors); }, {"__metadata__"});
  tensors[0].name = "bad\xff";
  test::expect_error_with([&] { write_safetensors(path, tensors); }, {"not UTF-8"});
  tensors[0].name = "ok";
  tensors[0].data = nullptr;
  test::expect_error_with([&] { write_safetensors(path, tensors); }, {"'ok' has no data"});
  tensors[0].data = kHalves.data();
  test::expect_error_with(
      [&] {
        write_safetensors(path, tensors, {{"k", "\xff"}});
      },
      {"not UTF-8"});
  test::expect_error_with([&] { write_safetensors(folder / "no/such/t.safetensors", tensors); },
                          {"no/such/t.safetensors"});
  EXPECT_FALSE(fs::exists(path));
}

TEST(Safetensors, OtherFilesAreToldApartByContent) {
  const test::TempFolder folder;
  const struct {
    const char* name;
    std::string bytes;
    const char* text;
  } cases[] = {
      {"a.safetensors", std::string("PK\3\4archive/data.pkl"), "pickle"},
      {"b.safetensors", std::string("\x80\x02}q\x00.", 7), "pickle"},
      {"c.SAFETENSORS", std::string("\x80\x04\x95", 3), "pickle"},
      {"d.ckpt", "whatever", "pickle"},
      {"e.PT", "whatever", "pickle"},
      {"f.Bin", "", "pickle"},
      {"g.pth", "whatever", "pickle"},
      {"h.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
       "git lfs pull"},
      {"i.safetensors", "<!DOCTYPE html><html>", "web page"},
      {"j.safetensors", "\n  <HTML><body>Log in", "web page"},
      {"k.safetensors", std::string("GGUF\3\0\0\0", 8), "GGUF"},
      {"l.safetensors", "hello", "has 5 bytes"},
  };
  for (const auto& c : cases) {
    test::write_file(folder / c.name, c.bytes);
    test::expect_error_with([&] { SafetensorsFile::open(folder / c.name); }, {c.name, c.text});
  }
  const auto good = serialize_safetensors(some_tensors(kFloats, kHalves));
  test::write_file(folder / "m.ckpt",
                   std::string(reinterpret_cast<const char*>(good.data()), good.size()));
  test::expect_error_with([&] { SafetensorsFile::open(folder / "m.ckpt"); }, {"rename"});
  test::expect_error_with([&] { SafetensorsFile::open(folder / "missing.safetensors"); },
                          {"missing.safetensors"});
  test::expect_error_with([&] { SafetensorsFile::open(folder.path()); }, {"not a regular file"});
}

TEST(Safetensors, AHeaderOf640BytesIsNoPickle) {
  // Its length field starts with 0x80 0x02, like a pickle of protocol 2.
  const test::TempFolder folder;
  std::string header = "{}";
  header.resize(640, ' ');
  test::write_file(folder / "t.safetensors", std::string("\x80\x02\0\0\0\0\0\0", 8) + header);
  EXPECT_NO_THROW(SafetensorsFile::open(folder / "t.safetensors"));
}

TEST(Safetensors, RankAboveFiveIsListedButNotUsed) {
  const std::string header = R"({"w":{"dtype":"U8","shape":[1,1,1,1,1,2],"data_offsets":[0,2]}})";
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size());
  bytes += header + "ab";
  const auto file = SafetensorsFile::parse(std::as_bytes(std::span(bytes)), "x");
  EXPECT_EQ(file.tensors()[0].count(), 2);
  test::expect_error_with([&] { file.tensors()[0].shape(); }, {"'w'", "6 dimensions"});
}

TEST(Safetensors, DTypeNamesRoundTrip) {
  for (DType type : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8_e4m3,
                     DType::f8_e5m2, DType::i64, DType::i32, DType::u8}) {
    EXPECT_EQ(dtype_from_safetensors(safetensors_dtype(type)), type);
  }
  EXPECT_FALSE(dtype_from_safetensors("C64"));
  EXPECT_FALSE(dtype_from_safetensors("nonsense"));
}

TEST(Safetensors, UnicodePathsAndSpaces) {
  const test::TempFolder folder;
  const fs::path path = folder / path_from_utf8("größe 日本 👍.safetensors");
  write_safetensors(path, some_tensors(kFloats, kHalves));
  EXPECT_EQ(SafetensorsFile::open(path).tensors().size(), 4u);
}

}  // namespace
}  // namespace mantissa
