"""What log lines name: the request behind them, and the job that a worker is at."""

from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="")
running_job: ContextVar[str] = ContextVar("running_job", default="")


def current_request() -> str:
    return request_id.get()
