"""Worker tasks. Each imports statistics when it needs them, so that a worker without work stays small."""

from celery import shared_task

from judgments.models import Campaign


@shared_task(name="ranking.draw_part", ignore_result=False)
def draw_part(report_id: int, attempt_number: int, method: str, unit: str, first: int, number: int) -> None:
    from ranking.reports.report_job import draw_part

    draw_part(report_id, attempt_number, method, unit, first, number)


@shared_task(name="ranking.conclude_report")
def conclude_report(report_id: int, attempt_number: int) -> None:
    from ranking.reports.report_job import conclude_report

    conclude_report(report_id, attempt_number)


@shared_task(name="ranking.judge_demo")
def judge_demo() -> None:
    from judgments.management.demo.loading import judge_on

    judge_on()


@shared_task(name="ranking.continue_campaigns")
def continue_campaigns() -> None:
    if Campaign.objects.with_later_screens().exists():
        from ranking.sequential.continuing import continue_campaigns

        continue_campaigns()
