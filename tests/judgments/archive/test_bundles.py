"""A campaign in a bundle: what comes out is what went in, and nothing is believed that does not fit."""

import io
import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgments.archive.importing import ImportedCampaign, import_campaign
from judgments.archive.reading import LONGEST_LINE, open_bundle
from judgments.archive.tables import FILES, FORMAT, VERSION, TablePolicy
from judgments.assignment import claiming
from judgments.exchange.exporters import EXPORTS
from judgments.models import Assignment, Campaign, Judgment, Membership, SystemOutput
from judgments.protocols import PROTOCOLS
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from tests import factory
from tests.chance import campaign_by_chance, forget_judgments
from tests.judgments.exchange.corrections import bring, correction_campaign
from tests.judgments.rules.zips import packed, unpacked

by_chance = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
seeds = st.integers(0, 2**31 - 1)
protocols = st.sampled_from(["ranking", "rating", "marking"])


def bundle(campaign: Campaign) -> bytes:
    return b"".join(EXPORTS["campaign.zip"].blocks(campaign))


def restored(content: bytes, **chosen) -> ImportedCampaign:
    return import_campaign("bundle.zip", io.BytesIO(content), **chosen)


def forget(campaign: Campaign) -> None:
    """As in an installation that never had it."""
    forget_judgments(campaign)
    campaign.delete()


@pytest.mark.wide
@pytest.mark.postgresql
@by_chance
@given(seeds, protocols)
def test_a_campaign_that_is_imported_is_exported_with_the_same_bytes(db, seed, protocol):
    campaign = campaign_by_chance(seed, protocol)
    before = bundle(campaign)
    forget(campaign)
    made = restored(before)
    assert not made.has_new_keys
    assert bundle(made.campaign) == before


def test_references_keep_the_edits_behind_them(db):
    gold = "".join(f"S {text}\nA 0 1|||X|||We||You|||REQUIRED|||-NONE-|||0\n\n" for text in factory.SOURCE)
    made = factory.make_campaign({"source": factory.SOURCE, **factory.SYSTEMS, "gold.m2": [gold]})
    content = bundle(made)
    copied = restored(content, slug="copy").campaign
    (edits,) = {
        str(output.edits) for output in SystemOutput.objects.filter(system__campaign=copied, system__name="gold-0")
    }
    assert edits == "[[0, 1, ['We', 'You'], 'X']]"
    made.delete()
    copied.slug = made.slug
    copied.save()
    assert bundle(copied) == content


def test_judges_come_without_accounts_and_what_they_hold_is_free_in_the_copy(campaign, ada):
    assignment = claiming.claim_next(ada)
    copy = restored(bundle(campaign), slug="copy").campaign
    assert Assignment.objects.filter(campaign=copy).count() == Assignment.objects.filter(campaign=campaign).count()
    assert not Assignment.objects.filter(campaign=copy).exclude(judge=None, claimed_at=None, leased_until=None).exists()
    ben = factory.judge(copy, "ben")
    assert claiming.claim_next(ben).position == assignment.position
    ada.worker, ada.platform = "W1", {"workerId": "W1"}
    ada.save()
    factory.judge_batch(ada)
    content = bundle(campaign)
    assert not any("W1" in text or ada.user.username == text for text in unpacked(content).values())
    copy = restored(content, slug="other").campaign
    judge = Membership.objects.get(campaign=copy)
    assert (judge.pseudonym, judge.user, judge.worker, judge.platform) == ("ada", None, "", {})
    assert judge.completion_set.count() == ada.completion_set.count() == 1


def test_a_copy_has_its_organiser_and_a_campaign_that_is_there_is_not_touched(campaign, olga):
    copy = restored(bundle(campaign), slug="copy", organiser="olga").campaign
    assert Membership.objects.get(campaign=copy, role=Membership.Role.ORGANISER).user == olga
    with pytest.raises(Refused, match="no user 'nobody'"):
        restored(bundle(campaign), slug="other", organiser="nobody")
    assert not Campaign.objects.filter(slug="other").exists()
    with pytest.raises(Refused, match=f"There is a campaign {campaign.slug} already"):
        restored(bundle(campaign))
    User.objects.create_user("zoe")
    assert restored(bundle(campaign), organiser="zoe").campaign.slug.startswith(f"{campaign.slug}-")


