#!/usr/bin/env bash
# Runs a script with ParaView's pvbatch, without a display:
#
#   job_scripts/paraview.sh postprocess/render_bodies.py results/sphere_box/bodies.pvd --chains --walls
#
# Debian: installs paraview and xvfb if they are missing (root or sudo). Debian's python3-paraview excludes libvtk9-dev, which
# the build needs, so its modules are unpacked into a cache folder instead of being installed.
#   PERCUSSION_CACHE  the cache (default: $XDG_CACHE_HOME/percussion or ~/.cache/percussion)
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if ! command -v pvbatch >/dev/null && command -v dpkg-query >/dev/null; then
  packages=(paraview xvfb xauth)
  ensure_packages
fi
command -v pvbatch >/dev/null || { echo "paraview.sh: there is no pvbatch; load ParaView's module or install ParaView" >&2; exit 2; }

if [[ -f /etc/debian_version && $(command -v pvbatch) == /usr/bin/pvbatch ]] && ! dpkg-query -W -f '${db:Status-Status}' python3-paraview 2>/dev/null | grep -q '^installed'; then
  modules=${PERCUSSION_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/percussion}/python3-paraview
  if [[ ! -d $modules/usr ]]; then
    say "Unpacking ParaView's Python modules in $modules"
    mkdir -p "$modules"
    scratch=$(mktemp -d)
    (cd "$scratch" && apt-get download python3-paraview && dpkg-deb -x python3-paraview_*.deb "$modules")
    rm -rf "$scratch"
  fi
  export PYTHONPATH=$modules/usr/lib/python3/dist-packages${PYTHONPATH:+:$PYTHONPATH}
fi

if [[ -z ${DISPLAY:-} ]] && command -v xvfb-run >/dev/null; then
  # -noreset: the server would restart when one connection closes, and refuse the next.
  exec xvfb-run -a -s "-screen 0 1920x1200x24 -noreset" pvbatch "$@"
fi
exec pvbatch "$@"
