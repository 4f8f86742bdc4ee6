// The `mantissa` program.

#include "engine/cli/cli.h"

int main(int argc, char** argv) {
  return mantissa::run_cli(argc, argv);
}
