"""To Pearmut and back: campaigns, and answers with the same scores."""

import json

import pytest

from judgments.exchange.exporters import EXPORTS
from judgments.material.rules.reading import Roles, read_material
from judgments.material.upload_handlers import TextHandler
from judgments.models import Campaign, Rating
from judgments.rules.files.text_files import UploadedFile
from ranking.reports.ballots import collect
from tests import factory
from tests.judgments.exchange.importing import bring_in


def exported(campaign: Campaign, name: str) -> str:
    return b"".join(EXPORTS[name].blocks(campaign)).decode()


def test_what_is_not_assigned_is_one_stream_of_documents(db):
    texts = {"source": [*factory.SOURCE[:2], "", factory.SOURCE[2]]}
    texts |= {name: [*lines[:2], "", lines[2]] for name, lines in factory.SYSTEMS.items()}
    campaign = factory.make_campaign(texts, Roles(references=frozenset({"Magpie"})), redundancy=3)
    found = json.loads(exported(campaign, "pearmut-campaign.json"))
    assert found["info"] == {"assignment": "single-stream", "protocol": "DA", "users": 3}
    assert [len(document) for document in found["data"]] == [2, 1]
    assert found["data"][0][1] == {
        "item_id": f"{campaign.slug}_#_document-1_#_2",
        "src": "She have a cat .",
        "tgt": {"Heron": "She has a cat .", "Wren": "She has a cat ."},
    }


@pytest.mark.parametrize("protocol", ["ranking", "rating"])
def test_each_round_of_a_batch_is_a_task_with_the_outputs_of_its_screens(db, protocol):
    campaign = factory.open_campaign(protocol=protocol)
    found = json.loads(exported(campaign, "pearmut-campaign.json"))
    assert found["info"]["assignment"] == "task-based"
    # Five sentences are batches of three and two, each for two judges.
    assert sorted(len(task) for task in found["data"]) == [2, 2, 3, 3]
    items = [item for task in found["data"] for document in task for item in document]
    assert sorted(item["src"] for item in items) == sorted(factory.SOURCE * 2)
    outputs = factory.SYSTEMS | {"source": factory.SOURCE}
    for item in items:
        line = factory.SOURCE.index(item["src"])
        assert item["tgt"] == {name: lines[line] for name, lines in outputs.items()}


def test_a_campaign_of_ours_is_material_again(db):
    file = UploadedFile("campaign.json", exported(factory.open_campaign(), "pearmut-campaign.json").encode())
    material = read_material(TextHandler().open_files([file]), Roles(source_takes_part=True))
    texts = {system.name: list(system.texts) for system in [material.source, *material.systems] if system}
    order = texts["source"]
    assert sorted(order) == sorted(factory.SOURCE)
    for name, lines in factory.SYSTEMS.items():
        assert texts[name] == [lines[factory.SOURCE.index(sentence)] for sentence in order]


def test_answers_come_back_with_the_same_scores(db):
    campaign = factory.open_campaign(protocol="rating")
    for name in ("ada", "ben"):
        factory.answer_all(factory.judge(campaign, name))
    answers = exported(campaign, "pearmut-answers.jsonl")
    assert len(answers.splitlines()) == 10
    other = factory.make_campaign(protocol="rating")
    imported = bring_in(other, "answers.jsonl", answers.encode(), "pearmut")
    assert (imported.added, imported.judges, imported.subjects) == (10, 2, 5)
    assert bring_in(other, "answers.jsonl", answers.encode(), "pearmut").added == 0
    columns = ("judgment__assignment__judge__pseudonym", "screen__segment__position", "candidate__text", "score")
    there, here = (
        sorted(Rating.objects.filter(judgment__assignment__campaign=one).values_list(*columns))
        for one in (campaign, other)
    )
    assert there == here
    assert len(collect(other).ballots) == len(collect(campaign).ballots)
