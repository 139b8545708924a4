"""A program that uses the API, and how it reads a refusal."""

import json

from django.test import Client


class Program:
    """A program with a user's token."""

    def __init__(self, token: str = "") -> None:
        self.client = Client(headers={"Authorization": f"Token {token}"} if token else {})

    def get(self, address: str, **headers: str):
        return self.client.get(address, headers=headers)

    def post(self, address: str, body: object = None, **headers: str):
        text = body if isinstance(body, str | bytes) else json.dumps({} if body is None else body)
        return self.client.post(address, text, content_type="application/json", headers=headers)


def refused(answer, status: int) -> str:
    """The sentence of a refusal, which is a problem as it should be."""
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == status
    assert problem["type"] == "about:blank"
    assert problem["title"]
    return problem["detail"]
