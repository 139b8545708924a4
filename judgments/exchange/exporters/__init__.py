"""Exports of judgments, all streamed, with one module per format."""

from judgments.exchange.exporters.appraise_xml import appraise_xml
from judgments.exchange.exporters.base import NO_OPTIONS, Export, ExportOptions
from judgments.exchange.exporters.corrections import corrections_jsonl, corrections_m2, corrections_zip
from judgments.exchange.exporters.edits import edits_jsonl, edits_m2, edits_zip
from judgments.exchange.exporters.everything import bundle, everything
from judgments.exchange.exporters.gmeg_csv import corpus, segments
from judgments.exchange.exporters.judgments_csv import judges_csv, judgments_csv
from judgments.exchange.exporters.pairs_csv import pairs_expanded, pairs_unexpanded
from judgments.exchange.exporters.pearmut import pearmut_answers, pearmut_campaign

ALL = (
    judgments_csv, pairs_expanded, pairs_unexpanded, appraise_xml, corpus, segments, pearmut_answers, pearmut_campaign,
    corrections_m2, corrections_zip, corrections_jsonl, edits_jsonl, edits_m2, edits_zip, judges_csv, everything,
    bundle,
)  # fmt: skip
EXPORTS: dict[str, Export] = {export.name: export for export in ALL}

__all__ = ["EXPORTS", "NO_OPTIONS", "Export", "ExportOptions"]
