"""What axe finds on a page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE = Axe()


def check_with_axe(page: Page) -> None:
    """Everything in light colours; of dark ones, the contrast."""
    for scheme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme)
        found = AXE.run(page, options=rules)
        assert found.violations_count == 0, f"{page.url}, {scheme}: {found.generate_report()}"
