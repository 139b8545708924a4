"""Corrections of one campaign as references of another: what fits, what is refused, by page, program and command."""

import io

import pytest
from django.urls import reverse
from django.utils import timezone

from judgments.archive.importing import import_campaign
from judgments.assignment import assigning
from judgments.exchange.references import matching_campaigns, use_corrections
from judgments.material import storing
from judgments.material.rules.reading import Roles, read_material
from judgments.models import Campaign, Candidate, JournalEntry, Membership, System, SystemOutput
from judgments.rules.errors import Refused
from ranking.metrics.material import Edit
from ranking.scores.texts import material_of
from tests import factory
from tests.judgments.exchange.corrections import SOURCE, bring, correction_campaign, exported

pytestmark = pytest.mark.django_db
HERON = ["He goes to school .", "She has  a cat", "I like tea .", "Fine ."]


@pytest.fixture
def source() -> Campaign:
    campaign = correction_campaign()
    bring(campaign)
    return campaign


@pytest.fixture
def target() -> Campaign:
    return factory.make_campaign({"source": SOURCE, "Heron": HERON})


@pytest.fixture
def olga(source, target, client):
    user = factory.organiser(source, "olga")
    Membership.objects.create(campaign=target, user=user, role=Membership.Role.ORGANISER, pseudonym="olga")
    client.force_login(user)
    return user


def test_each_judge_becomes_a_reference_with_edits_and_both_journals_record_it(source, target):
    used = use_corrections(source, target)
    assert used.references == (f"{source.slug}-0", f"{source.slug}-1")
    references = System.objects.filter(campaign=target, kind=System.Kind.REFERENCE)
    assert not references.filter(takes_part=True).exists()
    material = material_of(target)
    assert material.texts[0] == ("He goes to school .", "She has a cat", None, "Fine .")
    assert material.edits[0][0] == (Edit(1, 2, ("goes",), "SVA"), Edit(2, 2, ("to",), "Prep"))
    assert material.edits[0][2:] == (None, ())
    assert material.edits[1][1] is None
    output = SystemOutput.objects.get(system__name=f"{source.slug}-0", segment__position=1)
    assert output.text == "She has  a cat", "as it was corrected"
    entries = set(JournalEntry.objects.values_list("slug", "what"))
    names = ", ".join(used.references)
    assert (target.slug, f"took the corrections of {source.slug} as references {names} (data:{used.digest})") in entries
    assert (source.slug, f"gave its corrections to {target.slug} as references (data:{used.digest})") in entries


def test_again_is_the_same_and_later_judgments_come_along(source, target):
    first = use_corrections(source, target)
    candidates = Candidate.objects.filter(segment__campaign=target).count()
    assert use_corrections(source, target) == first
    assert Candidate.objects.filter(segment__campaign=target).count() == candidates
    bring(source, {("eve", 1): [(0, 2, "She", "")], ("ben", 2): []})
    later = use_corrections(source, target)
    assert len(later.references) == 3
    assert later.digest != first.digest
    assert material_of(target).edits[1][1] == ()


def test_campaigns_that_do_not_fit_are_refused_with_a_sentence(source, target):
    with pytest.raises(Refused, match="is a ranking campaign; only corrections can become references"):
        use_corrections(target, source)
    with pytest.raises(Refused, match="cannot be its own references"):
        use_corrections(source, source)
    with pytest.raises(Refused, match=r"has 4 sentences and .* 5; both need the same"):
        use_corrections(source, factory.make_campaign())
    for line, message in ((0, "Line 1 differs"), (2, "Line 3 differs")):
        other = [*SOURCE[:line], "Another .", *SOURCE[line + 1 :]]
        with pytest.raises(Refused, match=message):
            use_corrections(source, factory.make_campaign({"source": other}))
    with pytest.raises(Refused, match="Nobody has corrected"):
        use_corrections(correction_campaign(), target)
    Campaign.objects.filter(pk=target.pk).update(state=Campaign.State.CLOSED)
    with pytest.raises(Refused, match="reopen it"):
        use_corrections(source, target)


