"""Ways of choosing sentences, side by side on one page, in one file, for one campaign."""

import pytest
from django.test import Client
from django.urls import reverse

from judgments.jobs.attempts import run_now
from judgments.material.rules.reading import Roles
from judgments.models import Campaign
from judgments.rules.errors import Refused
from ranking.models import Prediction
from ranking.power.predicting import Wanted, compare, predict
from tests import factory

# Two sentences on which all three systems differ, four on which one does, one on which none does.
TEXTS = {
    "source": ["a b c", "d e f", *["g h i j"] * 4, "k l"],
    "Heron": ["a b x", "d e f", *["g h i j"] * 4, "k m"],
    "Wren": ["a y c", "z e f", *["g h i j"] * 4, "k m"],
    "Magpie": ["x y z", "d u v", *["g h i x"] * 4, "k m"],
}


@pytest.fixture
def campaign(db):
    return factory.make_campaign(TEXTS, Roles(), design="sampled", screen_size=3, repeat_share=0.0, redundancy=1)


@pytest.mark.wide
def test_what_a_choice_shifts_is_computed_from_the_texts(campaign):
    found = compare(campaign, Wanted({}, 2, campaigns=3)).dicts()
    lines = {(line["sampling"], line["weighted"]): line for line in found}
    all_, diverse = lines["collection", False], lines["diverse", False]
    wanted = 6, pytest.approx((3 * 2 + 2 * 4) / 6), pytest.approx(22 / 6)
    assert (all_["sentences"], all_["distinct"], all_["words"]) == wanted
    assert all_["unchanged"] == pytest.approx((0 + 1 / 3 + 4 * 2 / 3) / 6)
    assert (diverse["sentences"], diverse["distinct"], diverse["unchanged"]) == (2, 3, pytest.approx(1 / 6))
    assert set(lines) == {
        ("collection", False), ("published", False), ("published", True), ("chance", False), ("distinct", False),
        ("distinct", True), ("diverse", False),
    }  # fmt: skip


@pytest.mark.wide
def test_an_organiser_compares_ways_of_choosing(campaign):
    browser = Client()
    browser.force_login(factory.organiser(campaign, "olga"))
    page = reverse("power", args=[campaign.slug])
    form = browser.get(page, {"screens": 6}).context["form"]
    given = {name: form[name].value() for name in form.fields} | {"campaigns": 2, "compare": "on"}
    del given["one_domain_a_day"], given["document_mode"], given["automatic_ties"]
    assert browser.post(page, given).status_code == 302
    run_now(Prediction.objects.get())
    job = Prediction.objects.get()
    assert (job.state, job.ways_compared()) == ("done", compare(campaign, Wanted.of_json(campaign, job.payload)))
    shown = browser.get(page).content.decode()
    assert "in proportion to distinct outputs, weighted" in shown
    answer = browser.get(reverse("api_power", args=[campaign.slug])).json()
    assert answer["comparison"][0]["sampling"] == "collection"
    with pytest.raises(Refused, match="sampled design only"):
        predict(campaign, Wanted({"design": Campaign.Design.COMPLETE}, compare=True))
