"""Who may: every address and verb, asked as everyone of the cast."""

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from judgments.archive import import_job
from judgments.assignment import assignment_job, claiming
from judgments.campaigns import settings
from judgments.jobs.kinds import KINDS
from judgments.judges import invitations, programs
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Membership, System
from ranking.models import Report
from ranking.reports.building import request_report
from tests import factory
from tests.judgments.jobs.queued import REQUESTS

EVERYONE = ("nobody", "zoe", "ada", "ben", "olga", "operator")
SIGN_IN, UNKNOWN, MISSING, FORBIDDEN, SEEN, MADE, GONE, DONE = "sign in", 401, 404, 403, 200, 201, 204, 302
TAKEN = 202
# Let in, and then refused for what was asked: the bodies of this table are empty.
WRONG, CONFLICT, UNFIT = 400, 409, 415


def table(*answers) -> dict:
    return dict(zip(EVERYONE, answers, strict=True))


# For each address and verb: what nobody, a stranger, the judge of the assignment, another judge, the organiser and the
# operator get.
ADDRESSES = {
    ("home", "get"): table(SIGN_IN, SEEN, SEEN, SEEN, SEEN, SEEN),
    ("your_data", "get"): table(SIGN_IN, SEEN, SEEN, SEEN, SEEN, SEEN),
    ("your_data_file", "get"): table(SIGN_IN, SEEN, SEEN, SEEN, SEEN, SEEN),
    ("forget_me", "post"): table(SIGN_IN, SEEN, SEEN, SEEN, SEEN, SEEN),
    ("forgotten", "get"): table(SEEN, DONE, DONE, DONE, DONE, DONE),
    ("join", "get"): table(SEEN, SEEN, SEEN, SEEN, SEEN, SEEN),
    ("join_shared", "get"): table(SEEN, SEEN, SEEN, SEEN, SEEN, SEEN),
    ("campaign", "get"): table(SIGN_IN, MISSING, SEEN, SEEN, SEEN, SEEN),
    ("begin", "post"): table(SIGN_IN, MISSING, DONE, DONE, FORBIDDEN, FORBIDDEN),
    ("consent", "get"): table(SIGN_IN, MISSING, SEEN, SEEN, FORBIDDEN, FORBIDDEN),
    ("consent", "post"): table(SIGN_IN, MISSING, DONE, DONE, FORBIDDEN, FORBIDDEN),
    ("tutorial", "get"): table(SIGN_IN, MISSING, SEEN, SEEN, FORBIDDEN, FORBIDDEN),
    ("example", "get"): table(SIGN_IN, MISSING, SEEN, SEEN, FORBIDDEN, FORBIDDEN),
    ("finish_tutorial", "post"): table(SIGN_IN, MISSING, DONE, DONE, FORBIDDEN, FORBIDDEN),
    ("questions", "get"): table(SIGN_IN, MISSING, SEEN, SEEN, FORBIDDEN, FORBIDDEN),
    ("thanks", "get"): table(SIGN_IN, MISSING, SEEN, SEEN, FORBIDDEN, FORBIDDEN),
    ("assignment", "get"): table(SIGN_IN, MISSING, SEEN, MISSING, MISSING, MISSING),
    ("assignment", "post"): table(SIGN_IN, MISSING, SEEN, MISSING, MISSING, MISSING),
    ("next_assignment", "post"): table(SIGN_IN, MISSING, DONE, MISSING, MISSING, MISSING),
    ("draft", "post"): table(SIGN_IN, MISSING, SEEN, MISSING, MISSING, MISSING),
    ("answers", "get"): table(SIGN_IN, MISSING, SEEN, SEEN, FORBIDDEN, FORBIDDEN),
    ("organise", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("new_campaign", "get"): table(SIGN_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("new_campaign", "post"): table(SIGN_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("new_import", "get"): table(SIGN_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("new_import", "post"): table(SIGN_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("import_job", "get"): table(SIGN_IN, MISSING, MISSING, MISSING, SEEN, MISSING),
    ("settings", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("settings", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("journal", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("delete_campaign", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("delete_campaign", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("material", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("screens", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("preview", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("assign_screens", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("assignment_job", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("job_state", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("cancel_job", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("system", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("system", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("new_upload", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("upload", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("check_upload", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("store_upload", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("throw_away_upload", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("judges", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("programs", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("programs", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("dismiss_program", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("exports", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("export", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("use_corrections", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("change_state", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("invite", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("share", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("revoke", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("exclude", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("include", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("forget_judge", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("forget_judge", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("set_quota", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("mark_expert", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("apply_rule", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("mail_links", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("invitations_csv", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("judges_in_report", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("report_list", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("new_report", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("board", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("refresh_board", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("metrics", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("metrics", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("score_outputs", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("scorings_state", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("cancel_scorings", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("metric_file", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("remove_metric", "post"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, DONE, DONE),
    ("report", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("report_zip", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("report_bundle", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, MISSING, MISSING),
    ("compare_reports", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("report_changes", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("changes_file", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("report_file", "get"): table(SIGN_IN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("operation", "get"): table(SIGN_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, SEEN),
    ("queue_job_again", "post"): table(SIGN_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, DONE),
    ("give_up_job", "post"): table(SIGN_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, DONE),
    ("api_campaigns", "get"): table(UNKNOWN, SEEN, SEEN, SEEN, SEEN, SEEN),
    ("api_campaigns", "post"): table(UNKNOWN, FORBIDDEN, FORBIDDEN, FORBIDDEN, WRONG, WRONG),
    ("api_campaign", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_campaign", "patch"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_campaign", "delete"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, CONFLICT, CONFLICT),
    ("api_campaign_state", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, WRONG, WRONG),
    ("api_journal", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_segments", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_usages", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_systems", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_system", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_system", "patch"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_outputs", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_uploads", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_uploads", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, UNFIT, UNFIT),
    ("api_upload", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_upload", "patch"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_upload", "delete"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, GONE, GONE),
    ("api_store_upload", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, CONFLICT, CONFLICT),
    ("api_use_corrections", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, WRONG, WRONG),
    ("api_screens", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_plan", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_assign", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, CONFLICT, CONFLICT),
    ("api_assignments", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_assignments", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN),
    ("api_assignment", "get"): table(UNKNOWN, MISSING, FORBIDDEN, MISSING, MISSING, MISSING),
    ("api_new_judgment", "post"): table(UNKNOWN, MISSING, FORBIDDEN, MISSING, MISSING, MISSING),
    ("api_judgments", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_judges", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_apply_rule", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_exclude", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, WRONG, WRONG),
    ("api_include", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, WRONG, WRONG),
    ("api_quota", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, WRONG, WRONG),
    ("api_expert", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, WRONG, WRONG),
    ("api_invitations", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_invitations", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, WRONG, WRONG),
    ("api_shared_links", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_shared_links", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, WRONG, WRONG),
    ("api_revoke", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, WRONG, WRONG),
    ("api_programs", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_programs", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, WRONG, WRONG),
    ("api_program", "delete"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, GONE, GONE),
    ("api_exports", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_imports", "post"): table(UNKNOWN, FORBIDDEN, FORBIDDEN, FORBIDDEN, UNFIT, UNFIT),
    ("api_job", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_cancel_job", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_mail", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, MISSING, MISSING),
    ("api_mail", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, WRONG, WRONG),
    ("api_export", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_board", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_board", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_metrics", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_metrics", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, UNFIT, UNFIT),
    ("api_metric", "delete"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, CONFLICT, CONFLICT),
    ("api_metric_file", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_scorings", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_scorings", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, TAKEN, TAKEN),
    ("api_cancel_scorings", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, CONFLICT, CONFLICT),
    ("api_report_changes", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_reports", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_reports", "post"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, MADE, MADE),
    ("api_report", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_report_file", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_report_zip", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, SEEN, SEEN),
    ("api_report_bundle", "get"): table(UNKNOWN, MISSING, FORBIDDEN, FORBIDDEN, MISSING, MISSING),
}
OPEN_TO_ALL = {"sign_in", "sign_out", "set_language", "healthz", "readyz", "prometheus", "api_schema"}


API_OF_CAMPAIGNS = (
    "api_campaign", "api_campaign_state", "api_journal", "api_segments", "api_systems", "api_uploads", "api_screens",
    "api_usages",
    "api_plan", "api_assign", "api_assignments", "api_judgments", "api_judges", "api_apply_rule", "api_invitations",
    "api_shared_links", "api_revoke", "api_programs", "api_mail", "api_exports", "api_board", "api_metrics",
    "api_scorings", "api_cancel_scorings", "api_use_corrections",
)  # fmt: skip
OF_JUDGES = ("exclude", "include", "set_quota", "mark_expert", "forget_judge")
API_OF_JUDGES = ("api_exclude", "api_include", "api_quota", "api_expert")
API_OF_UPLOADS = ("api_upload", "api_store_upload")
OF_JOBS = ("job_state", "cancel_job", "api_job", "api_cancel_job")


@pytest.fixture
def people(campaign, olga, ada, ben, zoe) -> dict[str, User | None]:
    operator = User.objects.create_superuser("operator")
    return {"nobody": None, "zoe": zoe, "ada": ada.user, "ben": ben.user, "olga": olga, "operator": operator}


@pytest.fixture
def addresses(campaign, ada, olga, no_worker) -> dict[str, str]:
    assignment = claiming.claim_next(ada)
    report = request_report(campaign)
    earlier, later = (request_report(campaign) for _ in range(2))
    Report.objects.filter(pk__in=[earlier.pk, later.pk]).update(state=Report.State.DONE)
    (invitation,) = invitations.invite(campaign, ["dan"])
    upload = uploads.upload_files(campaign, ada.user, factory.upload({"Plover": factory.SOURCE}), Roles())
    bundle = import_job.request(olga, "bundle.zip", b"", "")
    of_uploads = ("upload", "check_upload", "store_upload", "throw_away_upload")
    programs.enrol(campaign, "a program")
    program = Membership.objects.get(role=Membership.Role.PROGRAM)
    settings.configure(campaign, tutorial=factory.TUTORIAL, questions=factory.QUESTIONS)
    Membership.objects.update(taught_at=timezone.now(), passed_at=timezone.now())
    slugs = (
        "campaign", "answers", "begin", "consent", "tutorial", "finish_tutorial", "questions", "thanks",
        "organise", "change_state", "invite", "share", "revoke", "report_list", "new_report", "metrics",
        "material", "judges", "new_upload", "screens", "assign_screens", "preview", "board", "refresh_board",
        "settings", "journal", "delete_campaign", "exports", "programs", "use_corrections",
        "compare_reports", "api_reports", "apply_rule", "invitations_csv", "mail_links", "judges_in_report",
        "score_outputs", "scorings_state", "cancel_scorings",
    )  # fmt: skip
    named = {name: reverse(name, args=[campaign.slug]) for name in slugs}
    named |= {name: reverse(name, args=[campaign.slug, upload.pk]) for name in of_uploads}
    job = assignment_job.request(campaign, olga, {}, 1, False)
    named |= {name: reverse(name, args=["assignment", job.pk]) for name in OF_JOBS}
    return named | {
        "new_import": reverse("new_import"),
        "import_job": bundle.get_absolute_url(),
        "assignment_job": job.get_absolute_url(),
        "operation": reverse("operation"),
        **{name: reverse(name, args=["report", report.pk]) for name in ("queue_job_again", "give_up_job")},
        "system": reverse("system", args=[campaign.slug, System.objects.filter(campaign=campaign)[0].pk]),
        "example": reverse("example", args=[campaign.slug, 1]),
        **{name: reverse(name, args=[campaign.slug, ada.pk]) for name in OF_JUDGES},
        "join_shared": reverse("join_shared", args=[invitations.share(campaign, 5).token]),
        "home": reverse("home"),
        **{name: reverse(name) for name in ("your_data", "your_data_file", "forget_me", "forgotten")},
        "new_campaign": reverse("new_campaign"),
        "export": reverse("export", args=[campaign.slug, "judgments.csv"]),
        **{
            name: reverse(name, args=[campaign.slug, "metric_scores.csv"])
            for name in ("metric_file", "api_metric_file")
        },
        "remove_metric": reverse("remove_metric", args=[campaign.slug, 1]),
        "join": reverse("join", args=[invitation.token]),
        "assignment": reverse("assignment", args=[assignment.pk]),
        "next_assignment": reverse("next_assignment", args=[assignment.pk]),
        "draft": reverse("draft", args=[assignment.pk]),
        "report": reverse("report", args=[report.pk]),
        "report_bundle": reverse("report_bundle", args=[report.pk]),
        "report_zip": reverse("report_zip", args=[report.pk]),
        "report_changes": reverse("report_changes", args=[earlier.pk, later.pk]),
        "changes_file": reverse("changes_file", args=[earlier.pk, later.pk, "changes.csv"]),
        "api_report": reverse("api_report", args=[report.pk]),
        "api_report_file": reverse("api_report_file", args=[report.pk, "signature.txt"]),
        "api_report_zip": reverse("api_report_zip", args=[report.pk]),
        "api_report_bundle": reverse("api_report_bundle", args=[report.pk]),
        **{name: reverse(name, args=[campaign.slug]) for name in API_OF_CAMPAIGNS},
        "api_campaigns": reverse("api_campaigns"),
        "api_imports": reverse("api_imports"),
        **{name: reverse(name, args=[campaign.slug, upload.pk]) for name in API_OF_UPLOADS},
        **{
            name: reverse(name, args=[campaign.slug, System.objects.filter(campaign=campaign)[0].pk])
            for name in ("api_system", "api_outputs")
        },
        **{name: reverse(name, args=[campaign.slug, ada.pk]) for name in API_OF_JUDGES},
        "api_assignment": reverse("api_assignment", args=[assignment.pk]),
        "api_new_judgment": reverse("api_new_judgment", args=[assignment.pk]),
        "dismiss_program": reverse("dismiss_program", args=[campaign.slug, program.pk]),
        "api_program": reverse("api_program", args=[campaign.slug, program.pk]),
        "api_export": reverse("api_export", args=[campaign.slug, "judgments.csv"]),
        "api_metric": reverse("api_metric", args=[campaign.slug, 1]),
        "api_report_changes": reverse("api_report_changes", args=[earlier.pk, later.pk, "changes.csv"]),
        "report_file": reverse("report_file", args=[report.pk, "signature.txt"]),
    }


@pytest.mark.parametrize(("name", "verb"), ADDRESSES)
def test_everyone_gets_what_is_theirs(name, verb, people, addresses, browser_of):
    clients = {person: browser_of(user) if user else Client() for person, user in people.items()}
    as_json = {"content_type": "application/json"} if name.startswith("api_") and verb != "get" else {}
    got = {}
    for person in EVERYONE:
        with transaction.atomic():  # nobody sees what another one did
            answer = getattr(clients[person], verb)(addresses[name], **as_json)
            if answer.streaming:  # to its end, so that the next one finds a place
                b"".join(answer.streaming_content)
            transaction.set_rollback(True)
        to_sign_in = answer.status_code == DONE and answer.url.startswith(reverse("sign_in"))
        got[person] = SIGN_IN if to_sign_in else answer.status_code
    assert got == ADDRESSES[name, verb]


@pytest.mark.parametrize("kind", REQUESTS)
def test_jobs_of_every_kind_belong_to_organisers_and_imports_to_their_importer(
    kind, people, campaign, olga, browser_of, no_worker
):
    job = REQUESTS[kind](campaign, olga)
    for name in OF_JOBS:
        method = "get" if name in ("job_state", "api_job") else "post"
        expected = ADDRESSES[name, method]
        if kind == "import":
            expected = dict.fromkeys(EVERYONE, MISSING) | {person: expected[person] for person in ("nobody", "olga")}
        for person, user in people.items():
            KINDS[kind].rows.update(state="queued")
            answer = getattr(browser_of(user) if user else Client(), method)(reverse(name, args=[kind, job.pk]))
            to_sign_in = answer.status_code == DONE and answer.url.startswith(reverse("sign_in"))
            assert (SIGN_IN if to_sign_in else answer.status_code) == expected[person], (name, person)


def test_no_address_is_left_out_of_the_table():
    names = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    assert names == {name for name, _ in ADDRESSES} | OPEN_TO_ALL


@pytest.mark.parametrize(
    "name", [name for name, verb in ADDRESSES if verb == "post" and (name, "get") not in ADDRESSES]
)
def test_what_changes_something_is_post_only(name, people, addresses, browser_of):
    assert browser_of(people["operator"]).get(addresses[name]).status_code == 405


def test_a_removed_judge_is_a_stranger(campaign, ada, browser_of):
    assignment = claiming.claim_next(ada)
    Membership.objects.filter(pk=ada.pk).update(removed_at=assignment.claimed_at)
    client = browser_of(ada.user)
    assert client.get(reverse("campaign", args=[campaign.slug])).status_code == 404
    assert client.get(reverse("assignment", args=[assignment.pk])).status_code == 404
