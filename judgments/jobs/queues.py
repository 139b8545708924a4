"""What waits in the queues, whatever keeps them."""

import logging
from typing import Any

from celery import Task, current_app
from kombu.exceptions import ChannelError, KombuError

_LOG = logging.getLogger(__name__)


class Unreachable(Exception):
    """What keeps the queues does not answer."""


def send(task: Task, pk: int) -> None:
    """Tell workers that a row waits; where they cannot be told, the sweeper finds it once they can."""
    try:
        task.delay(pk)
    except (KombuError, OSError) as error:
        _LOG.error("%s cannot be told to a worker and waits in the database: %s", task.name, error)


def lengths() -> dict[str, int]:
    """How many messages wait in each queue; what a worker holds already is not among them."""
    try:
        with current_app.connection_for_read() as connection:
            connection.ensure_connection(max_retries=1)
            channel = connection.default_channel
            return {name: _length(channel, name) for name in current_app.amqp.queues}
    except (KombuError, OSError) as error:
        raise Unreachable from error


def _length(channel: Any, name: str) -> int:
    try:
        return channel.queue_declare(name, passive=True).message_count
    except ChannelError:  # Redis knows no queues in which nothing is
        return 0
