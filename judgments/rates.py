"""So many requests in each stretch of time, counted by all web processes together, however often they start anew."""

from datetime import datetime

from django.db.models import F

from judgments.models import RateUsed


def use(key: str, until: datetime, most: int) -> bool:
    """Take one of so many requests of a stretch, unless all are taken; a flood of refused ones writes nothing."""
    used, is_new = RateUsed.objects.get_or_create(key=key, defaults={"until": until, "count": 1})
    if is_new:
        return True
    if used.until == until and used.count >= most:
        return False
    anew = used.until != until and RateUsed.objects.filter(key=key, until=used.until).update(until=until, count=1)
    here = RateUsed.objects.filter(key=key, until=until, count__lt=most)
    return bool(anew or here.update(count=F("count") + 1))


def forget(now: datetime) -> None:
    """Let go of counts that are over."""
    RateUsed.objects.filter(until__lt=now).delete()
