"""A headless Chromium driven through its debugging pipe; Python's standard library only."""
import base64
import json
import os
import select
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_browser():
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    def __init__(self, width=1280, height=1600, dark=False):
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        self._profile = tempfile.TemporaryDirectory(prefix="percussion-browser-", ignore_cleanup_errors=True)
        # The pipe of --remote-debugging-pipe is file descriptors 3 (in) and 4 (out).
        high = [os.dup(fd) for fd in (to_browser, from_browser)]
        command = [find_browser(), "--headless=new", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                   "--ignore-gpu-blocklist", "--hide-scrollbars", "--no-first-run", "--disable-dev-shm-usage", f"--user-data-dir={self._profile.name}",
                   f"--window-size={width},{height}", "--remote-debugging-pipe", "about:blank"]
        self._process = subprocess.Popen(["sh", "-c", f'exec 3<&{high[0]} 4>&{high[1]}; exec "$0" "$@"', *command], pass_fds=high, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in (to_browser, from_browser, *high):
            os.close(fd)
        self._buffer, self._next, self._session = b"", 1, None
        self.errors = []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        # Nothing may be fetched: the page has to work offline.
        self.call("Network.enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
        self._profile.cleanup()

    def call(self, method, timeout=120, **parameters):
        number, self._next = self._next, self._next + 1
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + timeout
        while True:
            answer = self._receive(end)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def _receive(self, end):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            part = os.read(self._read, 1 << 16)
            if not part:
                raise RuntimeError("the browser has ended")
            self._buffer += part
        text, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(text)

    def _note(self, event):
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details.get("text")))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])

    def open(self, path):
        self.call("Page.navigate", url="file://" + os.path.abspath(path))

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def wait_for(self, expression, timeout=90):
        end = time.monotonic() + timeout
        while not self.value(expression):
            if time.monotonic() > end:
                raise TimeoutError(f"never true: {expression}; errors: {self.errors}")
            time.sleep(0.1)

    def picture(self, selector=None):
        """PNG of an element or of the whole page."""
        if selector:
            box = json.loads(self.value(f"JSON.stringify(document.querySelector('{selector}').getBoundingClientRect())"))
            clip = {"x": box["x"] + self.value("scrollX"), "y": box["y"] + self.value("scrollY"), "width": box["width"], "height": box["height"], "scale": 1}
        else:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"])


def pixels(png):
    """(width, height, rows of RGB bytes) of an 8-bit RGB or RGBA picture."""
    at, data = 8, b""
    while at < len(png):
        size, kind = struct.unpack_from(">I4s", png, at)
        content = png[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack_from(">IIBB", content)
            assert depth == 8 and colour in (2, 6)
            step = 3 if colour == 2 else 4
        elif kind == b"IDAT":
            data += content
        at += 12 + size
    raw, rows, before = zlib.decompress(data), [], bytearray(width * step)
    for j in range(height):
        kind, line = raw[j * (width * step + 1)], bytearray(raw[j * (width * step + 1) + 1:(j + 1) * (width * step + 1)])
        for i in range(len(line)):
            left = line[i - step] if i >= step else 0
            up, corner = before[i], before[i - step] if i >= step else 0
            if kind == 1:
                line[i] = (line[i] + left) & 255
            elif kind == 2:
                line[i] = (line[i] + up) & 255
            elif kind == 3:
                line[i] = (line[i] + (left + up) // 2) & 255
            elif kind == 4:
                p = left + up - corner
                near = min((abs(p - left), 0, left), (abs(p - up), 1, up), (abs(p - corner), 2, corner))
                line[i] = (line[i] + near[2]) & 255
        rows.append(line)
        before = line
    return width, height, [bytes(b for k, b in enumerate(row) if k % step < 3) for row in rows]
