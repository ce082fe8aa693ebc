"""Every click that searches or reads moves something on the screen within a tenth of a second."""

from __future__ import annotations

import pytest

WATCH = """(events) => {
  window.painted = {};
  for (const kind of events) {
    window.addEventListener(kind, (event) => {
      if (window.painted.from !== undefined || !event.isTrusted && kind !== 'change') return;
      if (kind === 'keydown' && event.key !== 'Enter') return;
      window.painted.from = event.timeStamp;
      window.painted.moved = moving();
      const look = () => {
        if (moving()) requestAnimationFrame(() => { window.painted.at = performance.now(); });
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, true);
  }
  new MutationObserver(() => { window.painted.changed ??= performance.now(); })
    .observe(document.body, {attributes: true, childList: true, subtree: true});
  function moving() {
    const line = getComputedStyle(document.querySelector('#bar'), '::after');
    return line.content !== 'none' && line.animationName === 'sweep';
  }
}"""
"""From the event to the frame after that in which the line below the bar moves."""

HOLD = """() => {
  const send = window.fetch, open = XMLHttpRequest.prototype.send;
  const late = () => new Promise((go) => { window.release = go; });
  window.waiting = new Promise((go) => { window.letGo = go; });
  window.fetch = async (...args) => {
    if (/queue\\/join|upload/.test(String(args[0].url || args[0]))) await window.waiting;
    return send(...args);
  };
  XMLHttpRequest.prototype.send = async function (...args) {
    await window.waiting;
    return open.apply(this, args);
  };
}"""
"""Nothing that is asked of the server leaves the browser before ``letGo()``."""


def painted(one, act, kind="click"):
    """Milliseconds from a real event to the frame with something that moves."""
    page = one.page
    page.evaluate(HOLD)
    page.evaluate(WATCH, [kind])
    act()
    page.wait_for_function("window.painted.at !== undefined", timeout=10_000)
    was = page.evaluate("window.painted")
    assert was["moved"] is False
    page.evaluate("window.letGo()")
    return was["at"] - was["from"]


def prepared(one, way):
    """The page just before the act, and the act itself."""
    page = one.page
    if way in ("find", "enter"):
        page.fill("#query textarea", "segment lungs")
        if way == "find":
            return lambda: page.click("#find")
        return lambda: page.press("#query textarea", "Enter")
    if way == "sample":
        return lambda: page.click("#examples .btn-try >> nth=0")
    one.find("segment lungs in Python")
    if way == "wish":
        return lambda: page.click("#chips .chip-wish .x")
    page.focus("#followtext :is(input, textarea)")
    page.wait_for_selector("#offers button:visible")
    return lambda: page.click("#offers button >> nth=0")


TRIES = 3
"""Times of which the shortest counts: what else the machine does only adds to one."""


@pytest.mark.parametrize("way", ["find", "enter", "sample", "offer", "wish"])
def test_something_moves_before_the_server_is_asked(desktop, way):
    times = []
    while len(times) < TRIES and min(times, default=100) >= 100:
        act = prepared(desktop.go(), way)
        times.append(painted(desktop, act, "keydown" if way == "enter" else "click"))
        desktop.done()
    assert min(times) < 100, times
    assert desktop.cards()
    assert desktop.errors == []


def test_something_moves_as_soon_as_a_file_is_chosen(desktop, nifti):
    page, times = desktop.page, []
    give = lambda: page.set_input_files("#files input[type=file]", str(nifti))  # noqa: E731
    while len(times) < TRIES and min(times, default=100) >= 100:
        desktop.go()
        times.append(painted(desktop, give, "change"))
        page.wait_for_selector("#scan .scan")
    assert min(times) < 100, times
    assert desktop.errors == []
