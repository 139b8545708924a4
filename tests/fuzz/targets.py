"""Every reader of uploaded files, with small good files to begin from; a new format is a line of `TARGETS`."""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judgments.archive.reading import open_bundle
from judgments.archive.tables import CAMPAIGN_FILE, FILES, FORMAT, MANIFEST, VERSION
from judgments.archive.writing import line
from judgments.exchange.importers.rules import RATINGS
from judgments.exchange.importers.rules.corrections import (
    Sentences,
    read_corrections_jsonl,
    read_corrections_m2,
    read_parallel,
)
from judgments.exchange.importers.rules.edits_text import EditedMaterial, Versions, read_edits_text
from judgments.exchange.importers.rules.rankings import read_appraise_xml, read_pairs_csv, read_wmt_csv
from judgments.exchange.importers.rules.ratings import CampaignTexts, KnownLine
from judgments.exchange.importers.rules.recorded import ImportOptions
from judgments.exchange.importers.rules.verdicts_csv import read_verdicts_csv
from judgments.material.rules.pearmut import expand_pearmut
from judgments.material.rules.reading import Roles, read_material
from judgments.material.rules.usages import read_classes, read_usages
from judgments.protocols import PROTOCOLS
from judgments.rules.authored.edit_verdicts import DEFAULT
from judgments.rules.authored.prose import to_html
from judgments.rules.files.archives import read_archive
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import UploadedFile, read_text
from judgments.rules.texts.diff import compare
from judgments.rules.texts.edits import apply_edits, derive_edits
from judgments.rules.texts.m2 import annotators, read_m2
from judgments.rules.texts.m2 import correct_sentence as made
from judgments.rules.texts.marking import find_marked_usage
from judgments.rules.texts.token_edits import by_characters, by_tokens
from ranking.metrics.ensemble import EnsembleModel
from ranking.scores.files import GivenFile
from ranking.scores.people import read_human
from tests.judgments.rules.zips import packed

