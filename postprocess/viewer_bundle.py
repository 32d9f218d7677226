"""The script of the 3-D view as one text: VTK.js from the npm registry, bundled once and kept in a cache folder.

The cache is $PERCUSSION_CACHE, else $XDG_CACHE_HOME/percussion, else ~/.cache/percussion. On a machine without npm or
network, copy the file viewer-*.js of another machine's cache there.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent / "viewer"


class NoBundle(Exception):
    """Why there is no 3-D view, in a sentence."""


def cache_folder():
    own = os.environ.get("PERCUSSION_CACHE")
    if own:
        return pathlib.Path(own)
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "percussion"


def bundle():
    """The text of the script; NoBundle if it cannot be made."""
    files = [SOURCE / "package.json", SOURCE / "viewer.js"]
    key = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
    target = cache_folder() / f"viewer-{key}.js"
    if not target.is_file():
        make(target, files)
    # The text stands in a <script>: nothing in it may end the element.
    return target.read_text(encoding="utf-8").replace("</script", "<\\/script")


def make(target, files):
    if not shutil.which("npm") or not shutil.which("node"):
        raise NoBundle("npm is not installed (Debian: apt-get install npm)")
    with tempfile.TemporaryDirectory(prefix="percussion-viewer-") as folder:
        for file in files:
            shutil.copy(file, folder)
        run(["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"], folder, "npm could not install VTK.js and esbuild")
        run([str(pathlib.Path(folder) / "node_modules/.bin/esbuild"), "viewer.js", "--bundle", "--minify", "--format=iife", "--legal-comments=eof",
             "--charset=ascii", "--outfile=bundle.js", "--log-level=error"], folder, "esbuild could not bundle the viewer")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            # By rename: several reports may be made at the same time.
            partial = target.with_suffix(f".{os.getpid()}.part")
            shutil.copy(pathlib.Path(folder) / "bundle.js", partial)
            partial.replace(target)
        except OSError as error:
            raise NoBundle(f"the cache folder {target.parent} cannot be written: {error.strerror}") from None


def run(command, folder, complaint):
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoBundle(f"{complaint}: {error}") from None
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise NoBundle(f"{complaint}: {lines[0] if lines else 'no message'}")