@pytest.mark.parametrize("slug", ["two words", "../etc", "x" * 51, "a/b"])
def test_a_hostile_short_name_is_refused(campaign, slug):
    with pytest.raises(Refused, match="slug"):
        restored(bundle(campaign), slug=slug)
    assert Campaign.objects.count() == 1


def changed(table: str, old: str, new: str) -> Callable[[dict], None]:
    file = f"{table}.json" if table in ("campaign", "bundle") else f"{table}.jsonl"

    def change(files: dict[str, str | bytes]) -> None:
        assert old in files[file], files[file]
        files[file] = files[file].replace(old, new, 1)

    return change


def cut(table: str, characters: int) -> Callable[[dict], None]:
    return lambda files: files.update({f"{table}.jsonl": files[f"{table}.jsonl"][:-characters]})


def one_key(files: dict[str, str | bytes]) -> None:
    files["judgments.jsonl"] = re.sub('"key":"[^"]*"', f'"key":"{uuid4()}"', str(files["judgments.jsonl"]))


def a_broken_assignment_and_its_repeat(files: dict[str, str | bytes]) -> None:
    first, second, *rest = str(files["assignments.jsonl"]).splitlines(keepends=True)
    first, second = first.replace('"position":', '"position":-1'), second.replace('"repeats":null', '"repeats":1')
    files["assignments.jsonl"] = "".join([first, second, *rest])


def another_screen(files: dict[str, str | bytes]) -> None:
    first, *rest = map(json.loads, str(files["judgments.jsonl"]).splitlines())
    first["screen"] = 1 if first["screen"] > 1 else 2
    files["judgments.jsonl"] = "".join(f"{json.dumps(row)}\n" for row in [first, *rest])


def one_candidate_twice(files: dict[str, str | bytes]) -> None:
    first, *rest = map(json.loads, str(files["judgments.jsonl"]).splitlines())
    first["answers"][1]["candidate"] = first["answers"][0]["candidate"]
    files["judgments.jsonl"] = "".join(f"{json.dumps(row)}\n" for row in [first, *rest])


def an_answer_of_nobody(files: dict[str, str | bytes]) -> None:
    taken, given = '"judge":"ada"(.*?)"submitted_at":"[^"]*"', r'"judge":null\1"submitted_at":null'
    files["assignments.jsonl"] = re.sub(taken, given, str(files["assignments.jsonl"]))


