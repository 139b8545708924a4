"""What the tests of the real processes borrow from those of the pages."""

from tests.browser.conftest import chromium

__all__ = ["chromium"]
