"""Campaigns of verdicts on edits, and files in which annotators typed them."""

from collections.abc import Mapping

from judgments.exchange.importers.joining import ImportedJudgments
from judgments.models import Campaign, EditVerdicts
from judgments.rules.texts.edits import read_judged
from tests import factory
from tests.judgments.exchange.importing import bring_in
from tests.judgments.rules.zips import packed

SOURCE = ["He go to school every days .", "I likes tea .", "Fine ."]
OUTPUTS = {
    "Heron": ["He goes to school every day .", "I like tea .", "Fine ."],
    "Wren": ["He went to the school every days .", "I like coffee .", "Fine ."],
    "Magpie": ["He goes to school every days .", "I likes tea .", "Fine !"],
}
FIRST = """\
<Source with context>
<t>He [go] to school every [days] .</t>
I likes tea .

<Correction>
<s1>He [go→goes|True] to school every [days→day|True] .</s1>
<s2>He [go→went|True] to [→the|False] school every days .</s2>
<s3>He [go→goes|True] to school every days .</s3>
"""
SECOND = """\
<Source with context>
He go to school every days .
<t>I [likes] tea .</t>

<Correction>
<s1>I [likes→like|True] tea .</s1>
<s2>I [likes→like|True] [tea→coffee|False] .</s2>
"""
FILES = {
    "ada/1.txt": FIRST,
    "ada/2.txt": SECOND,
    "ben/1.txt": FIRST.replace("go→went|True", "go→went|False"),
    "ben/2.txt": SECOND,
}
RANKINGS = """<appraise-results>
<ranking-item id="0" src-id="0" user="ada">
<translation rank="1" system="Heron"/><translation rank="3" system="Wren"/><translation rank="2" system="Magpie"/>
</ranking-item>
<ranking-item id="1" src-id="1" user="ada">
<translation rank="1" system="Heron"/><translation rank="2" system="Wren"/><translation rank="3" system="Magpie"/>
</ranking-item>
</appraise-results>"""


def marked_campaign(**texts: list[str]) -> Campaign:
    """Versions of three systems; other texts are references."""
    roles = factory.Roles(references=frozenset(texts))
    return factory.make_campaign({"source": SOURCE, **OUTPUTS, **texts}, roles, protocol="marking")


def bring(campaign: Campaign, files: Mapping[str, str] = FILES, **wishes) -> ImportedJudgments:
    return bring_in(campaign, "typed.zip", packed(files), "edits-text", **wishes)


def stored(campaign: Campaign) -> dict[tuple[str, int, str], tuple]:
    """By judge, line and version: its edits with their verdicts, and its rank."""
    rows = EditVerdicts.objects.filter(judgment__assignment__campaign=campaign).order_by("pk")
    return {
        (judge, position + 1, text): (tuple(map(tuple, read_judged(edits))), rank)
        for judge, position, text, edits, rank in rows.values_list(
            "judgment__assignment__judge__pseudonym", "screen__segment__position", "candidate__text", "edits", "rank"
        )
    }
