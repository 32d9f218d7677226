// Walls and shapes: from validated input to planes and closed-form geometry.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>
#include <numbers>

#include "base/error.hpp"
#include "base/registry.hpp"
#include "contact/shape.hpp"
#include "contact/wall.hpp"
#include "math/random.hpp"

using namespace percussion;

namespace {

/// A section with the defaults of its schema, as validation makes it.
Parameters section(const char* catalogue, const char* type) {
  Parameters p(type);
  p.set("type", std::string(type));
  const auto* entry = Catalogue::instance().find(catalogue, type);
  BOOST_REQUIRE(entry != nullptr);
  for (const Field& field : entry->schema.fields())
    if (!std::holds_alternative<std::monostate>(field.fallback_value)) p.set(field.key, field.fallback_value);
  return p;
}

Parameters plane(std::vector<double> point, std::vector<double> normal) {
  Parameters p = section("walls", "plane");
  p.set("point", std::move(point));
  p.set("normal", std::move(normal));
  return p;
}

Parameters box(std::vector<double> lower, std::vector<double> upper, std::vector<std::string> open = {}) {
  Parameters p = section("walls", "box");
  p.set("lower", std::move(lower));
  p.set("upper", std::move(upper));
  p.set("open", std::move(open));
  return p;
}

double height(const Plane& p, const double* x) { return p.n[0] * x[0] + p.n[1] * x[1] + p.n[2] * x[2] - p.offset; }

}  // namespace

BOOST_AUTO_TEST_SUITE(wall)

BOOST_AUTO_TEST_CASE(plane_through_a_point) {
  const Walls walls = make_walls({plane({1, 2, 3}, {0, 3, 4})}, {});
  BOOST_REQUIRE(walls.planes.size() == 1u);
  const Plane& p = walls.planes[0];
  BOOST_TEST(p.n[1] == 0.6, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(p.n[2] == 0.8, boost::test_tools::tolerance(1e-15));
  const double on[3] = {1, 2, 3}, above[3] = {-7, 2 + 6, 3 + 8};
  BOOST_TEST(std::abs(height(p, on)) < 1e-15);
  BOOST_TEST(height(p, above) == 10., boost::test_tools::tolerance(1e-15));
  BOOST_TEST(walls.names[0] == "plane");
}

BOOST_AUTO_TEST_CASE(box_contains_what_is_between_the_corners) {
  const double lower[3] = {-1, 2, 0}, upper[3] = {4, 3, 9};
  const Walls walls = make_walls({box({-1, 2, 0}, {4, 3, 9})}, {});
  BOOST_REQUIRE(walls.planes.size() == 6u);
  int inside_seen = 0;
  for (int i = 0; i < 2000; ++i) {
    const CounterRandom random(1, i);
    const double x[3] = {random.uniform(0, -2, 5), random.uniform(1, 1.5, 3.5), random.uniform(2, -1, 10)};
    bool inside = true, positive = true;
    for (int k = 0; k < 3; ++k) inside &= lower[k] < x[k] && x[k] < upper[k];
    for (const Plane& p : walls.planes) positive &= height(p, x) > 0;
    BOOST_TEST(inside == positive);
    inside_seen += inside;
  }
  BOOST_TEST(inside_seen > 100);
  const std::vector<std::string> names{"box.left", "box.right", "box.front", "box.back", "box.bottom", "box.top"};
  BOOST_TEST(walls.names == names, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(open_sides_and_planar_boxes) {
  const Walls open = make_walls({box({0, 0, 0}, {1, 1, 1}, {"top", "left"})}, {});
  BOOST_TEST(open.names == (std::vector<std::string>{"box.right", "box.front", "box.back", "box.bottom"}),
             boost::test_tools::per_element());
  const Walls planar = make_walls({box({0, 0}, {2, 3}, {"top"})}, {});
  BOOST_TEST(planar.names == (std::vector<std::string>{"box.left", "box.right", "box.bottom"}),
             boost::test_tools::per_element());
  BOOST_TEST(planar.planes[2].n[1] == 1.);  // up is y
}

BOOST_AUTO_TEST_CASE(law_of_a_wall_overrides_the_global_one) {
  Parameters own = plane({0, 0, 0}, {0, 0, 1});
  own.set("mu", 0.7);
  own.set("name", std::string("floor"));
  Parameters namesake = box({0, 0, 0}, {1, 1, 1});
  namesake.set("name", std::string("floor"));
  const Walls walls = make_walls({own, namesake}, {.mu = 0.3, .e_N = 0.5, .e_F = 0.1});
  BOOST_TEST(walls.planes[0].mu == 0.7);
  BOOST_TEST(walls.planes[0].e_N == 0.5);
  BOOST_TEST(walls.planes[1].mu == 0.3);
  BOOST_TEST(walls.planes[6].e_F == 0.1);
  BOOST_TEST(walls.names[0] == "floor");
  BOOST_TEST(walls.names[1] == "floor_2.left");
  BOOST_TEST(walls.wall_of[0] == 0);
  BOOST_TEST(walls.wall_of[6] == 1);
}

BOOST_AUTO_TEST_CASE(only_the_normal_velocity_moves_a_plane) {
  Parameters p = plane({0, 0, 1}, {0, 0, 2});
  p.set("velocity", std::vector<double>{5, 6, -0.5});
  const Walls walls = make_walls({p}, {});
  std::vector<Plane> later;
  planes_at(walls.planes, 4., later);
  BOOST_TEST(later[0].offset == -1.);
  BOOST_TEST(later[0].velocity[0] == 5.);
  planes_at(walls.planes, 0., later);
  BOOST_TEST(later[0].offset == 1.);
}

BOOST_AUTO_TEST_CASE(impossible_walls_are_input_errors) {
  BOOST_CHECK_THROW(make_walls({plane({0, 0, 0}, {0, 0, 0})}, {}), InputError);
  BOOST_CHECK_THROW(make_walls({box({0, 0, 0}, {1, 0, 1})}, {}), InputError);
  BOOST_CHECK_THROW(make_walls({box({0, 0, 0}, {1, 1})}, {}), InputError);
  BOOST_CHECK_THROW(make_walls({box({0, 0}, {1, 1}, {"front"})}, {}), InputError);
  BOOST_CHECK_THROW(make_walls({box({0, 0}, {1, 1}, {"left", "right", "top", "bottom"})}, {}), InputError);
}

BOOST_AUTO_TEST_CASE(sphere_shape_by_quadrature) {
  Parameters p = section("shapes", "sphere");
  p.set("radius", 1.5);
  const Shape shape = make_shape(p);
  BOOST_TEST(shape.radius == 1.5);
  // Discs of thickness dz; midpoint rule of a polynomial, error 1/n^2.
  const int n = 2000;
  double V = 0, I = 0;
  for (int i = 0; i < n; ++i) {
    const double z = -1.5 + 3. * (i + 0.5) / n, rho2 = 1.5 * 1.5 - z * z, dV = std::numbers::pi * rho2 * 3. / n;
    V += dV;
    I += 0.5 * rho2 * dV;
  }
  BOOST_TEST(volume(shape) == V, boost::test_tools::tolerance(1e-6));
  for (const double theta : inertia_per_mass(shape)) BOOST_TEST(theta == I / V, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(area(shape) == 2.25 * std::numbers::pi, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(planar_inertia_per_mass(shape) == 1.125, boost::test_tools::tolerance(1e-15));
}

BOOST_AUTO_TEST_SUITE_END()
