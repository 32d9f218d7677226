// A force element: la = -c (g - g_0) - d g_dot on each row of a PositionFunction, h = W la.
//
// Derivatives follow from those of g:  h_q = d(W la)/dq|la + W la_q,  h_u = -d W W^T.  Potential 1/2 c |g - g_0|^2.
#pragma once
#include <memory>
#include <utility>

#include "model/auto_function.hpp"
#include "model/contribution.hpp"

namespace percussion {

struct LinearLaw {
  double c = 0, d = 0, g_0 = 0;
};

class LinearLawForce final : public Force {
 public:
  LinearLawForce(std::unique_ptr<PositionFunction> g, LinearLaw law, const std::vector<NodeRef>& nodes)
      : g_(std::move(g)), law_(law), b_(nodes) {}

  void h(const LocalState& s, VecRef out) const override {
    Block W(b_.nu, g_->rows());
    g_->W(s, W);
    out.noalias() = W * la(s);
  }

  void h_q(const LocalState& s, MatRef out) const override {
    const int m = g_->rows();
    Block W(b_.nu, m), g_q(m, b_.nq), g_dot_q(m, b_.nq);
    g_->W(s, W);
    g_->g_q(s, g_q);
    g_->g_dot_q(s, g_dot_q);
    g_->Wla_q(s, la(s), out);
    out.noalias() -= W * (law_.c * g_q + law_.d * g_dot_q);
  }

  void h_u(const LocalState& s, MatRef out) const override {
    Block W(b_.nu, g_->rows());
    g_->W(s, W);
    out.noalias() = -law_.d * (W * W.transpose());
  }

  double potential(const LocalState& s) const override {
    Column g(g_->rows());
    g_->g(s, g);
    return 0.5 * law_.c * (g.array() - law_.g_0).square().sum();
  }

 private:
  // Dynamic size in fixed storage: no allocation.
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, detail::max_nq, detail::max_nq>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, detail::max_nq, 1>;

  Column la(const LocalState& s) const {
    Column g(g_->rows()), g_dot(g_->rows());
    g_->g(s, g);
    g_->g_dot(s, g_dot);
    return -law_.c * (g.array() - law_.g_0).matrix() - law_.d * g_dot;
  }

  std::unique_ptr<PositionFunction> g_;
  LinearLaw law_;
  detail::Blocks b_;
};

}  // namespace percussion
