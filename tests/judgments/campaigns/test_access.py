"""Who may, and what they read: every address and verb, asked as everyone of the cast."""

from copy import copy
from io import BytesIO
from uuid import uuid4
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core import signing
from django.core.cache import cache
from django.db import transaction
from django.db.models import Model
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from judgments.actions import MODULES, actions_in
from judgments.actions.base import name_of
from judgments.archive import importing
from judgments.assignment import claiming, planning
from judgments.campaigns import settings
from judgments.exchange.importers.rules.recorded import ImportOptions
from judgments.jobs import tasks
from judgments.jobs.attempts import run_now
from judgments.judges import invitations
from judgments.judges.first_account import SALT
from judgments.judging.submission import submit
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Alarm, Campaign, Invitation, Job, Membership, SharedLink, System, Team, Upload
from judgments.programs import runs
from judgments.programs.endpoints import EDIT_DISTANCE
from judgments.programs.running import RunChoices
from judgments.rules.files.text_files import UploadedFile
from ranking.models import Publication, Report
from ranking.power import predicting
from ranking.power.predicting import Wanted
from ranking.reports.building import request_report
from ranking.reports.downloads import make_zip
from ranking.reports.plans import fix_plan
from ranking.scores.stored import add_metrics
from ranking.stats.comparisons.study import PRESETS
from tests import factory
from tests.judgments.jobs.queued import REQUESTS

EVERYONE = ("nobody", "zoe", "ada", "ben", "olga", "operator")
OBSERVER = "vera"
SIGN_IN, UNKNOWN, MISSING, FORBIDDEN, SEEN, MADE, DONE = "sign in", 401, 404, 403, 200, 201, 302
TAKEN = 202
# Let in, and then refused for what was asked: the bodies of this table are empty.
WRONG, CONFLICT, UNFIT = 400, 409, 415


ACTIONS = tuple(actions_in(*MODULES))
OPEN_TO_OBSERVERS = {
    "disputes", "organise", "settings", "journal", "material", "screens", "preview", "assignment_job", "job_state",
    "import_judgments", "judges", "judge", "consents", "programs", "exports", "export", "report_list",
    "board", "metrics", "scorings_state", "metric_file", "report", "report_zip", "report_bundle", "compare_reports",
    "report_changes", "changes_file", "report_file", "report_pairs", "report_judges", "report_metrics", "analysis_plan",
    "power", "resolution", "power_file",
    "plan_file", "datasheet", "datasheet_file", "judges_in_report", "api_job", "api_report", "api_report_file",
    "api_report_zip", "api_report_bundle", "api_report_changes",
}  # fmt: skip


def those(answers: tuple, **names: str) -> dict:
    """The addresses of each verb, by their names, that give these answers.

    Vera, who observes, gets what Olga gets if it is open to observers or closed to Olga, and what Ben gets otherwise.
    """
    by_person = dict(zip(EVERYONE, answers, strict=True))

    def with_observer(name: str, verb: str) -> dict:
        is_like_olga = by_person["olga"] == FORBIDDEN or (verb == "get" and name in OPEN_TO_OBSERVERS)
        return {**by_person, OBSERVER: by_person["olga" if is_like_olga else "ben"]}

    return {(name, verb): with_observer(name, verb) for verb, words in names.items() for name in words.split()}


