#include "engine/tools/tool_commands.h"

#include "engine/core/shell_words.h"
#include "engine/preset/names.h"

namespace mantissa {

std::string resize_command(const ToolRequest& o, std::string_view file, OutputFormat format,
                           std::int64_t rank) {
  std::string command = shell_command({"mantissa", "resize", file, "--base", o.base, "--rank",
                                       std::to_string(rank), "--format", enum_name(format)});
  const auto add = [&](std::string_view option, std::string_view value) {
    if (!value.empty()) {
      command += " " + shell_command({option, value});
    }
  };
  add("--dtype", o.dtype);
  add("--dora-axis", o.axis);
  add("--out", o.out);
  return command;
}

std::string convert_command(const ToolRequest& o, std::string_view reader) {
  return shell_command({"mantissa", "convert", o.file, "--base", o.base, "--for", reader, "--out",
                        "FILE.safetensors"});
}

}  // namespace mantissa
