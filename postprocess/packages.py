"""Loads the few packages the scripts need, or says in one line what to install."""
import importlib
import sys

DEBIAN = {"numpy": "python3-numpy", "matplotlib": "python3-matplotlib", "h5py": "python3-h5py", "PIL": "python3-pil"}


def require(*names):
    """The modules, one or a tuple; ends the program if one is missing."""
    modules = []
    for name in names:
        try:
            modules.append(importlib.import_module(name))
        except ImportError:
            package = DEBIAN.get(name.split(".")[0], name)
            sys.exit(f"{sys.argv[0]}: the Python package {name} is missing for {sys.executable}; Debian: apt-get install {package}, run with /usr/bin/python3")
    return modules[0] if len(modules) == 1 else tuple(modules)