# For each address and verb: what nobody, a stranger, the judge of the assignment, another judge, the organiser and the
# operator get.
ADDRESSES = {
    **those((SIGN_IN, SEEN, SEEN, SEEN, SEEN, SEEN), get="home your_data your_data_file", post="forget_me"),
    **those((SEEN, DONE, DONE, DONE, DONE, DONE), get="forgotten"),
    **those(
        (SEEN,) * 6, get="join join_shared public_page public_file public_site team team_source guide", post="team"
    ),
    **those((FORBIDDEN,) * 6, post="prolific"),
    **those((MISSING,) * 6, get="first_account openid", post="first_account"),  # the latter without a provider
    **those((SIGN_IN, *(MISSING,) * 5), get="tour"),  # without the demonstration
    **those((SIGN_IN, MISSING, SEEN, SEEN, SEEN, SEEN), get="campaign"),
    **those(
        (SIGN_IN, MISSING, DONE, DONE, FORBIDDEN, FORBIDDEN),
        post="begin consent close_message differences",
    ),
    **those(
        (SIGN_IN, MISSING, SEEN, SEEN, FORBIDDEN, FORBIDDEN),
        get="consent tutorial example questions thanks answers differences",
    ),
    **those((SIGN_IN, MISSING, SEEN, MISSING, MISSING, MISSING), get="assignment", post="assignment draft"),
    **those((SIGN_IN, MISSING, DONE, MISSING, MISSING, MISSING), post="next_assignment"),
    **those(
        (SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
        get="""
            organise settings journal delete_campaign material screens preview assignment_job job_state system
            upload import_judgments judgments_upload judges judge consents programs exports export forget_judge
            invitations_csv organisers mail_links report_list board metrics scorings_state metric_file report report_zip
            compare_reports report_changes changes_file report_file report_pairs report_judges report_metrics
            analysis_plan plan_file datasheet datasheet_file publication release_data submissions submission_file
            disputes adjudicate power resolution power_file""",
        post="""
            settings delete_campaign preview system new_upload import_judgments forget_judge
            metrics score_outputs analysis_plan publication release_data submissions mail_links
            run_program change_prompt
            adjudicate power resolution""",
    ),
    **those((SIGN_IN, *(FORBIDDEN,) * 3, SEEN, SEEN), **dict.fromkeys(("get", "post"), "new_campaign new_import")),
    **those((SIGN_IN, MISSING, MISSING, MISSING, SEEN, MISSING), get="import_job"),
    **those(
        (SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
        post="""
            datasheet cancel_job check_upload new_report refresh_board""",
        get="judges_in_report",
    ),
    **those((SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, MISSING, MISSING), get="report_bundle"),
    **those((SIGN_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, SEEN), get="operation"),
    **those((SIGN_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, DONE), post="queue_job_again give_up_job"),
    **those((UNKNOWN, SEEN, SEEN, SEEN, SEEN, SEEN), get="api_campaigns"),
    **those((UNKNOWN, FORBIDDEN, FORBIDDEN, FORBIDDEN, WRONG, WRONG), post="api_campaigns"),
    **those(
        (UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
        get="""
            api_campaign api_journal api_segments api_usages api_systems api_system api_outputs api_uploads
            api_upload api_screens api_assignments api_judgments api_judges api_invitations api_shared_links
            api_submissions api_programs api_exports api_job api_export api_board api_metrics api_metric_file
            api_scorings api_report_changes api_reports api_report api_report_file api_report_zip api_datasheet
            api_power api_prompt api_program_runs""",
        patch="api_upload",
        post="api_cancel_job api_board",
    ),
    **those(
        (UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, WRONG, WRONG),
        patch="api_datasheet",
    ),
    **those((UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, UNFIT, UNFIT), post="api_uploads"),
    **those((UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN), post="api_assignments"),
    **those(
        (UNKNOWN, MISSING, FORBIDDEN, MISSING, MISSING, MISSING), get="api_assignment", post="api_new_judgment api_said"
    ),
    **those((UNKNOWN, FORBIDDEN, FORBIDDEN, FORBIDDEN, UNFIT, UNFIT), post="api_imports"),
    **those((UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, MISSING, MISSING), get="api_mail api_report_bundle"),
    **those((UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, MADE, MADE), post="api_reports"),
    **those(
        (SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
        post=" ".join(name_of(action) for action in ACTIONS if not action.has_own_page),
    ),
    **those(
        (UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
        post=" ".join(f"api_{name_of(action)}" for action in ACTIONS),
    ),
    **those(
        (UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, CONFLICT, CONFLICT),
        post="""
            api_set_pause api_store_upload api_assign_screens api_withdraw_screens api_remove_organiser
            api_cancel_scorings api_publish_report""",
    ),
    **those(
        (UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, WRONG, WRONG),
        post=" ".join(
            f"api_{name_of(action)}"
            for action in ACTIONS
            if any(field.required for field in action.base_fields.values())
        ),
    ),
    **those((UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, UNFIT, UNFIT), post="api_add_metrics api_import_judgments"),
    **those((UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, TAKEN, TAKEN), post="api_predict"),
}
OPEN_TO_ALL = {"style", "sign_in", "sign_out", "set_language", "healthz", "readyz", "prometheus", "api_schema"}


OF_JOBS = ("job_state", "cancel_job", "api_job", "api_cancel_job")


def people_of(campaign: Campaign, olga: User, ada: Membership, ben: Membership, zoe: User) -> dict[str, User | None]:
    operator = User.objects.create_superuser("operator")
    (link,) = invitations.invite(campaign, [f"{campaign.slug}-{OBSERVER}"], role=Membership.Role.OBSERVER)
    everyone = {"nobody": None, "zoe": zoe, "ada": ada.user, "ben": ben.user, "olga": olga, "operator": operator}
    return everyone | {OBSERVER: invitations.accept(link)}


def addresses_of(campaign: Campaign, ada: Membership, olga: User) -> dict[str, str]:
    """Give the campaign one of everything, with names that contain its own, and say where each is."""
    slug = campaign.slug
    assignment = claiming.claim_next(ada)
    alarm = Alarm.objects.create(judge=ada, kind="haste", first=1, last=1,
                                 figures={"screens": 1, "speed": 40, "usual": 4, "bound": 32})  # fmt: skip
    report = request_report(campaign)
    plan = fix_plan(campaign, olga, "recommended", PRESETS["recommended"], 99, f"When all of {slug} is judged.")
    earlier, later = (request_report(campaign) for _ in range(2))
    Report.objects.filter(pk__in=[earlier.pk, later.pk]).update(state=Report.State.DONE)
    public = Publication.objects.create(report=later, content=make_zip({"index.html": f"A report on {slug}."}))
    (invitation,) = invitations.invite(campaign, [f"{slug}-dan"])
    upload = uploads.upload_files(campaign, ada.user, factory.upload({f"{slug}-Plover": factory.SOURCE}), Roles())
    judgments = uploads.upload_files(
        campaign, olga, [UploadedFile(f"{slug}.xml", b"<r/>")], ImportOptions("appraise-xml"), Upload.Purpose.JUDGMENTS
    )
    shared = invitations.share(campaign, 5)
    bundle = importing.request_import(olga, f"{slug}.zip", BytesIO(), "")
    program = factory.program(campaign, f"{slug}-program")
    settings.configure(campaign, consent=f"I agree to {slug}.", tutorial=factory.TUTORIAL, questions=factory.QUESTIONS)
    judges, now = Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE), timezone.now()
    judges.update(taught_at=now, passed_at=now)
    for judge in judges:
        factory.agree(judge)
    submission = factory.submission(campaign, f"{slug}-team")
    job = planning.request(campaign, olga, {}, 1, False)
    predicted = predicting.request_prediction(campaign, olga, Wanted({}, campaigns=1))
    run_now(predicted)
    organiser = Membership.objects.get(campaign=campaign, role=Membership.Role.ORGANISER)
    system = System.objects.filter(campaign=campaign)[0]
    rows = {"judge": ada, "alarm": alarm, "program": program, "member": organiser, "system": system}
    rows |= {"upload": upload, "import": judgments, "report": report}
    subjects = {action.about: (slug, rows[action.about.word].pk) if action.about else (slug,) for action in ACTIONS}
    # What stands in addresses, and their names.
    named = [
        (
            (),
            "home your_data your_data_file forget_me forgotten operation guide new_campaign new_import api_campaigns "
            "api_imports tour openid",
        ),
        (
            (slug,),
            """
            campaign answers begin consent tutorial questions thanks close_message organise
            report_list new_report metrics material judges new_upload
            import_judgments screens
            preview board refresh_board settings journal exports
            programs compare_reports api_reports invitations_csv mail_links judges_in_report
            delete_campaign change_prompt
            score_outputs scorings_state analysis_plan datasheet organisers
            submissions differences disputes consents power resolution run_program
            api_campaign api_journal api_segments api_systems api_uploads api_screens
            api_usages
            api_assignments api_judgments api_judges api_invitations api_shared_links
            api_submissions api_programs api_mail api_exports api_board api_metrics api_datasheet api_power
            api_scorings api_prompt api_program_runs""",
        ),
        ((slug, ada.pk), "judge forget_judge"),
        *((subjects[action.about], f"api_{name_of(action)}") for action in ACTIONS),
        *((subjects[action.about], name_of(action)) for action in ACTIONS if not action.has_own_page),
        ((slug, upload.pk), "upload check_upload api_upload"),
        ((slug, judgments.pk), "judgments_upload"),
        ((slug, system.pk), "system api_system api_outputs"),
        ((slug, submission.pk), "submission_file"),
        ((slug, assignment.screen_id), "adjudicate"),
        ((slug, plan.pk), "plan_file"),
        ((slug, predicted.pk), "power_file"),
        ((slug, 1), "example"),
        ((slug, "judgments.csv"), "export api_export"),
        ((slug, "metric_scores.csv"), "metric_file api_metric_file"),
        ((slug, "md"), "datasheet_file"),
        ((submission.team.token,), "team team_source"),
        ((shared.token,), "join_shared prolific"),
        ((invitation.token,), "join"),
        ((signing.dumps("", salt=SALT),), "first_account owner"),
        ((public.token,), "public_page public_site"),
        ((public.token, "index.html"), "public_file"),
        (("assignment", job.pk), " ".join(OF_JOBS)),
        (("report", report.pk), "queue_job_again give_up_job"),
        ((assignment.pk,), "assignment next_assignment draft api_assignment api_new_judgment api_said"),
        ((report.pk,), "report report_bundle publication api_report api_report_bundle"),
        ((report.pk, "signature.txt"), "report_file api_report_file"),
        ((earlier.pk,), "report_zip api_report_zip report_pairs report_judges report_metrics"),
        ((later.pk,), "release_data"),
        ((earlier.pk, later.pk), "report_changes"),
        ((earlier.pk, later.pk, "changes.csv"), "changes_file api_report_changes"),
    ]
    found = {name: reverse(name, args=args) for args, names in named for name in names.split()}
    return found | {"import_job": bundle.get_absolute_url(), "assignment_job": job.get_absolute_url()}


OURS, OTHERS = "okapi", "quagga"
# What every answer hides from whom, beside everything of the other campaign. Nobody's own name and link are hidden.
HIDDEN = {
    "nobody": ("campaign", "systems", "names", "links"),
    "zoe": ("campaign", "systems", "names", "links"),
    "ada": ("systems", "names", "links"),
    "ben": ("systems", "names", "links"),
    OBSERVER: ("links",),
    "olga": (),
    "operator": (),
}
# And where it is shown. A link tells everyone what it is for, Ada judges in the other campaign too, and the operator
# sees the whole site.
SHOWN = {
    (name, verb, person): set(kinds.split())
    for people, verb, names, kinds in (
        ("nobody zoe", "get", "join_shared public_page public_file public_site team_source", "campaign"),
        ("nobody zoe", "get", "join team", "campaign names"),
        ("nobody zoe", "post", "team", "campaign names"),
        ("ada ben", "get", "join team", "names"),
        ("ada ben", "post", "team", "names"),
        ("ada", "get", "home your_data your_data_file", OTHERS),
        ("ada", "post", "forget_me", OTHERS),
        ("operator", "get", "home operation api_campaigns", OTHERS),
    )
    for name in names.split()
    for person in people.split()
}


def campaign_in_use(slug: str) -> tuple[Campaign, User, Membership, Membership]:
    """A campaign with its organiser and two judges; every name, sentence and remark contains the slug."""
    texts = {"source": factory.SOURCE, **factory.SYSTEMS}
    texts = {f"{slug}-{name}": [f"{slug} {line}" for line in lines] for name, lines in texts.items()}
    roles = Roles(f"{slug}-source", source_takes_part=True)
    campaign = factory.open_campaign(texts, roles, slug=slug, name=slug)
    ada, ben = (factory.judge(campaign, f"{slug}-{name}") for name in ("ada", "ben"))
    Invitation.objects.create(campaign=campaign, pseudonym=ben.pseudonym, membership=ben)
    judged = claiming.claim_next(ben)
    submit(judged, key=uuid4(), answers=factory.answers_for(judged), comment=f"{slug}-ben was here")
    Membership.objects.filter(pk=ben.pk).update(message=f"Thank you, {slug}-ben.")
    return campaign, factory.organiser(campaign, f"{slug}-olga"), ada, ben


@pytest.fixture(scope="module")
def standing(lasting) -> tuple[dict[str, User | None], dict[str, str]]:
    """Two campaigns with one of everything; the people and the addresses of the first. Ada judges in both."""
    with lasting(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "wake_worker", lambda queue: None)
        campaign, olga, ada, ben = campaign_in_use(OURS)
        people = people_of(campaign, olga, ada, ben, User.objects.create_user("zoe"))
        addresses = addresses_of(campaign, ada, olga)
        other, olga_there, ada_there, _ = campaign_in_use(OTHERS)
        scores = "".join(f"{OTHERS}-{name},1\n" for name in ("source", *factory.SYSTEMS))
        add_metrics(other, OTHERS, f"system,{OTHERS}-metric\n{scores}".encode())
        runs.request(other, olga_there, f"{OTHERS}-robin", EDIT_DISTANCE, RunChoices(EDIT_DISTANCE))
        addresses_of(other, ada_there, olga_there)
        Membership.objects.filter(pk=ada_there.pk).update(user=ada.user)
    return people, addresses


@pytest.fixture
def clients(standing, db, no_worker, monkeypatch) -> dict[str, Client]:
    """Clients that say who asks: sessions are no matter of this table, and would take a sixth of its time."""
    people, _ = standing
    monkeypatch.setattr(
        "django.contrib.auth.middleware.get_user",
        lambda request: copy(people[request.META["person"]]) or AnonymousUser(),
    )
    return {person: Client(person=person) for person in people}


def hidden_words() -> dict[str, dict[str, set[str]]]:
    """The words that each person reads nowhere, by what they are."""

    def column(model: type[Model], name: str, **chosen: str) -> set[str]:
        return set(model._default_manager.filter(**chosen).values_list(name, flat=True))

    def links(slug: str) -> set[str]:
        tokens = [column(kind, "token", campaign__slug=slug) for kind in (Invitation, SharedLink, Team)]
        return column(Publication, "token", report__campaign__slug=slug).union(*tokens)

    there = {OTHERS} | links(OTHERS)
    here = {
        "campaign": {OURS},
        "systems": column(System, "name", campaign__slug=OURS),
        "names": column(Membership, "pseudonym", campaign__slug=OURS)
        | column(Invitation, "pseudonym", campaign__slug=OURS)
        | column(Team, "name", campaign__slug=OURS),
        "links": links(OURS),
    }
    hidden = {}
    for person, kinds in HIDDEN.items():
        own = {f"{OURS}-{person}"} | column(Invitation, "token", pseudonym=f"{OURS}-{person}")
        hidden[person] = {OTHERS: there} | {kind: here[kind] - own for kind in kinds}
    return hidden


def status_of(answer) -> int | str:
    to_sign_in = answer.status_code == DONE and answer.url.startswith(reverse("sign_in"))
    return SIGN_IN if to_sign_in else answer.status_code


def text_of(answer) -> str:
    """Where an answer leads, and what it holds, unpacked."""
    content = answer.getvalue()
    if content.startswith(b"PK"):
        with ZipFile(BytesIO(content)) as archive:
            content = b"".join(map(archive.read, archive.namelist()))
    return f"{answer.get('Location', '')} {content.decode(errors='replace')}"


@pytest.mark.walk
@pytest.mark.parametrize("is_api", [False, True], ids=["pages", "API"])
def test_everyone_gets_what_is_theirs_and_reads_no_word_of_others(is_api, standing, clients):
    (_, addresses), hidden = standing, hidden_words()
    asked = [(name, verb) for name, verb in ADDRESSES if name.startswith("api_") == is_api]
    got, shown = {}, {}
    for name, verb in asked:
        as_json = {"content_type": "application/json"} if is_api and verb != "get" else {}
        for person, client in clients.items():
            with transaction.atomic():  # nobody sees what another one did
                answer = getattr(client, verb)(addresses[name], **as_json)
                text = text_of(answer).replace(addresses[name], "")
                transaction.set_rollback(True)
            cache.clear()
            client.cookies.clear()
            got[name, verb, person] = status_of(answer)
            if found := {kind for kind, words in hidden[person].items() if any(word in text for word in words)}:
                shown[name, verb, person] = found
    assert got == {(*place, person): status for place in asked for person, status in ADDRESSES[place].items()}
    assert shown == {place: kinds for place, kinds in SHOWN.items() if place[:2] in asked}


@pytest.mark.parametrize("kind", REQUESTS)
def test_jobs_of_every_kind_belong_to_organisers_and_imports_to_their_importer(kind, standing, clients):
    people, _ = standing
    Job.objects.filter(kind=kind).delete()
    job = REQUESTS[kind](Campaign.objects.get(slug=OURS), people["olga"])
    for name in OF_JOBS:
        method = "get" if name in ("job_state", "api_job") else "post"
        expected = ADDRESSES[name, method]
        if kind == "import":
            expected = dict.fromkeys(people, MISSING) | {person: expected[person] for person in ("nobody", "olga")}
        elif kind == "mail":  # it names addresses
            expected = expected | {OBSERVER: FORBIDDEN}
        for person, client in clients.items():
            Job.objects.filter(kind=kind).update(state="queued")
            answer = getattr(client, method)(reverse(name, args=[kind, job.pk]))
            assert status_of(answer) == expected[person], (name, person)


def test_no_address_is_left_out_of_the_table_and_changes_need_a_post(standing, clients):
    _, addresses = standing
    only_posted = [name for name, verb in ADDRESSES if verb == "post" and (name, "get") not in ADDRESSES]
    assert [name for name in only_posted if clients["operator"].get(addresses[name]).status_code != 405] == []
    names = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    assert names == {name for name, _ in ADDRESSES} | OPEN_TO_ALL | {"owner"}  # whose token decides


def test_a_removed_judge_is_a_stranger(campaign, ada, browser_of):
    assignment = claiming.claim_next(ada)
    Membership.objects.filter(pk=ada.pk).update(removed_at=assignment.claimed_at)
    client = browser_of(ada.user)
    assert client.get(reverse("campaign", args=[campaign.slug])).status_code == 404
    assert client.get(reverse("assignment", args=[assignment.pk])).status_code == 404
