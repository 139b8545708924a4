"""What leaves a campaign at any time: one module a format, each streamed."""

from judgments.exchange.exporters import (
    appraise_xml,
    corrections_jsonl,
    corrections_m2,
    corrections_zip,
    everything,
    gmeg_csv,
    judgments_csv,
    pairs_csv,
)
from judgments.exchange.exporters.base import NO_WISHES, Export, Wishes

EXPORTS: dict[str, Export] = {
    export.name: export
    for export in (
        judgments_csv.EXPORT,
        pairs_csv.EXPANDED,
        pairs_csv.UNEXPANDED,
        appraise_xml.EXPORT,
        gmeg_csv.CORPUS,
        gmeg_csv.SEGMENTS,
        corrections_m2.EXPORT,
        corrections_zip.EXPORT,
        corrections_jsonl.EXPORT,
        everything.LINES,
        everything.BUNDLE,
    )
}

__all__ = ["EXPORTS", "NO_WISHES", "Export", "Wishes"]
