#include "app/case_schema.hpp"

#include <fmt/format.h>

#include <vector>

#include "app/body_fields.hpp"
#include "app/chain.hpp"
#include "app/checkpoint_plan.hpp"
#include "app/contact_frame.hpp"
#include "app/dumping_solver.hpp"
#include "app/insertion.hpp"
#include "app/population.hpp"

namespace percussion {

namespace {

Schema about() {
  Schema s;
  s.text("name").required().doc("short name, used in file names");
  s.text("title").fallback("").doc("one line about the case, shown by `percussion list cases`");
  return s;
}

Schema time() {
  Schema s;
  s.real("start").fallback(0).unit("s").doc("initial time");
  s.real("end").required().unit("s").doc("final time, after the start");
  s.real("step").required().positive().unit("s").doc("step size; the first one if the integrator adapts it");
  return s;
}

Schema domain() {
  Schema s;
  s.reals("lower", {2, 3}).required().unit("m").doc("lower corner; 2 entries for planar cases");
  s.reals("upper", {2, 3}).required().unit("m").doc("upper corner");
  s.texts("periodic").one_of({"x", "y", "z"}).fallback(std::vector<std::string>{}).doc(
      "directions in which the domain repeats itself: what leaves at one side comes in at the other; at least four radii of the largest body wide");
  return s;
}

Schema contact() {
  Schema s;
  s.real("friction").fallback(0).at_least(0).doc("friction coefficient mu");
  s.real("restitution").fallback(0).between(0, 1).doc("normal restitution e_N");
  s.real("tangential_restitution").fallback(0).between(0, 1).doc("tangential restitution e_F");
  s.real("rolling_friction").fallback(0).at_least(0).unit("m").doc("coefficient of rolling friction: the moment about a tangent is at most this length times the normal force");
  s.real("pivoting_friction").fallback(0).at_least(0).unit("m").doc("coefficient of pivoting friction: the same for the moment about the normal");
  return s;
}

Schema partition() {
  Schema s;
  s.text("method").one_of({"parmetis", "geometric"}).fallback("parmetis").doc("how bodies are distributed over ranks");
  s.real("threshold").fallback(1.2).above(1).doc("redistribute when the largest load exceeds the average by this factor");
  s.integer("check_every").fallback(100).at_least(1).unit("steps").doc("how often the load is looked at");
  s.text("weights").one_of({"counted", "measured"}).fallback("counted").doc(
      "work of a rank: its bodies and candidates, the same in every run, or the time it took, which knows slow cores but makes runs differ in the last digits");
  return s;
}

Schema output() {
  Schema s;
  s.text("folder").doc("where results go, relative to the current folder; without it results/<case name>");
  s.real("interval").positive().unit("s").doc("simulated time between VTK frames; without it no frames");
  s.integer("series_interval").fallback(1).at_least(1).unit("steps").doc("steps between two rows of the time series");
  s.real("contact_interval").positive().unit("s").doc("simulated time between frames of contacts and chains; without it that of the bodies");
  s.boolean("bodies").fallback(true).doc("write bodies to the frames: bodies.pvd");
  s.texts("body_fields").one_of(body_field_names()).fallback(body_field_names()).doc("fields of the bodies, whose place is always written");
  s.boolean("surfaces").fallback(true).doc("write the surfaces of bodies that are no spheres to the frames, with the fields of the bodies: surfaces.pvd");
  s.real("surface_interval").positive().unit("s").doc("simulated time between frames of surfaces; without it that of the bodies");
  s.integer("surface_segments").fallback(16).at_least(4).doc("polygons around the round parts of surfaces; an odd number becomes the next even one");
  s.boolean("contacts").fallback(true).doc("write contacts and their percussions to the frames: contacts.pvd");
  s.texts("contact_fields").one_of(contact_field_names()).fallback(default_contact_fields()).doc("fields of the contacts; slip is 1, stick 0, -1 without normal percussion");
  s.boolean("chains").fallback(false).doc("write force chains to the frames, lines between the centres of bodies that press on each other: chains.pvd");
  s.boolean("walls").fallback(true).doc("write walls and the force on them to the frames: walls.pvd");
  s.text("precision").one_of({"single", "double"}).fallback("single").doc("of the frames; the time series has all digits");
  s.texts("observe").fallback(std::vector<std::string>{}).doc("nodes whose coordinates and velocities become columns of the time series");
  s.boolean("wall_forces").fallback(false).doc("add the force and moment of the bodies on every plane, drum, hopper and mesh to the time series; costs a pass over the contacts");
  s.text("series").one_of({"hdf5", "csv", "none"}).fallback("hdf5").doc("format of the time series");
  s.section("dump_problems", dump_schema()).doc("contact problems of steps as files of their own: {when: not_converged} or {every: N}");
  s.boolean("overwrite").fallback(false).doc("replace results that are already in the folder");
  return s;
}

}  // namespace

Schema case_schema() {
  Schema s;
  s.section("case", about()).required().doc("what is simulated");
  s.section("time", time()).required().doc("time interval and step");
  s.choice("integrator", "integrators").fallback("moreau").doc("time integrator");
  s.choice("solver", "solvers").fallback("gauss_seidel").doc("solver of the contact problem of a step");
  s.section("domain", domain()).doc("box in which all bodies must start; periodic if it says so");
  s.reals("gravity", {2, 3}).fallback({0., 0., 0.}).unit("m/s^2").doc("acceleration of all bodies");
  s.choices("nodes", "nodes").doc("single bodies, particles and other owners of degrees of freedom");
  s.choices("fills", "fills").doc("generated bodies");
  s.sections("insertions", insertion_schema()).doc("regions where bodies enter during the run, at places that are free");
  s.sections("outlets", outlet_schema()).doc("planes behind which bodies of fills and insertions leave the run");
  s.sections("chains", chain_schema()).doc("generated rows of bar elements: elastic bars");
  s.choices("walls", "walls").doc("fixed or moving obstacles without degrees of freedom");
  s.choices("contributions", "contributions").doc("forces, joints, elements and declared contacts");
  s.section("contact", contact()).doc("law of the contacts found by detection");
  s.section("partition", partition()).doc("distribution over ranks");
  s.section("output", output()).doc("what is written, where and how often");
  s.section("checkpoint", checkpoint_schema()).doc("when the state is written for a restart; without intervals only when a signal or the wall time ends the run");
  s.integer("random_seed").fallback(1).at_least(0).doc("seed of all random numbers; the same seed gives the same case on any number of ranks");
  return s;
}

void check_case_rules(const Parameters& input) {
  std::vector<Complaint> complaints;
  const auto complain = [&](const Parameters& section, const char* key, std::string problem, std::string allowed, std::string fix) {
    const std::string path = section.path().empty() ? key : section.path() + "." + key;
    complaints.push_back({section.origin(key), path, section.shown(key), std::move(problem), std::move(allowed), std::move(fix)});
  };

  const Parameters& time = input.section("time");
  if (time.real("end") <= time.real("start"))
    complain(time, "end", "not after the start", fmt::format("a number > {} in s", time.real("start")), "raise time.end or lower time.start");

  const std::string& name = input.section("case").text("name");
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos)
    complain(input.section("case"), "name", "cannot be used in file names", "a text without /", "use letters, digits, - and _");

  if (input.has("domain")) {
    const Parameters& domain = input.section("domain");
    const auto &lower = domain.reals("lower"), &upper = domain.reals("upper");
    if (lower.size() != upper.size()) {
      complain(domain, "upper", "has not the length of domain.lower", fmt::format("{} numbers", lower.size()), "give both corners with the same number of entries");
    } else {
      for (std::size_t i = 0; i < lower.size(); ++i)
        if (lower[i] >= upper[i]) {
          complain(domain, "upper", fmt::format("entry {} is not above domain.lower[{}]", i, i), fmt::format("a number > {} in m", lower[i]), "exchange or correct the corners");
          break;
        }
    }
  }
  if (!complaints.empty()) throw InputError::of(complaints);
  dump_plan(input.section("output").section("dump_problems"));
}

std::filesystem::path output_folder(const Parameters& input) {
  const Parameters& output = input.section("output");
  if (output.has("folder") && !output.text("folder").empty()) return output.text("folder");
  return std::filesystem::path("results") / input.section("case").text("name");
}

}  // namespace percussion
