// Friction and restitution of a wall: keys of its input section, the global law where they are absent.
#pragma once
#include "base/schema.hpp"
#include "contact/surface_law.hpp"

namespace percussion {

inline void add_law_keys(Schema& s) {
  s.real("mu").at_least(0).doc("friction coefficient; that of the global contact law if absent");
  s.real("e_N").between(0, 1).doc("normal restitution; that of the global contact law if absent");
  s.real("e_F").between(0, 1).doc("tangential restitution; that of the global contact law if absent");
  s.real("rolling").at_least(0).unit("m").doc("coefficient of rolling friction; that of the global contact law if absent");
  s.real("pivoting").at_least(0).unit("m").doc("coefficient of pivoting friction; that of the global contact law if absent");
}

inline SurfaceLaw wall_law(const Parameters& p, const SurfaceLaw& law) {
  const auto own = [&](const char* key, double global) { return p.has(key) ? p.real(key) : global; };
  return {own("mu", law.mu), own("e_N", law.e_N), own("e_F", law.e_F), own("rolling", law.rolling), own("pivoting", law.pivoting)};
}

}  // namespace percussion
