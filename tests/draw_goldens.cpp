// draw_goldens SOURCE TARGET: copies tests/golden for the tests, its packed models whole.
#include <exception>
#include <iostream>

#include "tests/drawn/drawn.h"

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: draw_goldens SOURCE TARGET\n";
    return 2;
  }
  try {
    mantissa::test::copy_whole(arguments[1], arguments[2]);
  } catch (const std::exception& error) {
    std::cerr << "draw_goldens: " << error.what() << "\n";
    return 1;
  }
}
