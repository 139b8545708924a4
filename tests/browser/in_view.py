"""How many versions of a screen lie outside of what a judge sees without scrolling."""

from playwright.sync_api import Page

NOT_IN_VIEW = """async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); // a low window scrolls first
    const bottom = document.querySelector(".submit").getBoundingClientRect().top;
    const top = document.querySelector(".near").getBoundingClientRect().bottom;
    return [...document.querySelectorAll(".candidate")].filter((card) => {
        const box = card.getBoundingClientRect();
        return box.top < top || box.bottom > bottom;
    }).length;
}"""


def hidden_versions(page: Page) -> int:
    return page.evaluate(NOT_IN_VIEW)
