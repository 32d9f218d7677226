// Prescribed rigid motion of a wall: x(t) = centre + R(axis, angle(t)) (X - centre) + displacement(t), with X its points in
// the input. The velocity of the point at x is v + omega x x.
#pragma once
#include "base/schema.hpp"
#include "math/time_function.hpp"
#include "math/types.hpp"

namespace percussion {

/// Place and velocity at one time: x = A X + r.
struct WallPose {
  Mat3 A = Mat3::Identity();
  Vec3 r = Vec3::Zero();
  Vec3 v = Vec3::Zero(), omega = Vec3::Zero();

  Vec3 to_wall(const Vec3& x) const { return A.transpose() * (x - r); }
  Vec3 velocity_at(const Vec3& x) const { return v + omega.cross(x); }
};

class WallMotion {
 public:
  WallMotion() = default;
  explicit WallMotion(const Parameters& p);
  /// Adds the keys of a motion to the schema of a wall.
  static void add_keys(Schema& schema);

  bool is_fixed() const { return fixed_; }
  bool is_uniform() const { return uniform_; }  ///< constant velocity, no rotation
  WallPose at(double t) const;
  const Vec3& centre() const { return centre_; }  ///< of rotation, at t = 0 without displacement

 private:
  Vec3 velocity_ = Vec3::Zero(), axis_ = Vec3::UnitZ(), centre_ = Vec3::Zero();
  TimeFunction displacement_[3], angle_;
  bool fixed_ = true, uniform_ = true;
};

}  // namespace percussion
