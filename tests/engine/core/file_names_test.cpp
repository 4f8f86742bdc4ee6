#include "engine/core/file_names.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

TEST(FileNames, DevicesOfWindowsAreKnownWithAnExtensionAndInAnyCase) {
  for (const char* name : {"nul", "NUL.safetensors", "con.a.b", "Com1", "lpt9.txt", "CONIN$"}) {
    EXPECT_TRUE(is_device_name(name)) << name;
  }
  for (const char* name : {"null", "com", "com10", "lora", "a.nul", ""}) {
    EXPECT_FALSE(is_device_name(name)) << name;
  }
}

TEST(FileNames, WhatWindowsRefusesOrChangesIsToldWithItsReason) {
  EXPECT_NE(windows_name_problem("lora:v2.safetensors").text().find("none of :"),
            std::string::npos);
  EXPECT_FALSE(windows_name_problem("a\tb").empty());
  EXPECT_EQ(windows_name_problem("aux.json").text(), "aux.json is a device on Windows");
  EXPECT_FALSE(windows_name_problem("flux merged.").empty());
  EXPECT_FALSE(windows_name_problem("flux ").empty());
  EXPECT_TRUE(windows_name_problem("flux merged 赤.safetensors").empty());
}

}  // namespace
}  // namespace mantissa
