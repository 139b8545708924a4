"""The language of the interface: as the browser asks or as the reader chooses; never that of the sentences."""

import re

import pytest
from django.conf import settings
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation
from django.views.defaults import server_error

from judgments.assignment import claiming
from judgments.campaigns import settings as campaign_settings
from judgments.campaigns import states
from judgments.judges import invitations
from judgments.rules.texts.collapsing import fingerprint
from tests import factory

POLISH = {"accept-language": "pl-PL,pl;q=0.9,en;q=0.5"}
TEXTS = {
    "name": "Ćwiczenie",
    "instructions": "Czytaj *uważnie*.",
    "consent": "Odpowiedzi będą publiczne.",
    "tutorial": factory.TUTORIAL.replace(
        "Two errors are mended in the first version, one in the second.", "Pierwsza ma dwie poprawki, druga jedną."
    ),
    "questions": "? Jedynka to\n+ najlepsza wersja\n- najgorsza wersja\n! Tak mówi instrukcja.\n",
    "completion_code": "C1",
    "return_address": "https://example.org/{code}",
}
# Small words that some sentence of any page in English has.
ENGLISH = re.compile(r"\b(the|you|your|of|and|is|are|this|with|not|it|for|sentence|screen|answers?|rank)\b", re.I)


@pytest.fixture(autouse=True)
def _own_language():
    """A request leaves its language behind in the thread."""
    yield
    translation.deactivate()


@pytest.fixture
def pole() -> Client:
    """Somebody whose browser asks for Polish."""
    return Client(headers=POLISH)


def interface(page: str) -> str:
    """The text of the interface on a page, without texts in a language of their own, with names of controls."""
    text = re.sub(r'<(\w+)[^>]* lang="en"[^>]*>.*?</\1>', " ", page, flags=re.DOTALL)
    named = re.findall(r'(?:aria-label|title|placeholder)="([^"]*)"', text)
    return " ".join(" ".join([*named, re.sub(r"<[^>]*>", " ", text)]).split())


def check_polish(page: str, *phrases: str) -> str:
    """Check that the page is Polish throughout and has these phrases; return the page."""
    assert '<html lang="pl">' in page
    text = interface(page)
    assert not ENGLISH.findall(text), text
    for words in phrases:
        assert words in text
    return page


def ranks_on(page: str) -> dict[str, str]:
    """What the form on a page sends when everything is ranked first."""
    key = {"key": re.search(r'name="key" value="([^"]+)"', page)[1]}
    return key | dict.fromkeys(re.findall(r'name="(rank_\d+)"', page), "1")


def prepare(client: Client, slug: str) -> str:
    """From the button to begin to the first assignment, through consent, tutorial and questions; gives the
    assignment's address.
    """

    def at(name: str, *args) -> str:
        return reverse(name, args=[slug, *args])

    begun = client.post(at("begin"), follow=True).content.decode()
    check_polish(begun, "Zanim zaczniesz", "Zgadzam się")
    example = client.post(at("consent"), {"shown": fingerprint(TEXTS["consent"])}, follow=True).content.decode()
    check_polish(example, "Przykład 1 z 1", "Wersja A. Pozycja, 1 to najlepsza", "Enter prowadzi dalej.")
    check_polish(client.get(at("consent")).content.decode(), "Zgoda wyrażona:")
    feedback = client.post(at("example", 1), ranks_on(example)).content.decode()
    check_polish(feedback, "U ciebie A i B remisują, u nas B jest niżej.")
    questions = client.post(at("begin"), follow=True).content.decode()
    check_polish(questions, "Możesz na nie odpowiedzieć 2 razy.")
    wrong = client.post(at("questions"), {"question_1": "1", "attempts": "0"}, follow=True).content.decode()
    check_polish(wrong, "1 odpowiedź jest błędna. Możesz spróbować jeszcze raz.")
    return client.post(at("questions"), {"question_1": "0", "attempts": "1"}).url


@pytest.mark.wide
def test_a_judge_meets_polish_from_the_invitation_to_the_thanks(db, pole):
    campaign = factory.open_campaign(**TEXTS)
    (invitation,) = invitations.invite(campaign, ["dan"])
    address = reverse("join", args=[invitation.token])
    check_polish(pole.get(address).content.decode(), "Zapraszamy do oceniania", "Dołącz i oceniaj")
    assert pole.post(address).url == reverse("consent", args=[campaign.slug])
    overview = pole.get(reverse("campaign", args=[campaign.slug])).content.decode()
    check_polish(overview, "Ćwiczenie otwarta", "Co dalej", "Wypróbuj 1 przykład", "Zacznij oceniać")
    assignment = prepare(pole, campaign.slug)
    for number in (1, 2, 3):
        page = pole.get(assignment).content.decode()
        check_polish(page, f"{number} z 3", "Wyślij i przejdź dalej", "Nie umiem ocenić")
        assert re.search(r'<div lang="en"><p class="sentence source', page)
        assert len(re.findall(r'<p class="sentence" lang="en" dir="auto">', page)) > 1
        again = pole.post(assignment, {**ranks_on(page), "rank_1": ""}).content.decode()
        check_polish(again, "Wybierz pozycję wersji A.")
        assignment = pole.post(assignment, ranks_on(page)).url
    thanks = "Partia ukończona: 3 ekrany.", "Twój kod to C1", "Przekaż kod i zakończ"
    check_polish(pole.get(assignment).content.decode(), *thanks)
    for name, *phrases in (
        ("campaign", "Masz za sobą 3 ekrany.", "3 ekrany, ", "kod C1", "Oceniaj dalej"),
        ("answers", "Twoje odpowiedzi w kampanii Ćwiczenie"),
    ):
        check_polish(pole.get(reverse(name, args=[campaign.slug])).content.decode(), *phrases)
    check_polish(pole.get("/").content.decode(), "Ocenione ekrany", "Uszereguj zdania", "otwarta")


