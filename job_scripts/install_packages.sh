#!/usr/bin/env bash
# Installs the Debian packages that Percussion is built with; does nothing when they are all there.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
ensure_packages
