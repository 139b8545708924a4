"""Guessing passwords takes for ever with any number of processes, and locks out nobody who signed in before."""

import re
from collections import Counter
from datetime import timedelta
from itertools import count
from threading import Lock

import pytest
from django.contrib.auth import hashers
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from judgments.judges import signing_in
from judgments.judges.signing_in import MOST_BY_NAME, MOST_BY_NAME_FROM_ADDRESS, MOST_FROM_ADDRESS
from judgments.models import SignInAttempts
from judgments.models.members import new_token
from judgments.privacy import retention
from judgments.rules.errors import Refused
from tests.judgments.at_once import at_once

PASSWORD = "three herons wade at dawn"
HERE, THERE = "192.0.2.1", "198.51.100.7"
TOO_OFTEN, WRONG = "Too many attempts", "Please enter"


@pytest.fixture
def olga(db) -> User:
    return User.objects.create_user("olga", password=PASSWORD, is_staff=True)


def attempt(name: str, password: str, address: str = HERE, door: str = "sign_in") -> str:
    """The message after an attempt to sign in; empty if it succeeded."""
    answer = Client(REMOTE_ADDR=address).post(reverse(door), {"username": name, "password": password})
    if answer.status_code == 302:
        return ""
    return TOO_OFTEN if TOO_OFTEN in (page := answer.content.decode()) else WRONG if WRONG in page else page


def guess(times: int, name: str = "olga", address: str = HERE, door: str = "sign_in") -> list[str]:
    return [attempt(name, f"wrong {number}", address, door) for number in range(times)]


@pytest.mark.parametrize("door", ["sign_in", "admin:login"])
def test_after_too_many_guesses_even_the_right_password_has_to_wait_but_others_need_not(olga, door):
    messages = guess(MOST_BY_NAME_FROM_ADDRESS + 1, door=door)
    assert messages == [WRONG] * MOST_BY_NAME_FROM_ADDRESS + [TOO_OFTEN]
    assert attempt("olga", PASSWORD, door=door) == TOO_OFTEN
    assert attempt("olga", PASSWORD) == TOO_OFTEN, "one count for both doors"
    User.objects.create_user("ada", password=PASSWORD)
    assert attempt("ada", PASSWORD) == ""
    assert attempt("olga", PASSWORD, THERE) == ""


def sentence() -> str:
    answer = Client(REMOTE_ADDR=HERE).post(reverse("sign_in"), {"username": "olga", "password": "x"})
    return answer.content.decode()


def test_waiting_helps_and_begins_with_the_first_slip_and_a_success_clears_the_count(olga):
    guess(MOST_BY_NAME_FROM_ADDRESS + 5)
    assert "Try again in 15 minutes, or ask the operator of this site" in sentence()
    SignInAttempts.objects.update(since=timezone.now() - signing_in.WITHIN)
    assert attempt("olga", PASSWORD) == ""
    assert attempt("olga", PASSWORD) == ""
    SignInAttempts.objects.update(since=timezone.now() - timedelta(minutes=10))
    guess(MOST_BY_NAME_FROM_ADDRESS)
    assert "Try again in 15 minutes" in sentence()


def test_a_success_clears_the_count_and_headers_that_anybody_writes_give_no_new_guesses(olga):
    for _ in range(3):
        assert guess(MOST_BY_NAME_FROM_ADDRESS - 1)[-1] == WRONG
        assert attempt("olga", PASSWORD) == ""
    for number in range(MOST_BY_NAME_FROM_ADDRESS + 1):
        answer = Client(REMOTE_ADDR=HERE, headers={"X-Forwarded-For": f"10.0.0.{number}", "X-Real-IP": "1.2.3.4"}).post(
            reverse("sign_in"), {"username": "olga", "password": "x"}
        )
    assert TOO_OFTEN in answer.content.decode()


@pytest.mark.wide
def test_guesses_at_many_names_from_one_address_are_bounded(olga):
    messages = [attempt(f"user-{number}", "123456", THERE) for number in range(MOST_FROM_ADDRESS + 1)]
    assert Counter(messages) == {WRONG: MOST_FROM_ADDRESS, TOO_OFTEN: 1}
    rows = SignInAttempts.objects.count()
    attempt("one-more", "123456", THERE)
    assert SignInAttempts.objects.count() == rows, "a flood writes no rows"
    assert attempt("olga", PASSWORD, HERE) == ""


@pytest.mark.wide
def test_coming_in_oneself_between_guesses_gives_no_more_of_them(olga):
    messages = []
    for number in range(MOST_FROM_ADDRESS + 1):
        assert attempt("olga", PASSWORD, THERE) == ""
        messages.append(attempt(f"user-{number}", "123456", THERE))
    assert Counter(messages) == {WRONG: MOST_FROM_ADDRESS, TOO_OFTEN: 1}


