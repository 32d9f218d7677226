#include "app/periodic_domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/ball.hpp"
#include "model/model_input.hpp"

namespace percussion {

namespace {

/// Smallest period in radii of the largest body: two bodies of it and a margin on both sides.
constexpr double least_radii = 4.1;

double largest_radius(const System& system) {
  double r = 0;
  for (std::int32_t i = 0; i < system.nodes.owned(); ++i)
    if (is_detectable(system.nodes[i])) r = std::max(r, system.nodes[i].radius);
  MPI_Allreduce(MPI_IN_PLACE, &r, 1, MPI_DOUBLE, MPI_MAX, system.comm());
  return r;
}

/// A wall must look the same from all images of a body, at all times.
class WallCheck {
 public:
  WallCheck(const PeriodicBox& box, double margin) : box_(box), margin_(margin) {}

  void operator()(const Parameters& wall) const {
    const std::string& type = wall.type();
    for (int k = 0; k < 3; ++k) {
      if (!box_.is_periodic(k)) continue;
      if (type == "plane") check_plane(wall, k);
      if (type == "box") check_box(wall, k);
      if (type == "drum") check_drum(wall, k);
      if (type == "hopper")
        wall.fail("type", "a hopper has no place in a periodic box", "plane, box, drum without ends, mesh", "leave out domain.periodic or the hopper");
      check_motion(wall, k);
    }
  }

 private:
  static char letter(int k) { return "xyz"[k]; }
  [[noreturn]] static void fail(const Parameters& wall, const char* key, int k, const std::string& problem, const std::string& fix) {
    wall.fail(key, fmt::format("{}, but {} is a periodic direction", problem, letter(k)), "walls that repeat themselves with the domain", fix);
  }

  void check_plane(const Parameters& wall, int k) const {
    if (std::abs(unit_vector_of(wall, "normal")[k]) > 1e-12)
      fail(wall, "normal", k, "the plane bounds that direction", fmt::format("a normal with no {} component, or leave it out of domain.periodic", letter(k)));
  }
  void check_box(const Parameters& wall, int k) const {
    static constexpr const char* sides[3][2] = {{"left", "right"}, {"front", "back"}, {"bottom", "top"}};
    const auto& open = wall.texts("open");
    const bool planar = wall.reals("lower").size() == 2;
    for (const char* side : sides[planar && k == 1 ? 2 : k])
      if (std::find(open.begin(), open.end(), side) == open.end())
        fail(wall, "open", k, fmt::format("the side `{}` bounds that direction", side), fmt::format("add {} to open", side));
  }
  void check_drum(const Parameters& wall, int k) const {
    const Vec3 axis = unit_vector_of(wall, "axis");
    if (std::abs(std::abs(axis[k]) - 1) > 1e-12) fail(wall, "axis", k, "the drum bounds that direction", "an axis along the periodic direction");
    if (wall.boolean("ends")) fail(wall, "ends", k, "the drum has ends", "ends: false");
    const double a = vector_of(wall, "point")[k], b = a + axis[k] * wall.real("length");
    if (std::min(a, b) > box_.lower[k] - margin_ || std::max(a, b) < box_.lower[k] + box_.length[k] + margin_)
      fail(wall, "length", k, "the drum ends at the domain", fmt::format("let it reach {} m beyond the domain on both sides", margin_));
  }
  void check_motion(const Parameters& wall, int k) const {
    const TimeFunction angle = time_function_of(wall, "rotation");
    if (angle.is_constant() && angle(0.) == 0) return;
    if (std::abs(std::abs(unit_vector_of(wall, "rotation_axis")[k]) - 1) > 1e-12)
      fail(wall, "rotation", k, "the wall turns out of that direction", "a rotation_axis along the periodic direction");
  }

  const PeriodicBox& box_;
  double margin_;
};

}  // namespace

PeriodicBox periodic_box(const Parameters& input) {
  PeriodicBox box;
  if (!input.has("domain")) return box;
  const Parameters& domain = input.section("domain");
  const auto &lower = domain.reals("lower"), &upper = domain.reals("upper");
  for (const std::string& direction : domain.texts("periodic")) {
    const int k = direction[0] - 'x';
    if (std::cmp_greater_equal(k, lower.size())) domain.fail("periodic", "a planar domain has no z", "x, y", "leave out z, or give lower and upper with three numbers");
    if (box.is_periodic(k)) domain.fail("periodic", fmt::format("{} is there twice", direction), "x, y, z, each once", "leave out one of them");
    box.set(k, lower[k], upper[k]);
  }
  return box;
}

void check_periodic(const System& system, const Parameters& input, double largest) {
  const PeriodicBox& box = system.periodic;
  if (!box.any()) return;
  const double r = std::max(largest_radius(system), largest);
  all_or_none(system.comm(), [&] {
    const Parameters& domain = input.section("domain");
    if (box.shortest() < least_radii * r)
      domain.fail("periodic", fmt::format("a period of {} m is too short for a body of radius {} m, which could touch another one through two sides", box.shortest(), r),
                  fmt::format("periods of at least {} m", least_radii * r), "enlarge the domain or leave out the direction");
    if (!input.sections("contributions").empty())
      domain.fail("periodic", "contributions (forces, joints, declared contacts) do not know about images", "no section contributions", "leave out domain.periodic or the contributions");
    if (!input.sections("chains").empty())
      domain.fail("periodic", "chains do not know about images", "no section chains", "leave out domain.periodic or the chains");
    const WallCheck check(box, 2 * r);
    for (const Parameters& wall : input.sections("walls")) check(wall);
  });
}

}  // namespace percussion
