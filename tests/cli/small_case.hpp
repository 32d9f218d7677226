// A case with three spheres above a floor that runs in no time, and ways to spoil it line by line.
#pragma once
#include <boost/test/unit_test.hpp>
#include <sstream>
#include <string>

namespace cli_test {

/// 5 steps; frames at 0, 0.02, 0.04 and perhaps the end.
inline const std::string small_case = R"(case: {name: tiny, title: Three spheres fall on a floor}
time:
  end: 0.05
  step: 0.01
domain: {lower: [-1, -1, 0], upper: [1, 1, 2]}
gravity: [0, 0, -9.81]
contact: {friction: 0.3}
nodes:
  - type: rigid_body
    name: a
    mass: 1
    position: [0, 0, 0.1]
    shape: {type: sphere, radius: 0.1}
  - type: rigid_body
    name: b
    mass: 2
    position: [0.5, 0, 0.3]
    shape: {type: sphere, radius: 0.1}
  - type: rigid_body
    name: c
    mass: 3
    position: [-0.5, 0, 0.5]
    shape: {type: sphere, radius: 0.1}
walls:
  - {type: plane, point: [0, 0, 0], normal: [0, 0, 1]}
output: {interval: 0.02, series: csv}
)";

/// Five spheres on top of each other that touch: one sweep cannot carry the weight of the highest to the floor.
inline std::string column() {
  std::string text = R"(case: {name: column}
time: {end: 0.05, step: 0.01}
gravity: [0, 0, -9.81]
nodes:
)";
  for (int i = 0; i < 5; ++i)
    text += "  - {type: rigid_body, name: n" + std::to_string(i) + ", mass: 1, position: [0, 0, " + std::to_string(1 + 2 * i) +
            "], shape: {type: sphere, radius: 1}}\n";
  return text + "walls:\n  - {type: plane, point: [0, 0, 0], normal: [0, 0, 1]}\n";
}

/// The small case with `from`, which it contains, replaced by `to`; the part after `after` is searched.
inline std::string with(const std::string& from, const std::string& to, const std::string& after = "") {
  std::string text = small_case;
  const std::size_t start = text.find(after), at = text.find(from, start == std::string::npos ? 0 : start);
  BOOST_REQUIRE_MESSAGE(start != std::string::npos && at != std::string::npos, "`" << from << "` is not in the small case");
  return text.replace(at, from.size(), to);
}

/// Line of the first occurrence, counted from 1 as editors do.
inline int line_of(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, "`" << part << "` is not in:\n" << text);
  int line = 1;
  for (std::size_t i = 0; i < at; ++i) line += text[i] == '\n';
  return line;
}

}  // namespace cli_test
