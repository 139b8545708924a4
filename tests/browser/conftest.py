"""A visitor with a browser, for the tests of pages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

# Milliseconds after which something will never happen, on however busy a machine.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items):
    """All of these are wide, but for the chief ones, which are marked as walks."""
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)
            if item.get_closest_marker("walk") is None:
                item.add_marker(pytest.mark.wide)


@pytest.fixture
def faults() -> list[str]:
    """What a page complained about: script errors, refused content, missing files."""
    return []


@pytest.fixture
def language() -> str:
    """What the visitor's browser asks for."""
    return "en-GB"


@pytest.fixture
def context(chromium, live_server, faults, language, settings) -> Iterator[BrowserContext]:
    """A fresh visitor; a test ends without complaints of any page."""
    settings.SITE_URL = live_server.url
    window = {"width": 1280, "height": 900}
    context = chromium.new_context(base_url=live_server.url, viewport=window, locale=language)
    context.set_default_timeout(PATIENCE)
    context.on("weberror", lambda error: faults.append(str(error.error)))
    context.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    yield context
    context.close()
    assert faults == []


@pytest.fixture
def page(context) -> Page:
    return context.new_page()


@pytest.fixture
def sign_in(context, live_server, client):
    """Sign the visitor in as somebody, without the form."""

    def as_user(user) -> None:
        client.force_login(user)
        cookie = client.cookies["sessionid"]
        context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])

    return as_user