@pytest.mark.wide
def test_an_operator_sees_that_somebody_guesses_and_lets_everybody_try_again(olga, admin_client):
    page = admin_client.get("/operation/").content.decode()
    assert "guessing" not in page
    guess(MOST_BY_NAME_FROM_ADDRESS + 1)
    page = admin_client.get("/operation/").content.decode()
    assert "for 2 names or addresses" in page  # olga, and olga from here
    call_command("unlock_sign_in")
    assert attempt("olga", PASSWORD) == ""
    assert "guessing" not in admin_client.get("/operation/").content.decode()


@pytest.mark.wide
def test_guesses_at_one_name_from_many_addresses_are_bounded_and_do_not_lock_its_owner_out(olga):
    assert attempt("olga", PASSWORD, HERE) == ""
    addresses = [f"203.0.113.{number}" for number in range(MOST_BY_NAME + 1)]
    messages = [attempt("olga", "123456", address) for address in addresses]
    assert Counter(messages) == {WRONG: MOST_BY_NAME, TOO_OFTEN: 1}
    assert attempt("olga", PASSWORD, THERE) == TOO_OFTEN
    assert attempt("olga", PASSWORD, HERE) == "", "she came in from here before"


def test_an_unknown_name_gets_the_same_messages_and_takes_as_much_time(olga, monkeypatch):
    """Hashing is what takes time; it is counted, since a clock would tell of the machine."""
    assert guess(7, "nobody", THERE) == guess(7, "olga", THERE)
    User.objects.create_user("guest")  # as judges are, without a password
    User.objects.create_user("gone", password=PASSWORD, is_active=False)
    hashed = count()
    encode = hashers.MD5PasswordHasher.encode
    monkeypatch.setattr(
        hashers.MD5PasswordHasher, "encode", lambda *args, **kwargs: (next(hashed), encode(*args, **kwargs))[1]
    )
    cost = {}
    for name in ("olga", "nobody", "guest", "gone"):
        before = next(hashed)
        assert attempt(name, "wrong") == WRONG
        cost[name] = next(hashed) - before
    assert len(set(cost.values())) == 1, cost


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_flood_at_the_same_moment_gets_no_more_guesses():
    User.objects.create_user("olga", password=PASSWORD)
    outcomes: list[bool] = []
    lock = Lock()

    def one_guess() -> None:
        try:
            signing_in.count_attempt("olga", HERE)
            was_let = True
        except Refused:
            was_let = False
        with lock:
            outcomes.append(was_let)

    at_once(*[one_guess] * 12)
    assert Counter(outcomes) == {True: MOST_BY_NAME_FROM_ADDRESS, False: 12 - MOST_BY_NAME_FROM_ADDRESS}


def test_attempts_do_not_reveal_whose_they_were_and_are_forgotten(olga):
    guess(1, "nobody")
    attempt("olga", PASSWORD)
    assert not [row for row in SignInAttempts.objects.values_list() if "olga" in str(row) or HERE in str(row)]
    SignInAttempts.objects.update(since=timezone.now() - timedelta(days=2))
    retention.forget_old()
    assert SignInAttempts.objects.count() == 1, "that she came in from here is known for longer"
    SignInAttempts.objects.update(let_in_at=timezone.now() - timedelta(days=31))
    retention.forget_old()
    assert not SignInAttempts.objects.exists()


@pytest.mark.parametrize(
    ("behind", "forwarded", "address"),
    [
        (False, None, HERE),
        (False, THERE, HERE),
        (True, None, HERE),
        (True, THERE, THERE),
        (True, f"10.0.0.1, evil, {THERE}", THERE),
        (True, f"{THERE}, nonsense", ""),
        (True, "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        (True, "2001:db8:1:2:ffff::9", "2001:db8:1:2::/64"),
        (True, f"::ffff:{THERE}", THERE),
    ],
)
def test_an_address_is_what_our_proxy_reports(settings, behind, forwarded, address):
    settings.BEHIND_PROXY = behind
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert signing_in.address_of(RequestFactory().get("/", REMOTE_ADDR=HERE, headers=headers)) == address


def test_links_cannot_be_guessed_and_nothing_else_takes_a_password(db):
    """192 random bits: at a million guesses a second, one in a million million links is found in 10**32 years."""
    tokens = {new_token() for _ in range(200)}
    assert len(tokens) == 200
    assert all(re.fullmatch(r"[\w-]{32}", token, re.ASCII) for token in tokens)
    for name in ("api_campaigns", "api_schema"):
        answer = Client().get(reverse(name), headers={"Authorization": "Basic b2xnYTp4"})
        assert answer.status_code in (200, 401)
        assert "Basic" not in answer.headers.get("WWW-Authenticate", "")
