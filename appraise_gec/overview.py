"""What `appraise-gec` can do: the list of its commands, and their names and options for a shell to complete."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

FIRST = {
    "demo": "Run the platform with sample campaigns of every kind; prints a login, and links for judges.",
    "serve": "Run the platform on this machine until Ctrl-C.",
    "score": "Score outputs by automatic metrics, from plain files with a sentence per line.",
}
OF_DJANGO = {
    "migrate": "Bring the database to the state of this version.",
    "createsuperuser": "Create an account for an administrator.",
    "changepassword": "Change the password of an account.",
}
LAST = {
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
    listed = _purposes()
    width = max(map(len, listed))
    return USAGE.format(commands="\n".join(f"  {name:<{width}}  {purpose}" for name, purpose in listed.items()))


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
    return FIRST | dict(sorted(_of_modules())) | OF_DJANGO | LAST


def _of_modules() -> Iterator[tuple[str, str]]:
    """Every command with the first clause of its help, read without loading it, as that takes seconds."""
    for package in PACKAGES:
        for file in (ROOT / package / "management" / "commands").glob("[a-z]*.py"):
            about = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
            if clause := FIRST_CLAUSE.match(about):
                yield file.stem.replace("_", "-"), " ".join(clause[1].split()) + "."
