"""How to cite a release: CITATION.cff, and an entry of BibTeX."""

import yaml

from ranking.numbers.tables import for_latex
from ranking.publishing.release.facts import VERSION, Facts, PageFacts


def citation_cff(facts: Facts) -> str:
    content = {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them as below.",
        "type": "dataset",
        "title": facts.title,
        "abstract": facts.description,
        "authors": [_author(creator) for creator in facts.creators],
        "version": VERSION,
        "date-released": facts.date,
    }
    content |= {"license": facts.licence.spdx} if facts.licence else {}
    content |= {"url": facts.address} if facts.address else {}
    return as_yaml(content)


def _author(creator: str) -> dict[str, str]:
    """`Lovelace, Ada` is a person; without a comma it may be an institution."""
    family, comma, given = map(str.strip, creator.partition(","))
    return {"family-names": family, "given-names": given} if comma and family and given else {"name": creator}


def bibtex(facts: PageFacts) -> str:
    authors = " and ".join(
        for_latex(creator) if "," in creator else f"{{{for_latex(creator)}}}" for creator in facts.creators
    )
    fields = {
        "author": authors,
        "title": f"{{{for_latex(facts.title)}}}",
        "year": facts.date[:4],
        "version": facts.version,
    }
    fields |= {"url": for_latex(facts.address)} if facts.address else {}
    written = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@misc{{{facts.key},\n{written}\n}}\n"


def as_yaml(content: object) -> str:
    """Keep the order of keys, and quote whatever YAML would take for something else than text."""
    return yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=1000)
