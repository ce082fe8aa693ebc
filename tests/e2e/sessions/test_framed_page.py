"""The page inside a cross-site frame, as on a Space: its session is its own there too."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from browsing import DONE
from framing import INNER, OUTER, over_https

from components.page import build_page
from components.serve import serve
from tests.e2e.conftest import CHROMIUM


@pytest.fixture(scope="module")
def url(engine, settings):
    page = build_page(engine, settings)
    space = {"trusted_proxies": "127.0.0.0/8", "space_host": INNER}
    behind_proxy = settings.model_copy(update=space)
    yield serve(page, behind_proxy, prevent_thread_lock=True)[1]
    page.close(verbose=False)


@pytest.fixture(scope="module")
def port(url, tmp_path_factory):
    with over_https(url, tmp_path_factory.mktemp("certificate")) as port:
        yield port


@pytest.fixture(scope="module")
def context(browser, port):
    """A browser that keeps no third-party cookies except partitioned ones."""
    hosts = f"MAP {OUTER}:443 127.0.0.1:{port},MAP {INNER}:443 127.0.0.1:{port},MAP * ~NOTFOUND"
    args = ["--no-sandbox", "--disable-gpu", f"--host-resolver-rules={hosts},EXCLUDE 127.0.0.1"]
    args += ["--ignore-certificate-errors", "--test-third-party-cookie-phaseout"]
    alone = browser.browser_type.launch(executable_path=CHROMIUM, args=args)
    yield alone.new_context(ignore_https_errors=True, accept_downloads=True)
    alone.close()


@pytest.fixture(scope="module")
def searched(context, nifti):
    """The outer page after the framed page searched with a scan, and what the frame asked."""
    tab, calls = context.new_page(), []
    tab.set_default_timeout(60_000)
    tab.on("request", lambda one: calls.append(one) if "/queue/join" in one.url else None)
    tab.goto(f"https://{OUTER}/")
    frame = next(one for one in tab.frames if one.parent_frame)
    frame.wait_for_selector("body[data-ready]")
    frame.set_input_files("#files input[type=file]", [str(nifti)])
    frame.wait_for_selector("#scan .scan")
    frame.fill("#query textarea", "segment the brain")
    frame.click("#find")
    frame.wait_for_function(DONE)
    yield tab, frame, calls
    tab.close()


def test_a_framed_page_searches_with_its_scan_and_exports(searched):
    tab, frame, _ = searched
    with tab.expect_download() as saved:
        frame.click("#json")
    answer = json.loads(Path(saved.value.path()).read_text("utf-8"))
    assert "format:NIfTI" in answer["query"]["tokens"]
    assert answer["candidates"]


def test_the_frame_has_a_partitioned_cookie_that_no_script_can_read(context, searched):
    cookie = next(one for one in context.cookies() if one["name"] == "scanscout_visitor")
    assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "None")
    assert OUTER in str(cookie.get("partitionKey"))
    assert "scanscout" not in searched[1].evaluate("document.cookie")


def test_the_hash_alone_exports_nothing_and_with_the_cookie_it_does(url, searched):
    call = searched[2][-1]
    headers = call.all_headers()
    assert "scanscout_visitor=" in headers["cookie"]
    join, body = f"{url}gradio_api/queue/join", call.post_data_json
    assert httpx.post(join, json=body, timeout=60).status_code == 403
    data = {"session_hash": body["session_hash"]}
    assert httpx.get(f"{url}gradio_api/queue/data", params=data, timeout=60).status_code == 403
    cookie = {"cookie": headers["cookie"]}
    assert httpx.post(join, json=body, headers=cookie, timeout=60).status_code == 200
