"""Refusals say what would do, and which errors of the database are conflicts of two requests."""

import pytest
from django.db import IntegrityError, connection, transaction
from rest_framework import serializers
from rest_framework.status import HTTP_409_CONFLICT

from judgments.api.base.inputs import Input
from judgments.api.base.problems import answer_with_problem
from judgments.models import Alarm, Campaign


def test_an_invalid_choice_names_the_valid_ones():
    class Order(Input):
        size = serializers.ChoiceField(["", "small", "{large}"])
        extras = serializers.ListField(child=serializers.ChoiceField(["salt"]))

    order = Order(data={"size": "{huge}", "extras": ["salt", "sand"]})
    assert not order.is_valid()
    assert order.errors["size"] == ['"{huge}" is not a valid choice; choose from small, {large}.']
    assert order.errors["extras"][1] == ['"sand" is not a valid choice; choose from salt.']


@pytest.mark.postgresql
def test_only_a_value_that_is_taken_is_a_conflict(campaign):
    """Any other broken constraint is an error of ours, which sending again does not mend."""

    def take():
        Campaign.objects.create(slug=campaign.slug, name="Another")

    def leave_out():
        Campaign.objects.update(name=None)

    def refer_to_nothing():
        Alarm.objects.create(judge_id=0, kind="pace", figures={}, first=1, last=1)
        connection.check_constraints()

    answers = []
    for act in (take, leave_out, refer_to_nothing):
        with pytest.raises(IntegrityError) as broken, transaction.atomic():
            act()
        answers.append(answer_with_problem(broken.value, {}))
    assert answers[0].status_code == HTTP_409_CONFLICT
    assert answers[1:] == [None, None]
