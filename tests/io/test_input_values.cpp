// What a correct input becomes: values, defaults, places.
#include <fstream>

#include "input_fixture.hpp"
#include "scratch_folder.hpp"

using namespace percussion;
using namespace input_test;

BOOST_AUTO_TEST_SUITE(input_values)

BOOST_AUTO_TEST_CASE(every_kind_is_read) {
  const Parameters p = read(R"(time:
  start: -1
  end: +2.5e0
  step: .5
limits: {lower: [0, 0], upper: [1, 2]}
scheme: {type: radau, stages: 3}
bodies:
  - type: sphere
    mass: 2
    position: [1, -2, 3e-1]
  - {type: box, size: [1, 1, 1]}
probes:
  - name: tip
gravity: [0, -9.81]
tags: [a, "7", b c]
load: 2*sin(pi*t)
set: rectangle
title: 12
seed: 7
verbose: True
)");
  BOOST_TEST(p.section("time").real("start") == -1.0);
  BOOST_TEST(p.section("time").real("end") == 2.5);
  BOOST_TEST(p.section("limits").reals("upper")[1] == 2.0);
  BOOST_TEST(p.section("scheme").type() == "radau");
  BOOST_TEST(p.section("scheme").integer("stages") == 3);
  const auto& bodies = p.sections("bodies");
  BOOST_REQUIRE(bodies.size() == 2u);
  BOOST_TEST(bodies[0].real("mass") == 2.0);
  BOOST_TEST(bodies[0].real("radius") == 0.5);  // default of the type
  BOOST_TEST(bodies[0].reals("position")[2] == 0.3);
  BOOST_TEST(bodies[1].path() == "bodies[1]");
  BOOST_TEST(p.sections("probes")[0].integer("every") == 10);
  BOOST_TEST(p.reals("gravity").size() == 2u);
  BOOST_TEST(p.texts("tags")[1] == "7");
  BOOST_TEST(p.text("load") == "2*sin(pi*t)");
  BOOST_TEST(p.text("title") == "12");
  BOOST_TEST(p.boolean("verbose"));
}

BOOST_AUTO_TEST_CASE(defaults_fill_what_is_absent) {
  const Parameters p = read(good);
  BOOST_TEST(p.section("scheme").type() == "moreau");
  BOOST_TEST(p.section("scheme").real("theta") == 0.5);
  BOOST_TEST(p.sections("bodies").empty());
  BOOST_TEST(p.sections("probes").empty());
  BOOST_TEST(p.reals("gravity").size() == 3u);
  BOOST_TEST(p.integer("seed") == 1);
  BOOST_TEST(!p.has("limits"));  // it has required keys, so it cannot come from nothing
  BOOST_TEST(!p.has("load"));
  BOOST_TEST(p.origin("seed").file == "default");
}

BOOST_AUTO_TEST_CASE(values_know_their_line) {
  const Parameters p = read("time:\n  end: 1\n  step: 0.1\nbodies:\n\n  - type: sphere\n    mass: 1\n    position:\n      - 0\n      - 0\n      - 0\n",
                            {"bodies[0].mass=3"});
  const Parameters& body = p.sections("bodies")[0];
  BOOST_TEST(p.origin("time").line == 1);
  BOOST_TEST(p.section("time").origin("step").line == 3);
  BOOST_TEST(body.origin().line == 6);
  BOOST_TEST(body.origin("position").line == 8);  // the key, not the first dash
  BOOST_TEST(body.origin("mass").file == "command line");
}

BOOST_AUTO_TEST_CASE(a_function_is_number_expression_or_table) {
  BOOST_TEST(read(good + "load: 2.50").text("load") == "2.5");
  BOOST_TEST(read(good + "load: {table: [[0, 0], [1, 2.5]]}").text("load") == "table linear: 0 0, 1 2.5");
  BOOST_TEST(read(good + "load: {interpolation: cubic, table: [[0, 0], [1, 2.5], [2, 0.1]]}").text("load") ==
             "table cubic: 0 0, 1 2.5, 2 0.1");
}

BOOST_AUTO_TEST_CASE(files_are_relative_to_the_input) {
  const ScratchFolder folder;
  const auto input = folder / "case.yaml", mesh = folder / "body.msh";
  std::ofstream(input) << good << "mesh: body.msh\n";
  std::ofstream(mesh) << "mesh";
  MPI_Barrier(MPI_COMM_WORLD);
  BOOST_TEST(read_input(input, {}, schema()).text("mesh") == mesh.string());
  BOOST_TEST(read_input(input, {"mesh=" + mesh.string()}, schema()).text("mesh") == mesh.string());
}

BOOST_AUTO_TEST_SUITE_END()
