// The results folder: results are never lost by accident, and all ranks agree on what happened.
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "base/error.hpp"
#include "io/results_folder.hpp"
#include "io/scratch_folder.hpp"

using namespace percussion;

namespace {

// Made by rank 0; all ranks go on when it is there.
void touch(const std::filesystem::path& path) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "content";
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

bool there(const std::filesystem::path& path) {
  const bool found = std::filesystem::exists(path);
  MPI_Barrier(MPI_COMM_WORLD);
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(results_folder)

BOOST_AUTO_TEST_CASE(new_and_empty_folders_are_taken) {
  const ScratchFolder scratch;
  const ResultsFolder folder(MPI_COMM_WORLD, scratch / "a/b/c", FolderUse::fresh);
  BOOST_TEST(std::filesystem::is_directory(scratch / "a/b/c"));
  BOOST_TEST(std::filesystem::is_empty(folder.root()));  // nothing of our checks stays behind
  BOOST_TEST(folder.file("log.txt") == scratch / "a/b/c/log.txt");
  MPI_Barrier(MPI_COMM_WORLD);
  BOOST_CHECK_NO_THROW(ResultsFolder(MPI_COMM_WORLD, scratch / "a/b/c", FolderUse::fresh));
  touch(scratch / "a/b/c/.hidden");
  BOOST_CHECK_NO_THROW(ResultsFolder(MPI_COMM_WORLD, scratch / "a/b/c", FolderUse::fresh));
}

BOOST_AUTO_TEST_CASE(results_are_refused_with_the_fix_on_all_ranks) {
  const ScratchFolder scratch;
  touch(scratch / "run/bodies.pvd");
  BOOST_CHECK_EXCEPTION(
      ResultsFolder(MPI_COMM_WORLD, scratch / "run", FolderUse::fresh), InputError, [&](const InputError& e) {
        const std::string text = e.what();
        return text.find((scratch / "run").string()) != text.npos && text.find("--output") != text.npos &&
               text.find("output.overwrite=true") != text.npos;
      });
  BOOST_TEST(there(scratch / "run/bodies.pvd"));
}

BOOST_AUTO_TEST_CASE(overwriting_removes_stale_results_and_nothing_else) {
  const ScratchFolder scratch;
  const auto run = scratch / "run";
  for (const char* name :
       {"bodies.pvd", "bodies/bodies_000001.pvtp", "bodies/bodies_000001_0.vtp", "contacts.pvd",
        "contacts/contacts_000001_0.vtp", "contacts/notes.txt", "checkpoints/step_000010.h5", "summary.json",
        "series.h5", "input.yaml", "bodies2/x.vtp"})
    touch(run / name);
  const ResultsFolder folder(MPI_COMM_WORLD, run, FolderUse::overwrite);
  for (const char* name : {"bodies.pvd", "bodies", "contacts.pvd", "contacts/contacts_000001_0.vtp",
                           "checkpoints", "summary.json"})
    BOOST_TEST(!there(run / name), name);
  // The user's files, and those whose writer replaces them.
  for (const char* name : {"contacts/notes.txt", "series.h5", "input.yaml", "bodies2/x.vtp"})
    BOOST_TEST(there(run / name), name);
}

BOOST_AUTO_TEST_CASE(a_restart_keeps_everything) {
  const ScratchFolder scratch;
  touch(scratch / "run/bodies.pvd");
  touch(scratch / "run/checkpoints/step_000010.h5");
  const ResultsFolder folder(MPI_COMM_WORLD, scratch / "run", FolderUse::proceed);
  BOOST_TEST(there(scratch / "run/bodies.pvd"));
  BOOST_TEST(there(folder.checkpoints() / "step_000010.h5"));
}

BOOST_AUTO_TEST_CASE(unwritable_folder_is_an_error_on_all_ranks) {
  const ScratchFolder scratch;
  touch(scratch / "file");
  for (const auto use : {FolderUse::fresh, FolderUse::overwrite, FolderUse::proceed})
    for (const auto* name : {"file", "file/run"})  // the file itself, and below it
      BOOST_CHECK_EXCEPTION(
          ResultsFolder(MPI_COMM_WORLD, scratch / name, use), RunError, [&](const RunError& e) {
            return std::string(e.what()).find((scratch / name).string()) != std::string::npos;
          });
}

BOOST_AUTO_TEST_SUITE_END()
