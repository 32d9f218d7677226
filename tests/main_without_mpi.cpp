// The main of test suites that start mpirun themselves: a process that has initialised MPI leaves traces in
// its environment which keep an mpirun below it from starting.
#include <boost/test/unit_test.hpp>

int main(int argc, char** argv) {
  return boost::unit_test::unit_test_main([] { return true; }, argc, argv);
}
