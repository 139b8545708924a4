"""What a report says of single judges, left where the table of judges shows it."""

from collections.abc import Mapping

from judgments.models import Conduct
from ranking.models import Report
from ranking.stats.choices import PEOPLE
from ranking.stats.sections.judges import REST
from ranking.stats.tables import Table


def leave(report: Report, tables: Mapping[str, Table]) -> None:
    """Agreement with the others and with themselves, and whether the place counted, of each judge in the report."""
    if report.is_interim or report.judged_by != PEOPLE or "judges" not in tables:
        return
    agreement = tables["agreement"].dicts() if "agreement" in tables else []
    with_others = {line["judge"]: line["kappa"] for line in agreement if line["kind"] == REST}
    conducts = Conduct.objects.filter(judge__campaign=report.campaign_id)
    for line in tables["judges"].dicts():
        conducts.filter(judge__pseudonym=line["judge"]).update(
            others_kappa=with_others.get(line["judge"]),
            self_kappa=line["self_kappa"],
            position_p_value=line["position_p_value"],
            compared_at=report.started_at,
        )