SENTENCES = ("She go to school every day .", "They has two dog 's .", "Zażółć gęślą jaźń 👩‍👧 .")
SYSTEMS = ("CAMB", "AMU", "RAC", "CUUI")
SOURCE = "\n".join(SENTENCES).encode() + b"\n"
M2 = b"""S She go to school every day .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 3 3|||M:DET|||the||a|||REQUIRED|||-NONE-|||1

S They has two dog 's .
A 1 2|||SVA|||have|||REQUIRED|||-NONE-|||0
A 3 5|||Nn|||dogs|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S %b
A 0 1|||UNK|||-NONE-|||REQUIRED|||-NONE-|||0
""" % SENTENCES[2].encode()
XML = b"""<?xml version="1.0" encoding="UTF-8"?>
<appraise-results>
<error-correction-ranking-result id="x" source-language="err" target-language="cor">
<ranking-item doc-id="10000.0.txt-0" duration="00:01:07.524000" id="0" src-id="135" user="ada">
<translation rank="3" system="CAMB"/><translation rank="1" system="IITB INPUT"/></ranking-item>
<ranking-item doc-id="10000.0.txt-1" id="1" src-id="7" user="ben" skipped="true"/>
</error-correction-ranking-result></appraise-results>
"""
WMT = b"""srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id,\
system1rank,system2rank
src,trg,1,doc,1,ada,-1,CAMB,-1,AMU,1,2
src,trg,2,doc,2,ben,-1,CAMB,-1,RAC,-1,-1
"""
PAIRS = b"segmentId,judgeId,system1Id,system1rank,system2Id,system2rank\n1,ada,CAMB,1,AMU,2\n1,ada,CAMB,1,RAC,2\n"
USAGES = b"""id,document,domain,sentence,start,end,gold
a1,d,news,In the May 5 .,3,6,error
a2,d,news,"He said ""no"" .",0,2,ok
"""
JSON_USAGES = b"""{"id": "a1", "sentence": "In the May 5 .", "start_token": 1, "end_token": 2, "gold": "error"}
{"id": "a2", "sentence": "He go .", "start": 3, "end": 5}
"""
CLASSES = [b"id,probability\na1,0.9\na2,.25\n", b"id,class\na1,1\na2,0\n", b"id,class\na1,error\na2,ok\n"]
PLAIN_CLASSES = b"a1 1\na2 0.5\n"
VERDICTS = b"judge,usage,finding,skip_reason,seconds,control\nada,a1,error,,3.5,no\nben,a2,,unreadable,1,yes\n"
JSON_CORRECTIONS = b"""{"judge": "ada", "line": 1, "edits": [{"start": 4, "end": 6, "replacement": "goes"}]}
{"judge": "ada", "line": 2, "edits": [], "seconds": 12.5}
{"judge": "ben", "line": 3, "edits": [], "label": "fragment"}
"""
SCORES = {
    "ratings-csv": b"judge,segment,systems,score,meaning_changed,screen\nada,1,CAMB AMU,87.5,yes,3\nben,1,RAC,0,,4\n",
    "gmeg-csv": b"CAMB,AMU,ref\n91.75,,50\n,,\n0,1e1,100\n",
    "wmt-da-csv": b"ada,CAMB+AMU,47,TGT,eng,deu,86\nada,RAC,47,BAD,eng,deu,3\nada,RAC,47,CHK,eng,deu,8,essay,True\n",
    "wmt-esa-csv": b'ada,RAC,47,TGT,eng,deu,86,essay,False,"[{""start_i"":1}]",1724876793.7,1724876802.5\n',
    "pearmut": b"""{"user_id": "ada", "item_i": 0, "actions": [{"time": 1}, {"time": 2.5}],
"item": [{"src": "a b", "tgt": {"CAMB": "c"}}], "annotation": [{"CAMB": {"score": 87, "error_spans": []}}]}
""".replace(b"\n", b""),
}
PEARMUT = b"""{"info": {"assignment": "task-based"}, "data": [[[{"src": "a", "tgt": {"A": "b"}, "item_id": 1}],
[{"src": "c", "tgt": {"A": "d", "B": ""}, "ref": "e"}, {"text": "?", "form": null}]]]}"""
HUMAN = b"segment,CAMB,AMU,RAC,CUUI\n1,50,60,70,10\n2,1,2,3,4\n3,.5,,7e1,100\n"
MODEL = b"""{"format": "ensemble of appraise-gec, 1", "features": ["a"],
"weights": [1.5], "constant": 0.5, "alpha": 1.0, "metrics": ["a"],
"signatures": ["a|b"], "trained_on": "toy", "instances": 3}
"""
PLACES = b"segment\tdocument\tdomain\n1\ta\tnews\n2\ta\tnews\n3\tb\tessays\n"
PROSE = b"# Rules\n\nRank **all** of them; `best` first.\n\n* one\n* two\n\n[a link](https://example.org) <b>no</b>\n"
ROWS = [
    b'{"id": 1, "name": "a", "text": "She go .", "position": 0, "document": 1, "segment": 1, "system": 1}\n',
    b'{"id": 1, "assignment": 1, "screen": 1, "key": "0f", "revision": 1, "ranks": [1, 2], "submitted_at": ""}\n',
    b'{"id": 1, "judge": 1, "edits": [[0, 3, "He", ""]], "finding": "error", "probability": 0.5, "skipped": true}\n',
]


@dataclass(frozen=True)
class Target:
    seeds: Sequence[bytes]
    read: Callable[[bytes], Any]


def _material(content: bytes) -> object:
    files = [UploadedFile("source.txt", SOURCE), UploadedFile("CAMB.txt", SOURCE), UploadedFile("AMU.txt", content)]
    return read_material(files, Roles(source="source"))


def _with_documents(content: bytes) -> object:
    files = [
        UploadedFile("source.txt", SOURCE),
        UploadedFile("CAMB.txt", SOURCE),
        UploadedFile("documents.tsv", content),
    ]
    return read_material(files, Roles(source="source"))


def _annotated(content: bytes) -> object:
    files = [UploadedFile("CAMB.txt", SOURCE), UploadedFile("AMU.txt", SOURCE), UploadedFile("gold.m2", content)]
    return read_material(files, Roles())


def _ratings(file_format: str) -> Callable[[bytes], object]:
    return lambda content: RATINGS[file_format].read(
        "x.csv",
        content,
        ImportOptions(file_format),
        CampaignTexts({"CAMB", "AMU"}, lambda: {"a b": [KnownLine(0, {"CAMB": "c"})]}),
    )


def _m2(content: bytes) -> object:
    sentences = read_m2(read_text("gold.m2", content))
    everybody = annotators(sentences)
    return [made(sentence, annotator) for sentence in sentences for annotator in everybody]


def _bundle(content: bytes) -> object:
    with open_bundle("campaign.zip", io.BytesIO(content), 2**20) as bundle:
        bundle.check(PROTOCOLS["ranking"])
        return bundle.settings()


def _bundle_with_rows(content: bytes) -> object:
    """The same rows in each file, so that each kind has to say what it misses in them."""
    rows = b"\n".join(content.splitlines()[:20]) + b"\n"
    return [_value_or_problems(_bundle, _bundle_of({kind: rows})) for kind in FILES]


