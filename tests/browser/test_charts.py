"""The page of a report in a real browser: plots can be read at every width, light and dark, and by screen readers."""

from itertools import product

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from judgments.jobs.attempts import run_now
from ranking.models import Report, ReportTable
from ranking.reports import building
from ranking.reports.kinds.comparisons import COMPARISONS
from ranking.stats.comparisons.study import PRESETS
from tests import factory
from tests.browser.axe import check_with_axe
from tests.ranking.charts.cast import HOSTILE, tables

# The contrast of the text in a square with what is behind it: its fill, as opaque as it is, on the page.
CONTRASTS = """() => {
    const parts = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const light = (colour) => colour.map((part) => part / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
    const page = parts(getComputedStyle(document.body).backgroundColor);
    return [...document.querySelectorAll(".plot rect:not(.bar)")].filter((box) => !box.matches(".void")).map((box) => {
        const {fill, fillOpacity} = getComputedStyle(box);
        const opacity = fill === "none" ? 0 : Number(fillOpacity);
        const behind = page.map((part, place) => opacity && part + (parts(fill)[place] - part) * opacity || part);
        const written = box.matches(".cell") ? "text:not(.faded)" : "text.faded";
        const ink = parts(getComputedStyle(box.closest("svg").querySelector(written)).fill);
        const [low, high] = [light(behind), light(ink)].sort((one, other) => one - other);
        return (high + 0.05) / (low + 0.05);
    });
}"""

SMALLEST_LETTERS = """() => Math.min(...[...document.querySelectorAll(".plot text")].map((text) => {
    const {a, b} = text.getScreenCTM();
    return Number(text.getAttribute("font-size")) * Math.hypot(a, b);
}))"""

# Texts that stick out of their picture would be cut.
CUT = """() => [...document.querySelectorAll(".plot text")].filter((text) => {
    if (getComputedStyle(text.closest("svg")).overflow === "visible") return false;
    const [inner, outer] = [text, text.closest("svg")].map((thing) => thing.getBoundingClientRect());
    return inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.top < outer.top - 1;
}).map((text) => text.textContent)"""


def make_report(systems: list[str], judges: list[str], metrics: list[str]) -> Report:
    """A report with the given tables."""
    campaign = factory.make_campaign()
    report = building.create_report(campaign)
    Report.objects.filter(pk=report.pk).update(state=Report.State.DONE, signature="of our own making")
    for table in tables(systems, judges, metrics).values():
        ReportTable.of(report, table).save()
    return report


@pytest.fixture(params=["few", pytest.param("many", marks=pytest.mark.long)])
def report(request, page, sign_in, transactional_db) -> Report:
    """A report of three systems, or of fifty; one of the names is hostile, one long, one wide."""
    names = [HOSTILE.replace("\x00", ""), "Participant-" * 5, "校正システム" * 4]
    many = request.param == "many"
    systems = [*names, *(f"System {number}" for number in range(47))] if many else names
    judges = [f"judge {number}" for number in range(25)] if many else ["ada", "ben", names[0]]
    report = make_report(systems, judges, [*names, "gleu"])
    sign_in(factory.organiser(report.campaign, "olga"))
    page.goto(reverse("report", args=[report.pk]))
    page.evaluate("document.querySelectorAll('details').forEach((chapter) => { chapter.open = true; })")
    return report


def test_charts_can_be_read(report, page, request):
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        if "many" not in request.node.name:  # which takes axe minutes, and are the same elements
            check_with_axe(page)
    for scheme, width in product(("light", "dark"), (360, 768, 1280)):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(SMALLEST_LETTERS) >= 11
        assert page.evaluate(CUT) == []
        assert min(page.evaluate(CONTRASTS)) >= 4.5


def test_charts_are_images_that_scroll_by_keyboard_with_intervals_on_a_phone_and_all_on_paper(report, page):
    charts = COMPARISONS.charts_of({row.name: row.table() for row in report.reporttable_set.all()}).values()
    for plot in [chart for chart in charts if not chart.name.startswith("forest")]:  # a plot in its table
        expect(page.get_by_role("img", name=plot.title)).to_be_visible()
    expect(page.locator("script:not([src])")).to_have_count(0)
    page.set_viewport_size({"width": 360, "height": 900})
    plot = page.get_by_role("group", name="Chart: Head to head")
    plot.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("plot => plot.scrollLeft > 0", arg=plot.element_handle())
    page.set_viewport_size({"width": 390, "height": 900})
    expect(page.locator("#ranking td .beneath").first).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach((chapter) => { chapter.open = false; })")
    shown = "document.querySelector('#head-to-head .figure').checkVisibility()"
    assert not page.evaluate(shown)
    page.emulate_media(media="print")
    assert page.evaluate(shown)


def test_tables_fit_the_paper_or_the_browser_would_shrink_everything(page, sign_in, transactional_db):
    campaign = factory.open_campaign()
    for name in ("ada", "ben"):
        factory.answer_all(factory.judge(campaign, name))
    report = building.request_report(
        campaign, parameters=PRESETS["recommended"].with_changes(replicates=200, folds="none")
    )
    run_now(report)
    sign_in(factory.organiser(campaign, "olga"))
    page.set_viewport_size({"width": 672, "height": 900})  # between the margins of A4
    page.emulate_media(media="print")
    page.goto(reverse("report", args=[report.pk]))
    expect(page.get_by_role("heading", name="The judges", exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 672


def test_the_file_of_a_chart_looks_right_by_itself(report, page, tmp_path):
    with page.expect_download() as begun:
        page.get_by_role("link", name="comparison_counts.svg").first.click()
    file = tmp_path / "plot.svg"
    begun.value.save_as(file)
    page.goto(file.as_uri())
    fill = "bar => getComputedStyle(bar).fill"
    assert page.locator(".bar").first.evaluate(fill) == "rgb(31, 95, 168)"
    assert page.locator(".paper").evaluate(fill) == "rgb(255, 255, 255)"
