"""What organisers do on pages, from a terminal."""

import io

import pytest
from django.core.management import CommandError, call_command

from judgments.judges import invitations
from judgments.models import Campaign, Invitation, JournalEntry, Membership, Screen, System
from ranking.models import Metric
from ranking.scores.stored import add_metrics
from tests import factory
from tests.ranking.verdict_campaign import verdict_campaign


def run(name: str, *words: str) -> str:
    out = io.StringIO()
    call_command(name, *words, stdout=out, stderr=io.StringIO())
    return out.getvalue().strip()


def test_a_campaign_is_closed_archived_and_deleted(campaign, ada):
    factory.judge_batch(ada)
    slug = campaign.slug
    assert run("change_state", slug, "closed") == f"{slug} is closed."
    assert run("change_state", slug, "archived") == f"{slug} is archived."
    with pytest.raises(CommandError, match="Nothing was deleted"):
        run("delete_campaign", slug)
    assert run("delete_campaign", slug, "--typed", slug) == f"Deleted {slug}, with 3 judgments by 1 judges."
    assert not Campaign.objects.exists()
    assert JournalEntry.objects.filter(slug=slug, actor="the command line").exists()


def test_progress_is_reported_with_the_next_step(campaign, ada):
    factory.judge_batch(ada)
    lines = run("show_progress", campaign.slug).splitlines()
    assert lines[0].startswith(f"{campaign.slug} is open for judging: 3 of 10 assignments judged, 5 sentences")
    assert lines[1].startswith("3 judgments in the last hour, 3 in the last day. At this rate, judging finishes on")
    assert lines[2] == "Next: Watch the judging. 3 of 10 judged"


def test_a_plan_is_reported_and_nothing_is_stored(db):
    campaign = factory.make_campaign()
    output = run("plan_screens", campaign.slug, "--redundancy", "3")
    assert output.startswith("5 screens in 2 batches of at most 3, 15 assignments, 0.2 hours at 49 seconds a screen.")
    assert "Comparisons per pair: " in output
    campaign.refresh_from_db()
    assert campaign.redundancy == 2


@pytest.mark.wide
def test_a_plan_says_what_it_would_resolve(db):
    campaign = factory.make_campaign()
    options = ("--power", "--campaigns", "3", "--judges", "4", "--spread", "0.2")
    output = run("plan_screens", campaign.slug, *options)
    assert run("plan_screens", campaign.slug, *options) == output
    assert "standard deviation of 0.2, 28% of pairs tie" in output
    last = output.splitlines()[-2].split()
    assert (last[0], last[1]) == ("10", "0.1")
    with pytest.raises(CommandError, match="The share of ties must lie between"):
        run("plan_screens", campaign.slug, "--power", "--ties", "2")
    with pytest.raises(CommandError, match="at least one judge"):
        run("plan_screens", campaign.slug, "--power", "--judges", "0")
    compared = run("plan_screens", campaign.slug, *options, "--compare", "--design", "sampled")
    assert "| distinct | yes | 3 |" in compared
    verdicts = verdict_campaign({})
    Screen.objects.filter(campaign=verdicts).delete()
    assert "| judgments | hours | campaigns | usages |" in run("plan_screens", verdicts.slug, *options)
    corrections = factory.make_campaign({"source": factory.SOURCE}, protocol="correction")
    with pytest.raises(CommandError, match="rank, rate or give verdicts"):
        run("plan_screens", corrections.slug, "--power")


def test_a_system_is_renamed_and_left_out(db):
    campaign = factory.make_campaign()
    assert run("change_system", campaign.slug, "Wren", "--name", "Robin") == "Robin is a system; judges compare it."
    assert run("change_system", campaign.slug, "Robin", "--leave-out").endswith("judges do not compare it.")
    assert run("change_system", campaign.slug, "Robin", "--take-in").endswith("judges compare it.")
    run("change_system", campaign.slug, "Magpie", "--kind", "reference")
    assert System.objects.get(name="Magpie").kind == "reference"
    with pytest.raises(CommandError, match="There is no system 'Wren'"):
        run("change_system", campaign.slug, "Wren")


def test_judges_are_excluded_included_and_given_quotas(campaign, ada):
    slug = campaign.slug
    assert run("exclude_judge", slug, "ada", "--reason", "asleep") == "ada was excluded."
    assert run("include_judge", slug, "ada", "--reason", "awake") == "ada was included again."
    assert run("set_quota", slug, "ada", "3") == "ada: at most 3 batches."
    assert run("set_quota", slug, "ada") == "ada: the campaign's limit applies."
    with pytest.raises(CommandError, match="There is no judge 'zoe'"):
        run("set_quota", slug, "zoe", "3")


def test_a_link_is_revoked(campaign):
    (invitation,) = invitations.invite(campaign, ["dan"])
    run("revoke_link", campaign.slug, invitation.token)
    assert not Invitation.objects.get().is_valid
    with pytest.raises(CommandError, match="There is no such link"):
        run("revoke_link", campaign.slug, "none")


def test_a_program_comes_and_goes(campaign):
    assert len(run("enrol_program", campaign.slug, "robin")) == 40
    assert run("dismiss_program", campaign.slug, "robin") == "robin was dismissed."
    assert Membership.objects.get(pseudonym="robin").removed_at
    with pytest.raises(CommandError, match="There is no program 'wren'"):
        run("dismiss_program", campaign.slug, "wren")


def test_scores_of_a_metric_are_forgotten(campaign):
    add_metrics(campaign, "fluency.tsv", b"Heron\t.3\nWren\t.2\nMagpie\t.1\nsource\t.0\n")
    name = Metric.objects.get().name
    assert run("remove_metric", campaign.slug, name) == f"Removed the scores by {name}."
    assert not Metric.objects.exists()


def test_the_journal_is_written(campaign, tmp_path):
    run("change_state", campaign.slug, "closed")
    lines = run("export_journal", campaign.slug).splitlines()
    assert lines[0] == "at,actor,what"
    assert lines[1].endswith(",the command line,closed the campaign")
    assert run("export_journal", campaign.slug, "--out", str(tmp_path / "j.csv")).endswith(f"{len(lines) - 1} rows.")


def test_links_are_mailed_to_those_invited_by_an_address(campaign, settings, tmp_path, mailoutbox):
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.example.org", "site@example.org"
    invitations.invite(campaign, ["ben@example.org"])
    (tmp_path / "text.txt").write_text("Come: {link}")
    words = ("mail_links", campaign.slug, "--subject", "Judging", "--text", str(tmp_path / "text.txt"))
    assert run(*words) == "Mails sent: 1, not reached: 0."
    assert Invitation.objects.get().token in mailoutbox[0].body
    with pytest.raises(CommandError, match="have already been sent"):
        run(*words)
    (tmp_path / "text.txt").write_text("Come")
    with pytest.raises(CommandError, match="where the link should go"):
        run(*words)
