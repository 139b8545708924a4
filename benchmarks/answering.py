"""Dealt assignments filled with judgments by the database itself, for a million of them take a browser's way too long.

What is answered is the same for the same assignments: who made more right mostly gets the better rank, controls come
last, and every fiftieth judge answers by chance. The judgments are spread evenly over the days before now.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

# Some judgments at a time, so that nobody who works in the same database waits for long.
AT_ONCE = 50_000
DAYS, SCREEN_SECONDS, FIRST_SECONDS, LAST_SECONDS = 30, 20, 60, 600
SKIPPED, FLAGGED, BY_CHANCE = 100, 250, 50
PRIME = 1_000_003

# The words in which the two databases differ.
WORDS = {
    "sqlite": {
        "later": "strftime('%Y-%m-%d %H:%M:%f', '{since}', '+' || ({seconds}) || ' seconds')",
        "place": "instr(assignment.\"order\", substr('0123456789abcdefghijklmnopqrstuvwxyz', slot.position + 1, 1))",
        "key": "printf('%032x', assignment.id)",
        "true": "1",
        "false": "0",
    },
    "postgresql": {
        "later": "timestamptz '{since}+00' + ({seconds}) * interval '1 second'",
        "place": "strpos(assignment.\"order\", substr('0123456789abcdefghijklmnopqrstuvwxyz', slot.position + 1, 1))",
        "key": "lpad(to_hex(assignment.id), 32, '0')::uuid",
        "true": "true",
        "false": "false",
    },
}

# The judges of a campaign in a row, and the first of so many batches in theirs.
TURNS = """
    CREATE TEMPORARY TABLE turn AS
    SELECT batch.id AS batch, round.number AS round, batch.place * {rounds} + round.number AS place, judge.id AS judge
    FROM (
        SELECT id, ROW_NUMBER() OVER (ORDER BY number) - 1 AS place FROM judgments_batch WHERE campaign_id = {campaign}
    ) AS batch
    JOIN (SELECT DISTINCT round AS number FROM judgments_assignment WHERE campaign_id = {campaign}) AS round ON 1 = 1
    JOIN (
        SELECT id, ROW_NUMBER() OVER (ORDER BY id) - 1 AS place FROM judgments_membership
        WHERE campaign_id = {campaign} AND role = 'judge'
    ) AS judge ON judge.place = (batch.place * {rounds} + round.number) % {judges}
    WHERE batch.place < {batches}
"""
# How much is right of a candidate, from 0 to 1, by the places of the systems behind it; less than nothing of a control.
MERITS = """
    CREATE TEMPORARY TABLE merit AS
    SELECT output.candidate_id AS candidate,
        AVG(CASE system.kind WHEN 'control' THEN -1.0 WHEN 'source' THEN 0.0 ELSE system.place * 1.0 / {systems} END)
            AS merit
    FROM judgments_systemoutput AS output
    JOIN (
        SELECT id, kind, ROW_NUMBER() OVER (ORDER BY name) AS place FROM judgments_system WHERE campaign_id = {campaign}
    ) AS system ON system.id = output.system_id
    GROUP BY output.candidate_id
"""
ASSIGNMENTS = """
    UPDATE judgments_assignment AS assignment SET judge_id = turn.judge, claimed_at = {claimed}, leased_until =
    {submitted},
        submitted_at = {submitted}
    FROM turn WHERE turn.batch = assignment.batch_id AND turn.round = assignment.round AND turn.place BETWEEN {first}
    AND {last}
"""
JUDGMENTS = """
    INSERT INTO judgments_judgment (assignment_id, screen_id, key, revision, current, skipped, skip_reason, comment,
    flagged,
        wall_seconds, active_seconds, submitted_at)
    SELECT assignment.id, assignment.screen_id, {key}, 1, {true}, CASE WHEN assignment.id % {skipped} = 7 THEN {true}
    ELSE {false} END,
        CASE WHEN assignment.id % {skipped} = 7 THEN 'I do not understand it' ELSE '' END,
        CASE WHEN assignment.id % {flagged} = 3 THEN 'The sentence seems to be cut off.' ELSE '' END,
        CASE WHEN assignment.id % {flagged} = 3 THEN {true} ELSE {false} END,
        {seconds}, {seconds} * 0.8, assignment.submitted_at
    FROM judgments_assignment AS assignment
    JOIN turn ON turn.batch = assignment.batch_id AND turn.round = assignment.round AND turn.place BETWEEN {first} AND
    {last} ORDER BY turn.place, assignment.position