BROKEN = {
    "no manifest": (lambda files: files.pop("bundle.json"), "contains no bundle.json, so it is not the bundle"),
    "no manifest's words": (changed("bundle", "appraise-gec", "others"), "does not describe the bundle"),
    "a later version": (
        changed("bundle", f'"version":{VERSION}', '"version":99'), "has version 99; this platform reads",
    ),
    "counts of words": (changed("bundle", '"systems":4', '"systems":"4"'), "lacks the number of lines of each file"),
    "a missing file": (lambda files: files.pop("assignments.jsonl"), "lacks the file assignments.jsonl"),
    "a file too many": (lambda files: files.update({"x.exe": ""}), "contains an unknown file 'x.exe'"),
    "a file with a path": (lambda files: files.update({"../x": ""}), "a file with a path"),
    "a line too few": (
        lambda files: files.update({"assignments.jsonl": ""}), "assignments.jsonl: has 0 lines instead of",
    ),
    "a line cut off": (cut("judgments", 1), "judgments.jsonl, line 3: ends too early; download the bundle again"),
    "no JSON": (changed("segments", '"line":1', '"line":'), "segments.jsonl, line 1: is not valid JSON"),
    "nested JSON": (lambda files: files.update({"segments.jsonl": "[" * 10**6 + "\n"}), "line 1: is not valid JSON"),
    "a huge number": (changed("segments", '"line":1', f'"line":{"9" * 5000}'), "line 1: is not valid JSON"),
    "no object": (lambda files: files.update({"segments.jsonl": "[1]\n"}), "line 1: is not a JSON object"),
    "not a number": (changed("judgments", '"active_seconds":null', '"active_seconds":NaN'), "NaN is not a number"),
    "a field too few": (changed("systems", '"kind":"system",', ""), "has too few or too many fields: kind"),
    "a hostile system": (changed("systems", "Heron", "../Heron"), "cannot name a system"),
    "an organiser": (changed("judges", '"role":"judge"', '"role":"organiser"'), "membership_organiser_has_user"),
    "the answer to another screen": (another_screen, "has another screen than assignment"),
    "a slot twice": (changed("screens", '"position":1', '"position":0'), "two candidates at one place"),
    "another's fingerprint": (
        changed("candidates", '"fingerprint":"', '"fingerprint":"0'), "fingerprint is longer than 32",
    ),
    "a judge excluded by the rule and not": (
        changed("judges", '"excluded_by_rule":false', '"excluded_by_rule":true'),
        "line 1: contradicts itself or an earlier line",
    ),
    "a judge who counts and is judged again": (
        changed("judges", '"judged_again":false', '"judged_again":true'),
        "line 1: contradicts itself or an earlier line",
    ),
    "a hostile judge": (changed("judges", '"ada"', '"a\\u0000da"'), "is not a text that can be stored"),
    "half a character": (changed("segments", '"text":"', '"text":"\\ud800'), "is not a text that can be stored"),
    "an unknown kind": (changed("systems", '"kind":"system"', '"kind":"oracle"'), "kind is none of"),
    "a name twice": (changed("systems", "Magpie", "Heron"), "name 'Heron' is used twice"),
    "a truth of one": (changed("screens", '"automatic":false', '"automatic":0'), "automatic is none of"),
    "an unknown segment": (changed("screens", '"segment":', '"segment":7'), "is not in segments.jsonl"),
    "a foreign candidate": (changed("outputs", '"candidate":1,', '"candidate":9,'), "belongs to another segment"),
    "a candidate not collapsed": (changed("candidates", "He go", "He  go"), "white space"),
    "a wrong number": (
        changed("assignments", '"number":2', '"number":9'), "has the number 9; lines are numbered from 1",
    ),
    "an assignment's order": (
        changed("assignments", '"order":"', '"order":"z'), "an order that does not fit its screen",
    ),
    "an assignment of nobody": (
        changed("assignments", '"judge":"ada"', '"judge":null'), "was submitted, but has no judge",
    ),
    "an unknown judge": (changed("assignments", '"judge":"ada"', '"judge":"eve"'), "judge 'eve' is not in judges"),
    "a repeat of itself": (
        changed("assignments", '"repeats":null', '"repeats":1'), "repeats something else than an earlier assignment",
    ),
    "a candidate that is not there": (changed("judgments", '"candidate":', '"candidate":99'), "is not in candidates"),
    "another's answer": (one_candidate_twice, "answers twice for a candidate"),
    "a score": (changed("judgments", '"rank":1', '"score":1'), "answers: has too few or too many fields: rank"),
    "deeply nested edits": (changed("outputs", '"edits":null', f'"edits":{"[" * 400 + "]" * 400}'), "too deeply"),
    "edits without an end": (changed("outputs", '"edits":null', '"edits":[[0]]'), "not start, end, corrections"),
    "a rank of 0": (changed("judgments", '"rank":1', '"rank":0'), "answers: rank must lie between 1 and 20"),
    "a time without zone": (changed("judgments", "+00:00", ""), "is not a time such as"),
    "a key too much": (changed("judgments", '"key":"', '"key":"0'), "key is not a UUID such as"),
    "an unknown setting": (changed("campaign", '"name"', '"nome"'), "settings unknown to this platform"),
    "a wrong setting": (changed("campaign", '"redundancy":2', '"redundancy":-2'), "redundancy: must lie between"),
    "another protocol": (changed("campaign", '"ranking"', '"guessing"'), "protocol: there is no 'guessing'"),
    "answers of another protocol": (
        changed("campaign", '"ranking"', '"rating"'), "too many fields: meaning_changed, rank",
    ),
    "a list as a name": (changed("campaign", '"A campaign"', '["A"]'), "name: is not a text that can be stored"),
    "an assignment of nobody with an answer": (an_answer_of_nobody, "belongs to assignment 1, which has no judge"),
    "an assignment after a broken one": (a_broken_assignment_and_its_repeat, "assignments.jsonl, line 1: position"),
    "one judgment twice": (one_key, "judgments.jsonl, line 2: contradicts itself or an earlier line"),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_a_bundle_that_does_not_fit_is_refused_in_a_sentence_and_nothing_is_stored(campaign, ada, what):
    factory.judge_batch(ada)
    content = bundle(campaign)
    before = Campaign.objects.count(), Judgment.objects.count(), Membership.objects.count()
    files = unpacked(content)
    change, message = BROKEN[what]
    change(files)
    with pytest.raises((Problems, Refused)) as refused:
        restored(packed(files), slug="copy")
    assert message in str(refused.value)
    assert (Campaign.objects.count(), Judgment.objects.count(), Membership.objects.count()) == before


def refused(campaign: Campaign, change: Callable[[dict], None]) -> str:
    files = unpacked(bundle(campaign))
    change(files)
    with pytest.raises(Problems) as reason:
        restored(packed(files), slug="again")
    assert not Campaign.objects.filter(slug="again").exists()
    return str(reason.value)


def test_a_verdict_is_about_a_usage_and_edits_do_not_overlap(db):
    message = refused(factory.open_verdicts(), changed("screens", '"usage":1', '"usage":null'))
    assert "has no usage in a verdict campaign" in message
    campaign = correction_campaign()
    bring(campaign, {("ada", 1): [(0, 2, "She", ""), (3, 5, "goes", "")]})
    message = refused(campaign, changed("judgments", '"start":3', '"start":1'))
    assert "judgments.jsonl, line 1: has edits that overlap" in message


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04"])
def test_content_that_is_no_zip_is_refused(db, content):
    with pytest.raises(Problems, match="cannot be read as a ZIP"):
        restored(content)


@given(st.data())
def test_a_bundle_that_was_damaged_on_the_way_is_refused_or_as_it_was(small, data):
    content = bytearray(small)
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    with suppress(Problems), open_bundle("bundle.zip", io.BytesIO(bytes(content))) as damaged:
        damaged.settings()
        damaged.check(PROTOCOLS["ranking"])


@pytest.fixture(scope="module")
def small() -> bytes:
    files = {table.file: "" for table in FILES.values()}
    manifest = {"format": FORMAT, "version": VERSION, "lines": dict.fromkeys(FILES, 0)}
    return packed(files | {"campaign.json": '{"slug":"empty"}\n', "bundle.json": json.dumps(manifest) + "\n"})


@pytest.mark.wide
def test_a_bomb_is_not_unpacked(small):
    files = unpacked(small) | {"segments.jsonl": ('{"line":1}' + " " * 10**6 + "\n") * 50}
    manifest = {"format": FORMAT, "version": VERSION, "lines": dict.fromkeys(FILES, 0) | {"segments": 50}}
    content = packed(files | {"bundle.json": json.dumps(manifest) + "\n"})
    assert len(content) < 10**6
    with (
        open_bundle("bundle.zip", io.BytesIO(content), most_bytes=10**4) as bomb,
        pytest.raises(Problems, match="exceeds the limit for unpacked bundles"),
    ):
        bomb.check(PROTOCOLS["ranking"])


def test_a_line_without_an_end_is_not_read_to_its_end(small):
    content = packed(unpacked(small) | {"campaign.json": " " * (LONGEST_LINE + 1)})
    with open_bundle("bundle.zip", io.BytesIO(content)) as endless, pytest.raises(Problems, match="or is too long"):
        endless.settings()


@pytest.mark.parametrize("table", FILES.values(), ids=FILES)
def test_the_documentation_names_every_field(table: TablePolicy):
    (row,) = re.findall(rf"^\| `{table.file}` \|(.*)\|$", Path("docs/formats.md").read_text(), re.MULTILINE)
    parts = [part for protocol in PROTOCOLS.values() if (part := table.parts(protocol))]
    names = {name for one in [table, *parts] for name in one.fields} | {part.name for part in parts}
    names |= {"number"} if table.is_numbered else set()
    assert [name for name in names if f"`{name}`" not in row] == []
