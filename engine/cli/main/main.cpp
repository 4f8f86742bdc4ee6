// The `mantissa` program.

#include "engine/cli/cli.h"
#include "engine/core/system.h"

int main(int argc, char** argv) {
  mantissa::restrict_library_search();
  return mantissa::run_cli(argc, argv);
}
