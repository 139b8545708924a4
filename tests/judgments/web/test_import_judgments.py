"""Judgments from elsewhere on their page and by the API: checked, previewed, stored once, and only when asked."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from rest_framework.test import APIClient

from judgments.campaigns import states
from judgments.exchange.importers.importing import BY_FORMAT, KINDS
from judgments.models import Campaign, FilePiece, Judgment, Membership, Upload
from judgments.protocols import PROTOCOLS
from tests import factory
from tests.judgments.exchange.corrections import MADE, correction_campaign, lines_of
from tests.judgments.jobs.running import run_job

# In sentence 0 Wren and the source are equal, in sentence 1 Heron and Wren.
PAIRS = "segmentId,judgeId,system1Id,system1rank,system2Id,system2rank\n"
RANKED = f"{PAIRS}0,ada,Heron,1,Wren,2\n0,ben,Wren,1,source,2\n0,eve,Wren,2,source,2\n1,ada,Heron,1,Wren,1\n"
RATED = "judge,segment,system,score\nada,1,Heron,4\nada,1,Magpie,1\nben,2,Heron,5\n"
VERDICTS = "judge,usage,finding\nada,u1,error\nada,u2,ok\n"


@pytest.fixture
def prepared(db) -> Campaign:
    return factory.make_campaign()


@pytest.fixture
def oscar(prepared):
    return factory.organiser(prepared, "oscar")


@pytest.fixture
def client(oscar, browser_of, no_worker):
    return browser_of(oscar)


def send(client, campaign: Campaign, text: str | bytes, file_format: str, **given) -> str:
    """The page after a file was sent and a worker has looked at it."""
    content = text if isinstance(text, bytes) else text.encode()
    file = SimpleUploadedFile("theirs.csv", content)
    address = reverse("import_judgments", args=[campaign.slug])
    answer = client.post(address, {"file": file, "format": file_format, **given})
    return look(client) if answer.status_code == 302 else answer.content.decode()


def look(client) -> str:
    upload = Upload.objects.latest("pk")
    run_job("upload", upload.pk)
    return client.get(upload.get_absolute_url()).content.decode()


def store(client) -> str:
    upload = Upload.objects.latest("pk")
    given = {"request_number": upload.request_number}
    client.post(reverse("store_upload", args=[upload.campaign.slug, upload.pk]), given)
    return look(client)


def test_an_organiser_previews_judgments_and_stores_them(client, prepared):
    material, address = (reverse(name, args=[prepared.slug]) for name in ("material", "import_judgments"))
    assert address in client.get(material).content.decode()
    page = send(client, prepared, RANKED, "pairs-csv")
    assert "Store 4 rankings" in page
    assert '<th scope="row">ada</th><td class="number" data-value="2">2</td>' in page
    assert '<th scope="row">Wren</th><td class="number" data-value="4">4</td>' in page
    assert "1 of 4 judgments group systems otherwise than their outputs" in page
    assert "Wren and source apart (1)" in page
    assert not Judgment.objects.exists(), "nobody asked for it"
    page = store(client)
    assert "Stored: 4 rankings added, 0 were already stored." in page
    assert "Wren and source apart (1)" in page
    assert Judgment.objects.count() == 4
    assert not FilePiece.objects.exists()
    page = send(client, prepared, RANKED, "pairs-csv")
    assert "All judgments of this file are already stored." in page
    assert "Store " not in page


def test_what_does_not_fit_is_listed_with_its_line_and_cannot_be_stored(client, prepared):
    page = send(client, prepared, f"{PAIRS}0,ada,Heron,1,Wren,x\n0,,Heron,1,Wren,1\n", "pairs-csv")
    assert "This file cannot be stored. 2 problems:" in page
    assert "<strong>theirs.csv</strong>, line 3: needs a judge" in page
    assert "Store " not in page
    store(client)
    assert not Judgment.objects.exists()


def test_a_file_is_read_in_another_way_without_being_sent_again(client, prepared):
    page = send(client, prepared, f"{PAIRS}1,ada,Heron,1,Magpie,2\n", "pairs-csv")
    assert "sentences could be numbered from 0 or from 1" in page
    upload = Upload.objects.get()
    address = reverse("check_judgments", args=[prepared.slug, upload.pk])
    assert client.post(address, {"format": "pairs-csv", "numbered_from": "1"}).url == upload.get_absolute_url()
    assert 'name="store" value="2" class="primary">Store 1 ranking</button>' in look(client)
    client.post(address, {"format": "pairs-csv", "numbered_from": "0", "joined_by": "comma", "store": "2"})
    look(client)
    assert Judgment.objects.get().screen.segment.position == 1


def test_the_preview_asks_how_names_are_joined(client, db, oscar):
    campaign = factory.make_campaign({"source": ["a"], "A": ["b"], "B": ["b"], "A+B": ["c"], "C": ["d"]}, slug="joined")
    factory.campaign_settings.make_organiser(campaign, "oscar")
    page = send(client, campaign, f"{PAIRS}0,ada,A+B,1,C,2\n", "pairs-csv", numbered_from="0")
    assert "choose how names are joined" in page
    assert "Store " not in page
    address = reverse("check_judgments", args=[campaign.slug, Upload.objects.get().pk])
    client.post(address, {"format": "pairs-csv", "numbered_from": "0", "joined_by": "plus"})
    assert "Store 1 ranking</button>" in look(client)


def test_skip_unmatched_of_a_larger_file_is_previewed_and_stored(client, prepared):
    page = send(client, prepared, f"{RANKED}0,ada,Heron,1,Stork,2\n8,ada,Heron,1,Wren,2\n", "pairs-csv")
    assert "names systems that the campaign does not have: Stork (it has " in page
    assert "Store " not in page
    address = reverse("check_judgments", args=[prepared.slug, Upload.objects.get().pk])
    client.post(address, {"format": "pairs-csv", "skip_unmatched": "on", "numbered_from": "0"})
    page = look(client)
    assert "Store 4 rankings" in page
    assert "4 of 6 judgments fit; left out: outputs of Stork (in 1 judgment) and sentence 8 (in 1 judgment)" in page
    assert "4 of 6 judgments fit" in store(client)


def test_a_format_must_be_chosen_and_a_scale_has_two_ends(client, prepared, oscar):
    assert "Choose the format of the file." in send(client, prepared, RANKED, "")
    assert "Choose the file." in client.post(reverse("import_judgments", args=[prepared.slug]), {}).content.decode()
    rating = factory.make_campaign(protocol="rating")
    factory.campaign_settings.make_organiser(rating, "oscar")
    assert "Give both ends of the scale, or neither." in send(client, rating, RATED, "ratings-csv", lowest="1")
    assert not Upload.objects.exists()
    page = send(client, rating, RATED, "ratings-csv", lowest="1", highest="5", numbered_from="1")
    assert "Store 2 ratings" in page
    assert "scores from 1 to 5 are converted to the scale from 0 to 100" in page
    store(client)
    scores = Judgment.objects.order_by("pk").values_list("rating__score", flat=True)
    assert list(scores) == [75, 0, 100]


@pytest.mark.parametrize(
    ("make", "content", "file_format", "given", "shown"),
    [
        (factory.make_verdicts, VERDICTS, "verdicts-csv", {}, "Store 2 verdicts"),
        (correction_campaign, lines_of(MADE), "corrections-jsonl", {}, "Store 7 corrections"),
        (correction_campaign, "A .\nB .\nC .\nD .\n", "corrections-text", {"judges": " ben \n"}, 'row">ben</th>'),
    ],
)
def test_verdicts_and_corrections_come_in_too(client, oscar, make, content, file_format, given, shown):
    campaign = make()
    factory.campaign_settings.make_organiser(campaign, "oscar")
    assert shown in send(client, campaign, content, file_format, **given)
    assert "Stored: " in store(client)
    assert Judgment.objects.filter(assignment__campaign=campaign).exists()


def test_a_campaign_without_outputs_gets_none_only_where_this_was_asked_for(client, oscar):
    bare = Campaign.objects.create(slug="bare", name="Bare")
    factory.campaign_settings.make_organiser(bare, "oscar")
    assert "bare has no outputs yet. Upload them first" in send(client, bare, RANKED, "pairs-csv")
    assert "Store 4 rankings" in send(client, bare, RANKED, "pairs-csv", without_texts="on")
    store(client)
    assert "without_texts" not in client.get(reverse("import_judgments", args=["bare"])).content.decode()


def test_a_closed_campaign_takes_judgments_and_an_archived_one_none(client, prepared):
    Campaign.objects.filter(pk=prepared.pk).update(state="closed")
    assert "Store 4 rankings" in send(client, prepared, RANKED, "pairs-csv")
    states.archive_campaign(Campaign.objects.get(pk=prepared.pk))
    store(client)
    assert not Judgment.objects.exists()
    page = client.get(reverse("import_judgments", args=[prepared.slug])).content.decode()
    assert "Take it out of the archive" in page
    assert not Upload.objects.filter(campaign=prepared).count() > 1


def test_files_not_stored_are_listed_and_can_be_discarded(client, prepared):
    page = send(client, prepared, RANKED.replace("eve", "<script>x"), "pairs-csv")
    upload, address = Upload.objects.get(), reverse("import_judgments", args=[prepared.slug])
    assert upload.get_absolute_url() in client.get(address).content.decode()
    assert upload.get_absolute_url() not in client.get(reverse("material", args=[prepared.slug])).content.decode()
    assert client.get(reverse("upload", args=[prepared.slug, upload.pk])).status_code == 404, "it is no material"
    assert client.post(reverse("discard_upload", args=[prepared.slug, upload.pk])).url == address
    assert not Upload.objects.exists()
    assert "&lt;script&gt;x" in page
    assert "<script>x" not in page


def test_a_protocol_without_formats_and_too_large_a_file_are_refused_in_a_sentence(client, prepared, monkeypatch):
    address = reverse("import_judgments", args=[prepared.slug])
    monkeypatch.setattr("judgments.material.uploads.MOST_BYTES", 10)
    assert "larger than" in send(client, prepared, RANKED, "pairs-csv")
    monkeypatch.setattr("judgments.web.views.shared.MOST_BYTES", -(2**20))
    answer = client.post(address, {"file": SimpleUploadedFile("x", b"x" * 100)})
    assert "larger than" in client.get(answer.url).content.decode()
    assert not Upload.objects.exists()
    monkeypatch.setattr("judgments.web.views.import_judgments.kind_for", lambda campaign: None)
    page = client.get(address).content.decode()
    assert "There is no format for judgments of a ranking campaign." in page


def test_the_pages_ask_a_fixed_number_of_questions(client, prepared, django_assert_num_queries):
    for text in (RANKED, f"{RANKED}2,dan,Heron,1,Wren,1\n3,flo,Heron,1,Wren,2\n"):
        send(client, prepared, text, "pairs-csv")
        address = Upload.objects.latest("pk").get_absolute_url()
        with django_assert_num_queries(7):
            client.get(address)
        with django_assert_num_queries(7):
            client.get(reverse("import_judgments", args=[prepared.slug]))


def test_every_protocol_has_formats_and_no_format_has_two():
    assert {kind.answers for kind in KINDS} == {protocol.answer_model for protocol in PROTOCOLS.values()}
    assert len(BY_FORMAT) == sum(len(kind.formats) for kind in KINDS)


# By the API


@pytest.fixture
def api(oscar, no_worker) -> APIClient:
    client = APIClient()
    client.force_authenticate(oscar)
    return client


def post(api: APIClient, campaign: Campaign, text: str = RANKED, once: str = "", **given):
    address = reverse("api_import_judgments", args=[campaign.slug])
    sent = {"file": SimpleUploadedFile("theirs.csv", text.encode()), "format": "pairs-csv"} | given
    return api.post(address, sent, "multipart", **({"HTTP_IDEMPOTENCY_KEY": once} if once else {}))


def test_a_program_previews_judgments_and_stores_them(api, prepared):
    made = post(api, prepared)
    assert (made.status_code, made.json()["purpose"], made.json()["state"]) == (202, "judgments", "queued")
    address = made["Location"]
    run_job("upload", Upload.objects.get().pk)
    found = api.get(address).json()
    assert (found["can_be_stored"], found["preview"]["added"], found["preview"]["judges"]) == (True, 4, 3)
    assert found["preview"]["by_judge"] == [["ada", 2], ["ben", 1], ["eve", 1]]
    assert "1 of 4 judgments group systems otherwise" in found["notes"][1]
    assert not Judgment.objects.exists()
    assert api.post(f"{address}store/").status_code == 202
    run_job("upload", Upload.objects.get().pk)
    assert api.get(address).json()["taken"]["added"] == 4
    assert Membership.objects.filter(campaign=prepared, role=Membership.Role.JUDGE).count() == 3


def test_a_program_is_told_what_does_not_fit(api, prepared):
    for _ in range(2):
        address = post(api, prepared, f"{PAIRS}0,ada,Heron,1,Wren,x\n", once="once")["Location"]
    run_job("upload", Upload.objects.get().pk)  # a repeated request is one upload
    (problem,) = api.get(address).json()["problems"]
    assert (problem["file"], problem["line"]) == ("theirs.csv", 2)
    assert api.post(f"{address}store/").status_code == 409
    assert api.patch(address, {"source": "x"}, "json").status_code == 409
    assert api.post(f"{address}discard/").status_code == 200
    assert post(api, prepared, format="coffee").status_code == 400
    rating = factory.make_campaign(protocol="rating", slug="rated")
    factory.campaign_settings.make_organiser(rating, "oscar")
    for lowest in ("x", "nan", "-inf", "100"):
        assert post(api, rating, format="ratings-csv", lowest=lowest, highest=100).status_code == 400