"""
PLACEMENTS = """
    INSERT INTO judgments_placement (judgment_id, screen_id, candidate_id, rank)
    SELECT id, screen_id, candidate_id,
        CASE WHEN worse < 1 THEN 1 WHEN worse > slots THEN slots ELSE CAST(worse AS INTEGER) END
    FROM (
        SELECT judgment.id, slot.screen_id, slot.candidate_id, {place} AS place,
            COUNT(*) OVER (PARTITION BY judgment.id) AS slots,
            CASE WHEN turn.judge % {by_chance} = 0 THEN 1 + 5 * {chance}
            ELSE 1.5 + 4 * (1 - merit.merit) + 3 * ({chance} - 0.5) END AS worse
        FROM judgments_judgment AS judgment
        JOIN judgments_assignment AS assignment ON assignment.id = judgment.assignment_id
        JOIN turn ON turn.batch = assignment.batch_id AND turn.round = assignment.round AND turn.place BETWEEN {first}
        AND {last} JOIN judgments_slot AS slot ON slot.screen_id = assignment.screen_id JOIN merit ON merit.candidate =
        slot.candidate_id WHERE NOT judgment.skipped
    ) AS answered ORDER BY id, place
"""
INDEXES = {
    "turn": ("CREATE INDEX turn_of_assignment ON turn (batch, round)", "CREATE INDEX turn_in_order ON turn (place)"),
    "merit": ("CREATE INDEX merit_of_candidate ON merit (candidate)",),
}
COMPLETIONS = """
    INSERT INTO judgments_completion (judge_id, batch_id, screens, earns_code, finished_at)
    SELECT turn.judge, turn.batch, COUNT(*), {true}, MAX(assignment.submitted_at)
    FROM turn JOIN judgments_assignment AS assignment ON assignment.batch_id = turn.batch AND assignment.round =
    turn.round GROUP BY turn.judge, turn.batch ORDER BY MAX(assignment.submitted_at)
"""


def answer(campaign: int, batches: int, rounds: int, batch_size: int, tell: Callable[[int, int], None]) -> int:
    """Have the judges of a campaign answer all assignments of its first batches in turns; how many judgments there
    are.
    """
    from django.db import connection, transaction
    from django.utils import timezone

    from judgments.models import Judgment, Membership, System

    turns = batches * rounds
    counts = {
        "campaign": campaign,
        "batches": batches,
        "rounds": rounds,
        "judges": Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE).count(),
        "systems": System.objects.filter(campaign=campaign, kind=System.Kind.SYSTEM).count(),
    }
    words = _expressions(connection.vendor, timezone.now() - timedelta(days=DAYS), turns) | counts

    def say(statement: str, **more: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement.format_map(words | more))

    for statement in (TURNS, *INDEXES["turn"], MERITS, *INDEXES["merit"]):
        say(statement)
    at_once = max(1, AT_ONCE // batch_size)
    for first in range(0, turns, at_once):
        with transaction.atomic():
            for statement in (ASSIGNMENTS, JUDGMENTS, PLACEMENTS):
                say(statement, first=first, last=min(first + at_once, turns) - 1)
        tell(min(first + at_once, turns), turns)
    say(COMPLETIONS)
    say("DROP TABLE turn")
    say("DROP TABLE merit")
    return Judgment.objects.filter(assignment__campaign=campaign).count()


def _expressions(vendor: str, since: datetime, turns: int) -> dict[str, str | int]:
    """What the statements are made of: when an assignment was answered, how long it took, and a number that chance
    gives.
    """
    words = WORDS[vendor]
    step = (DAYS * 86400 - LAST_SECONDS) / turns
    seconds = f"(10 + (assignment.id * 7919) % {SCREEN_SECONDS * 2})"
    submitted = f"{FIRST_SECONDS} + turn.place * {step:.3f} + assignment.position * {SCREEN_SECONDS}"
    later = words["later"].replace("{since}", since.strftime("%Y-%m-%d %H:%M:%S"))
    mixed = f"((judgment.id * 92821 + slot.candidate_id * 68917) % {PRIME})"
    return {
        **words,
        "seconds": seconds,
        "submitted": later.replace("{seconds}", submitted),
        "claimed": later.replace("{seconds}", f"{submitted} - {seconds}"),
        "chance": f"(({mixed} * {mixed}) % {PRIME}) / {PRIME}.0",
        "skipped": SKIPPED,
        "flagged": FLAGGED,
        "by_chance": BY_CHANCE,
    }
