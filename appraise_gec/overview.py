"""What `appraise-gec` can do: the list of its commands, and their names and options for a shell to complete."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

# In the order in which people need them; other commands are for those who operate a site.
GROUPS = {
    "Try it, and run it": ("demo", "open", "serve"),
    "Evaluate systems": (
        "import-outputs", "assign-screens", "invite-judges", "judge",
        "import-judgments", "show-progress", "act", "build-report", "compare-reports", "export",
        "release-data", "import-campaign",
    ),
    "Score with metrics": ("score", "score-outputs", "propose-edits", "train-ensemble"),
}  # fmt: skip
OPERATE = "Operate a site"
# What `demo`, `serve` and developers run.
BEHIND = {"load-demo", "run-platform", "make-translations"}
OWN = {
    "demo": "Run the platform with sample campaigns of every kind; prints a login, and links for judges.",
    "serve": "Run the platform on this machine until Ctrl-C.",
    "score": "Score outputs by automatic metrics, from plain files with a sentence per line.",
    "migrate": "Bring the database to the state of this version.",
    "createsuperuser": "Create an account for an administrator.",
    "changepassword": "Change the password of an account.",
    "warm-up": "Compile all kernels now, which otherwise happens when the first of them is needed.",
    "completion": 'Print a script by which shells complete commands: eval "$(appraise-gec completion)"',
}
USAGE = """usage: appraise-gec COMMAND ...

Human evaluation of grammatical error correction: a web platform for judges and organisers, its metrics and statistics.

{commands}

`appraise-gec COMMAND --help` explains a command. Names can be written with hyphens or underscores."""
COMPLETION = """if [ -n "$ZSH_VERSION" ]; then autoload -U +X bashcompinit && bashcompinit; fi
_appraise_gec() {
    local found
    found=$(appraise-gec complete "$COMP_CWORD" "${COMP_WORDS[@]:1}" 2>/dev/null)
    COMPREPLY=( $(compgen -W "$found" -- "${COMP_WORDS[COMP_CWORD]}") )
}
complete -o default -F _appraise_gec appraise-gec"""
FIRST_CLAUSE = re.compile(r"(.*?)(?: in one of these formats|:|;|\.| \()", re.DOTALL)
ROOT = Path(__file__).parent.parent
PACKAGES = ("judgments", "ranking", "appraise_gec")


def overview() -> str:
    purposes = _purposes()
    width = max(map(len, purposes))
    grouped = {name for names in GROUPS.values() for name in names}
    groups = GROUPS | {OPERATE: [name for name in purposes if name not in grouped]}
    listed = (
        "\n".join([f"{heading}:", *(f"  {name:<{width}}  {purposes[name]}" for name in names if name in purposes)])
        for heading, names in groups.items()
    )
    return USAGE.format(commands="\n\n".join(listed))


def completions(number: int, name: str) -> Iterable[str]:
    """The names of commands for the first word, otherwise the options of the command."""
    if number == 1:
        return _purposes()
    import django
    from django.core.management import get_commands, load_command_class

    django.setup()
    if name not in get_commands():
        return ()
    parser = load_command_class(str(get_commands()[name]), name).create_parser("appraise-gec", name)
    return [name for one in parser._actions for name in one.option_strings or getattr(one, "_name_parser_map", ())]


def _purposes() -> dict[str, str]:
    return dict(sorted((dict(_of_modules()) | OWN).items()))


def _of_modules() -> Iterator[tuple[str, str]]:
    """Every command with the first clause of its help, read without loading it, as that takes seconds."""
    for package in PACKAGES:
        for file in (ROOT / package / "management" / "commands").glob("[a-z]*.py"):
            name = file.stem.replace("_", "-")
            about = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
            if name not in BEHIND and (clause := FIRST_CLAUSE.match(about)):
                yield name, " ".join(clause[1].split()) + "."