def test_refusals_are_in_polish(db, pole):
    campaign = factory.open_campaign(name="Ćwiczenie")
    judge = factory.judge(campaign, "ada")
    assignment = claiming.claim_next(judge)
    pole.force_login(judge.user)
    answers = ranks_on(pole.get(reverse("assignment", args=[assignment.pk])).content.decode())
    states.close_campaign(campaign)
    address = reverse("assignment", args=[assignment.pk])
    message = pole.post(address, answers, headers={"accept": "application/json"}).json()["message"]
    assert message == "Ta kampania jest zamknięta, więc nie przyjmuje już odpowiedzi."
    check_polish(pole.post(address, answers, follow=True).content.decode(), message, "Ta kampania jest zamknięta.")


def test_doors_and_dead_ends_are_polish(campaign, ada, pole):
    campaign_settings.configure(campaign, name="Ćwiczenie")
    link = reverse("join_shared", args=[invitations.share(campaign, 1).token])
    check_polish(pole.get(link).content.decode(), "będziesz mieć tylko numer")
    looking = {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}
    check_polish(pole.get(link, looking).content.decode(), "Najpierw przyjmij zadanie")
    Client().post(link)
    check_polish(pole.post(link).content.decode(), "Wszystkie miejsca z tego linku są już zajęte.")
    check_polish(pole.get("/sign-in/").content.decode(), "Do oceniania nie potrzeba hasła", "Nazwa użytkownika")
    check_polish(pole.get("/nowhere/").content.decode(), "Nie znaleziono strony")
    pole.force_login(ada.user)
    refused = pole.get(reverse("organise", args=[campaign.slug])).content.decode()
    check_polish(refused, "Brak uprawnień", "To może zrobić tylko organizator tej kampanii.")
    check_polish(Client(headers=POLISH, enforce_csrf_checks=True).post(link).content.decode(), "Spróbuj jeszcze raz")
    with translation.override("pl"):  # a page about an error needs nothing to be Polish
        check_polish(server_error(RequestFactory().get("/")).content.decode(), "Coś poszło nie tak")


def choose(client: Client, language: str, leading_to: str):
    return client.post(reverse("set_language"), {"language": language, "next": leading_to})


def test_a_reader_chooses_a_language_and_keeps_it(ada, browser_of, db):
    client = browser_of(ada.user)
    page = client.get("/").content.decode()
    assert '<html lang="en">' in page
    assert f'<form method="post" action="{reverse("set_language")}"' in page
    assert re.search(r'<button name="language" value="pl" lang="pl"[^>]*>Polski</button>', page)
    assert re.search(r'value="en" lang="en"[^>]* aria-current="true">English</button>', page)
    assert choose(client, "pl", "/?page=2").url == "/?page=2"
    check_polish(client.get("/").content.decode(), "Twoje kampanie")
    cookie = client.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert int(cookie["max-age"]) > 300 * 24 * 3600
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    choose(client, "en", "/")
    assert '<html lang="en">' in client.get("/", headers=POLISH).content.decode()
    assert choose(Client(), "pl", "https://example.org/").url == "/"
    # Nothing draws attention from a screen.
    page = client.get(reverse("assignment", args=[claiming.claim_next(ada).pk])).content.decode()
    assert reverse("set_language") not in page


@pytest.mark.parametrize(
    ("wanted", "got"), [("de", "en"), ("pl", "pl"), ("en-GB,pl;q=0.8", "en"), ("zz,pl;q=0.1", "pl")]
)
def test_a_browser_gets_what_it_asks_for_or_english(db, wanted, got):
    assert f'<html lang="{got}">' in Client(headers={"accept-language": wanted}).get("/sign-in/").content.decode()


def test_pages_of_organisers_are_english_throughout(campaign, olga, pole):
    pole.force_login(olga)
    for name in ("organise", "report_list"):
        answer = pole.get(reverse(name, args=[campaign.slug]))
        assert '<html lang="en">' in answer.content.decode()
        assert answer.headers["Content-Language"] == "en"
        assert "Your campaigns" in answer.content.decode()
