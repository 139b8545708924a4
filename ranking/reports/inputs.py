import io
import json
import zipfile
from collections.abc import Mapping

from ranking.models import Report, ReportInputs
from ranking.reports.kinds.registry import kind_of
from ranking.stats.analysis import ABOUT, AnyStudy

# All files have one date.
NO_DATE = (1980, 1, 1, 0, 0, 0)
# Twice as fast as the usual level, and a tenth larger.
LEVEL = 3


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, NO_DATE), text, zipfile.ZIP_DEFLATED, LEVEL)
    return content.getvalue()


def unzipped(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def inputs_of(report: Report, study: AnyStudy) -> bytes:
    about = json.dumps(report.about(), ensure_ascii=False, indent=1) + "\n"
    return zipped(kind_of(report).study.written(study) | {ABOUT: about})


def gathered(report: Report) -> AnyStudy:
    """Read the study that another worker stored."""
    content = bytes(ReportInputs.objects.get(report=report).content)
    return kind_of(report).study.read({name: text.decode() for name, text in unzipped(content).items()})
