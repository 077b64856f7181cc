#include "testgen/testgen.hpp"

int main(int argc, char** argv) { return espalier::run_command_line(argc, argv); }