def test_a_system_or_an_uploaded_reference_of_such_a_name_stays(source):
    target = factory.make_campaign({"source": SOURCE, f"{source.slug}-1": HERON})
    with pytest.raises(Refused, match=f"has a system {source.slug}-1; rename it"):
        use_corrections(source, target)
    assert not System.objects.filter(campaign=target, kind=System.Kind.REFERENCE).exists()
    own = f"{source.slug}-7"
    target = factory.make_campaign({"source": SOURCE, "Heron": HERON, own: HERON}, Roles(references=frozenset([own])))
    bring(source, {("ada", 3): []})
    use_corrections(source, target)
    use_corrections(source, target)
    assert System.objects.filter(campaign=target, kind=System.Kind.REFERENCE).count() == 3
    files, roles = factory.upload({f"{source.slug}-0": HERON}), Roles(references=frozenset({f"{source.slug}-0"}))
    storing.store_material(target, read_material(files, roles, storing.places_of(target), storing.source_of(target)))
    with pytest.raises(Refused, match=f"has a reference {source.slug}-0; rename it"):
        use_corrections(source, target)


def test_judges_who_do_not_count_and_what_judges_compare_are_no_references(source, target):
    ada = Membership.objects.filter(pseudonym="ada")
    ada.update(excluded_at=timezone.now())
    assert len(use_corrections(source, target).references) == 1
    ada.update(excluded_at=None)
    use_corrections(source, target)
    name = f"{source.slug}-1"
    System.objects.filter(campaign=target, name=name).update(takes_part=True)
    with pytest.raises(Refused, match=f"{name} is compared by judges"):
        use_corrections(source, target)
    assigning.assign(target)
    System.objects.filter(campaign=target, name=name).update(takes_part=False)
    with pytest.raises(Refused, match=f"{name} is compared by judges"):
        use_corrections(source, target)


def test_a_text_that_is_shown_as_a_systems_may_be_a_reference_too_and_a_copy_knows_its_origin(source, target):
    assigning.assign(target)
    first = use_corrections(source, target)
    assert use_corrections(source, target) == first
    copy = import_campaign("bundle.zip", io.BytesIO(exported(target, "campaign.zip")), slug="copy").campaign
    assert use_corrections(source, copy).references == first.references


def test_campaigns_that_fit_can_be_chosen(source, target, olga):
    others = [factory.make_campaign(), factory.make_campaign({"source": [*SOURCE[:3], "Other ."]})]
    for other in others:
        Membership.objects.create(campaign=other, user=olga, role=Membership.Role.ORGANISER, pseudonym="olga")
    factory.make_campaign({"source": SOURCE})
    assert matching_campaigns(olga, source) == [target]


def test_one_click_on_the_page_where_a_campaign_fits(source, target, olga, client):
    page = client.get(reverse("exports", args=[source.slug])).content.decode()
    assert f'<option value="{target.slug}">' in page
    done = client.post(reverse("use_corrections", args=[source.slug]), {"to": target.slug}, follow=True)
    assert done.redirect_chain[-1][0] == reverse("material", args=[target.slug])
    assert f"{source.slug}-1 on 4 sentences; metrics use them from now on." in done.content.decode()
    assert System.objects.filter(campaign=target, kind=System.Kind.REFERENCE).count() == 2
    Campaign.objects.filter(pk=target.pk).update(state=Campaign.State.CLOSED)
    assert "no other open campaign" in client.get(reverse("exports", args=[source.slug])).content.decode()
    done = client.post(reverse("use_corrections", args=[source.slug]), {"to": target.slug}, follow=True)
    assert "is closed" in done.content.decode()
    assert "As references" not in client.get(reverse("exports", args=[target.slug])).content.decode()


def test_a_program_asks_for_the_same(source, target, olga, client):
    address = reverse("api_use_corrections", args=[source.slug])
    answer = client.post(address, {"to": target.slug}, content_type="application/json")
    assert answer.status_code == 200
    outcome = answer.json()["outcome"]
    assert outcome["campaign"] == target.slug
    assert outcome["references"] == [f"{source.slug}-0", f"{source.slug}-1"]
    refused = client.post(address, {"to": source.slug}, content_type="application/json")
    assert refused.status_code == 409
    stranger = factory.make_campaign({"source": SOURCE})
    assert client.post(address, {"to": stranger.slug}, content_type="application/json").status_code == 404
