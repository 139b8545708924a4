"""The description of the API names every address, and is true of whatever is sent there."""

import json
import re

import pytest
import schemathesis
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    response_schema_conformance,
    status_code_conformance,
)

from appraise_gec.wsgi import application
from judgments import programs, scheduling, tokens, uploads
from judgments.models import Campaign
from judgments.rules.uploads import Roles
from ranking.reports import build, request_report
from tests import factory

EXAMPLES = 15
CHECKS = [
    not_a_server_error,
    content_type_conformance,
    ignored_auth,
    response_schema_conformance,
    status_code_conformance,
]
