"""The queues of the message broker."""

import logging
from typing import Any

from celery import Signature, current_app
from kombu.exceptions import ChannelError, KombuError

_LOG = logging.getLogger(__name__)


class Unreachable(Exception):
    """The message broker does not answer."""


def send(message: Signature) -> None:
    """Send a message to the workers; if the broker is unavailable, the sweeper announces the row later."""
    try:
        message.delay()
    except (KombuError, OSError) as error:
        _LOG.error("%s%s cannot be sent to a worker and waits in the database: %s", message.task, message.args, error)


def lengths() -> dict[str, int]:
    """Return the number of messages in each queue that no worker has fetched."""
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
    except ChannelError:  # in Redis an empty queue does not exist
        return 0
