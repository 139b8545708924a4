"""Dealing as stored: what the rules chose is what judges get."""

import pytest

from judgments import dealing, intake, scheduling
from judgments.faults import Refused
from judgments.models import Batch, Campaign, Screen, Seat, Slot, System
from judgments.rules.uploads import Roles, UploadedFile, read_material
from tests import factory

pytestmark = pytest.mark.postgresql


def layout(campaign: Campaign) -> list[tuple]:
    """Everything that a deal wrote, by texts instead of keys."""
    seats = Seat.objects.filter(campaign=campaign).order_by("batch__number", "round", "position")
    rows = []
    for seat in seats.select_related("batch", "screen__segment", "repeats"):
        texts = [slot.candidate.text for slot in Slot.objects.filter(screen=seat.screen).select_related("candidate")]
        repeats = seat.repeats.position if seat.repeats else None
        rows.append(
            (seat.batch.number, seat.round, seat.position, seat.screen.segment.position, texts, seat.order, repeats)
        )
    return rows


def test_the_same_seed_deals_the_same_and_another_seed_does_not(db):
    one, same, other = (factory.open_campaign(seed=seed, redundancy=3) for seed in (1, 1, 2))
    assert layout(one) == layout(same) != layout(other)


def test_a_complete_deal_seats_every_screen_in_every_round(db):
    campaign = factory.open_campaign(redundancy=3)
    screens = Screen.objects.filter(campaign=campaign)
    assert screens.count() == 5
    assert [screen.seat_set.count() for screen in screens] == [3] * 5
    assert Batch.objects.filter(campaign=campaign).count() == 2


def test_every_order_fits_its_screen(db):
    campaign = factory.open_campaign(redundancy=3)
    for seat in Seat.objects.filter(campaign=campaign):
        assert sorted(seat.shown_positions()) == list(range(seat.screen.slot_set.count()))


def test_repeats_are_dealt_to_the_batch_of_their_original(db):
    campaign = factory.open_campaign(batch_size=6, repeat_share=0.34)
    repeats = Seat.objects.filter(campaign=campaign).exclude(repeats=None).select_related("repeats")
    assert repeats
    for seat in repeats:
        assert (seat.screen, seat.batch, seat.round) == (
            seat.repeats.screen, seat.repeats.batch, seat.repeats.round
        )  # fmt: skip
        assert seat.position > seat.repeats.position


def test_controls_stand_with_their_source_on_a_share_of_the_screens(db):
    campaign = factory.make_campaign(roles=Roles(source_takes_part=False), control_share=0.4)
    intake.make_controls(campaign)
    dealing.deal(campaign)
    controlled = Screen.objects.filter(campaign=campaign, has_control=True)
    assert controlled.count() == 2
    for screen in controlled:
        kinds = set(screen.candidates.values_list("systemoutput__system__kind", flat=True))
        assert {System.Kind.CONTROL, System.Kind.SOURCE} <= kinds


def test_references_are_not_shown_unless_they_take_part(db):
    texts = {"source": factory.SOURCE, **factory.SYSTEMS, "ref": [f"{line} !" for line in factory.SOURCE]}
    campaign = factory.open_campaign(texts, Roles(references=frozenset({"ref"})))
    assert not Slot.objects.filter(screen__campaign=campaign, candidate__systemoutput__system__name="ref").exists()


def test_a_sampled_deal_shows_as_many_screens_as_asked_and_can_be_topped_up(db):
    campaign = factory.make_campaign(design="sampled")
    assert dealing.deal(campaign, 12).screens == 12
    before = layout(campaign)
    assert dealing.deal(campaign, 4).screens == 4
    assert layout(campaign)[: len(before)] == before


def test_sentences_without_a_difference_are_ties_that_nobody_sees(db):
    same = ["All agree ."] * 3
    texts = {"source": [*factory.SOURCE, *same], **{name: [*lines, *same] for name, lines in factory.SYSTEMS.items()}}
    campaign = factory.make_campaign(texts, automatic_ties=True)
    assert dealing.deal(campaign).automatic == 3
    automatic = Screen.objects.filter(campaign=campaign, automatic=True)
    assert all(screen.batch is None and screen.slot_set.count() == 1 for screen in automatic)
    assert not Seat.objects.filter(screen__in=automatic).exists()


def test_a_rating_campaign_shows_lone_candidates_too(db):
    texts = {"source": ["All agree ."], "Heron": ["All agree ."]}
    assert dealing.deal(factory.make_campaign(texts, protocol="rating")).screens == 1
    with pytest.raises(Refused, match="No sentence has two different outputs"):
        dealing.deal(factory.make_campaign(texts))


def test_a_sampled_deal_shows_as_many_screens_as_sentences_differ_unless_said(db):
    texts = {"source": [*factory.SOURCE, "Same ."], "Heron": [*factory.SYSTEMS["Heron"], "Same ."]}
    assert dealing.deal(factory.make_campaign(texts, design="sampled")).screens == 5


@pytest.mark.parametrize(("design", "screens"), [("sampled", 0), ("sampled", -5), ("complete", 3)])
def test_a_senseless_number_of_screens_is_refused(db, design, screens):
    with pytest.raises(Refused, match="1 or more"):
        dealing.deal(factory.make_campaign(design=design), screens)


def test_a_complete_campaign_is_dealt_once(campaign):
    with pytest.raises(Refused, match="dealt once"):
        dealing.deal(campaign)


def test_a_closed_campaign_is_not_dealt(campaign):
    scheduling.close_campaign(campaign)
    with pytest.raises(Refused, match="reopen"):
        dealing.deal(campaign)


def test_batches_keep_to_a_domain_where_judges_do(db):
    texts = {"source": factory.SOURCE, **factory.SYSTEMS}
    files = factory.upload(texts)
    sidecar = "\n".join(f"{line}\tdoc {line}\t{'essays' if line % 2 else 'forum'}" for line in range(1, 6))
    files.append(UploadedFile("documents.tsv", sidecar.encode()))
    campaign = Campaign.objects.create(slug="domains", name="Domains", design="complete", one_domain_a_day=True)
    intake.store_material(campaign, read_material(files, Roles()))
    dealing.deal(campaign)
    for batch in Batch.objects.filter(campaign=campaign):
        assert set(batch.screen_set.values_list("segment__document__domain", flat=True)) == {batch.domain}
