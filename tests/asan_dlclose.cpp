// Only in sanitizer builds: MPI unloads its plug-ins before the leak check at exit, and a leak report or a
// suppression needs their symbols. Libraries therefore stay loaded until the process ends.
extern "C" int dlclose(void*) noexcept {
  return 0;
}
