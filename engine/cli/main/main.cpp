// The `mantissa` program.

#include "engine/cli/cli.h"
#include "engine/core/system.h"

int main(int argc, char** argv) {
  mantissa::open_standard_streams();
  mantissa::restrict_library_search();
  return mantissa::run_cli(argc, argv);
}