def _bundle_of(files: Mapping[str, bytes]) -> bytes:
    texts = {table.file: files.get(table.name, b"") for table in FILES.values()}
    lines = {name: files.get(name, b"").count(b"\n") for name in FILES}
    manifest = {"format": FORMAT, "version": VERSION, "lines": lines}
    return packed({**texts, CAMPAIGN_FILE: b'{"slug": "toy"}\n', MANIFEST: line(manifest).encode()})


def _value_or_problems(read: Callable[[bytes], object], content: bytes) -> object:
    try:
        return read(content)
    except Problems as error:
        return error.problems


def _two_texts(content: bytes) -> object:
    """The diff, and what is made of it; each direction gives the other text back."""
    old, _, new = content.decode(errors="replace").partition("\n")
    pieces = compare(old, new)
    assert "".join(piece.old for piece in pieces) == old
    assert "".join(piece.new for piece in pieces) == new
    edits = derive_edits(old, new)
    assert apply_edits(old, edits) == new
    return by_characters(old, by_tokens(old, edits))


PARALLEL = packed({"source.txt": SOURCE, "judge-0.txt": SOURCE, "judges.csv": b"file,judge\njudge-0.txt,ada\n"})
CORRECTIONS = Sentences((0, 1, 2), SENTENCES)
MARKED = b"""<Source with context>
<t>He [go] to school .</t>

<Correction>
<s1>He [go\xe2\x86\x92goes|True] to school[\xe2\x86\x92,] |False .</s1>
"""
MARKABLE = EditedMaterial({0: Versions("He go to school .", {1: "He goes to school, ."})}, DEFAULT)

TARGETS: Mapping[str, Target] = {
    "text": Target([SOURCE], _material),
    "documents": Target([PLACES], _with_documents),
    "m2": Target([M2], _m2),
    "references": Target([M2], _annotated),
    "zip": Target([packed({"source.txt": SOURCE, "CAMB.txt": M2})], lambda it: read_archive("x.zip", io.BytesIO(it))),
    "bundle": Target([_bundle_of({})], _bundle),
    "bundle-rows": Target(ROWS, _bundle_with_rows),
    "appraise-xml": Target([XML], lambda it: read_appraise_xml("x.xml", it)),
    "wmt-csv": Target([WMT], lambda it: read_wmt_csv("x.csv", it)),
    **{name: Target([content], _ratings(name)) for name, content in SCORES.items()},
    "pearmut-campaign": Target([PEARMUT], lambda it: expand_pearmut([UploadedFile("x.json", it)])),
    "pairs-csv": Target([PAIRS], lambda it: read_pairs_csv("x.csv", it)),
    "usages-csv": Target([USAGES], lambda it: read_usages("x.csv", it)),
    "usages-jsonl": Target([JSON_USAGES], lambda it: read_usages("x.jsonl", it)),
    "classes": Target(CLASSES, lambda it: read_classes("x.csv", it, {"a1", "a2"})),
    "classes-plain": Target([PLAIN_CLASSES], lambda it: read_classes("x.txt", it, {"a1", "a2"})),
    "verdicts-csv": Target([VERDICTS], lambda it: read_verdicts_csv("x.csv", it, {"a1", "a2"})),
    "corrections-jsonl": Target([JSON_CORRECTIONS], lambda it: read_corrections_jsonl("x.jsonl", it, CORRECTIONS, [])),
    "corrections-m2": Target([M2], lambda it: read_corrections_m2("x.m2", it, CORRECTIONS, [])),
    "edits-text": Target([MARKED], lambda it: read_edits_text("1.txt", it, MARKABLE, [])),
    "parallel": Target([SOURCE], lambda it: read_parallel("ada.txt", it, CORRECTIONS, [])),
    "parallel-zip": Target([PARALLEL], lambda it: read_parallel("x.zip", it, CORRECTIONS, [])),
    "human-scores": Target([HUMAN], lambda it: read_human(GivenFile("x.csv", it), SYSTEMS, 3)),
    "ensemble": Target([MODEL], lambda it: EnsembleModel.read(it.decode(errors="replace"))),
    "diff": Target([SOURCE, b"She go to school .\nShe goes to the school .", PROSE], _two_texts),
    "prose": Target([PROSE, b"> " * 40 + b"x", b"[" * 200 + b"](x)"], lambda it: to_html(it.decode(errors="replace"))),
    "marked": Target([b"In **the** May", PROSE], lambda it: find_marked_usage(it.decode(errors="replace"))),
}  # fmt: skip
