"""`tokenlint compare`: what languages, forms and tokenizers cost, against a reference."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from tokenlint.commands.premiums import read_reference
from tokenlint.errors import TokenlintError
from tokenlint.files import absolute
from tokenlint.frozen import frozen
from tokenlint.patterns import shown_path
from tokenlint.reports.text import left_out
from tokenlint.tokens import Unreadable
from tokenlint.tokens.comparison import Measure, Row, rows
from tokenlint.tokens.forms import in_form
from tokenlint.tokens.loading import is_path
from tokenlint.translations import Template, Translation, on_disk, translation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenlint.commands.session import Session, Stdin
    from tokenlint.tokens import Document, Tokenizer
    from tokenlint.tokens.forms import Form
    from tokenlint.tokens.words import Method

By = Literal["file", "folder", "language", "total"]

NO_LANGUAGE = "und"
"The code of BCP 47 for a language that is not determined."


@frozen
class Request:
    """What was asked of a comparison; `named` are the tokenizers as the user wrote them."""

    paths: Sequence[str] = (".",)
    stdin: Stdin | None = None
    reference: str | None = None
    forms: tuple[Form, ...] = ("as-is",)
    words: Method = "word"
    named: Sequence[str] = ()


@dataclass
class Compared:
    """What was measured, and what must be said or put right (`problems`: exit code 2)."""

    measures: list[Measure] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def left_out(self) -> str:
        """The files that were met and not measured, in words."""
        return left_out(self.skipped)

    @property
    def languages(self) -> set[str | None]:
        """The languages of the texts; None for a text that names none."""
        return {measure.language for measure in self.measures}


def run(request: Request, session: Session) -> Compared:
    """Measure files, or standard input, in each form with each tokenizer.

    Raises ConfigError, TokenizerError, and TokenlintError where the request itself is wrong.
    """
    comparison = _Comparison(request, session, _tokenizers(session), _template(request, session))
    compared = comparison.compared
    compared.notes += _alike(request.named, comparison.tokenizers)
    for file, named in session.documents(request.paths, request.stdin, compared.skipped):
        if not isinstance(file, Unreadable):
            comparison.add(file)
            continue
        compared.skipped[file.reason] += 1
        if named:
            compared.problems.append(file.message)
    compared.problems += comparison.without_any_reference()
    compared.notes += session.remarks
    return compared


def group(compared: Compared, by: By) -> list[Row]:
    """The rows of a comparison, and a note in it for what has no language or no common unit."""
    names = {
        "file": lambda measure: measure.path,
        "folder": lambda measure: measure.path.rpartition("/")[0] or ".",
        "language": lambda measure: measure.language or NO_LANGUAGE,
        "total": lambda _measure: "total",
    }
    found = rows(compared.measures, names[by])
    if by == "language" and None in compared.languages:
        compared.notes.append(
            f"files whose path names no language are in the row {NO_LANGUAGE}; a language is a "
            "code before the suffix, as the name, or as a folder: a.vi.md, vi.md, vi/a.md"
        )
    for path in dict.fromkeys(row.path for row in found if row.word_unit is None):
        compared.notes.append(
            f"{path}: texts measured in words and in graphemes have no common fertility; "
            "--words grapheme measures all alike"
        )
    return found


def by_of_chart(compared: Compared, asked: By | None) -> By:
    """What a bar of the chart is: as asked, else a language where every path names one."""
    return asked or ("file" if None in compared.languages else "language")


def _tokenizers(session: Session) -> dict[str, Tokenizer]:
    """The tokenizers by the names that reports print."""
    scope = session.scope(session.config)
    found: dict[str, Tokenizer] = {}
    for name in scope.config.tokenizers:
        shown = name
        if is_path(name):
            shown = shown_path(scope.loader.in_base(name), session.working_folder)
        found[shown] = scope.loader.require(name)
    return found


def _alike(named: Sequence[str], tokenizers: Mapping[str, Tokenizer]) -> Iterator[str]:
    """What is said of tokenizers that would give the same figures twice."""
    for name, times in Counter(named).items():
        if times > 1:
            yield f"the tokenizer {name} is named {times} times and measured once"
    first: dict[str, str] = {}
    for name, tokenizer in tokenizers.items() if len(tokenizers) > 1 else ():
        other = first.setdefault(tokenizer.fingerprint, name)
        if other != name:
            yield f"{other} and {name} are the same tokenizer, so their figures are the same"


def _template(request: Request, session: Session) -> Template | None:
    """The reference as a path from the working folder.

    Raises TokenlintError where no file can be meant, or where it is one file that cannot be read.
    """
    if request.reference is None:
        return None
    path = absolute(session.working_folder / request.reference)
    template = Template(shown_path(path, session.working_folder))
    if template.unknown is not None:
        raise TokenlintError(f"--reference {request.reference}: {template.unknown}")
    if not template.placeholders:
        document = read_reference(path, template.text, session)
        if isinstance(document, Unreadable):
            raise TokenlintError(f"the reference cannot be read: {document.message}")
    return template


@dataclass
class _Comparison:
    """Measures one document after the other; references are read and counted once."""

    request: Request
    session: Session
    tokenizers: Mapping[str, Tokenizer]
    template: Template | None
    compared: Compared = field(default_factory=Compared)
    _references: dict[str, dict[str, int] | str] = field(default_factory=dict)

    def add(self, document: Document) -> None:
        """Measure a document; where that fails, nothing of it is kept."""
        about = translation(document.path, self.template)
        try:
            measures = list(self._measures(document, about, self._base(document.path, about)))
        except TokenlintError as error:
            self.compared.problems.append(f"{document.path}: {error}")
        else:
            self.compared.measures += measures

    def without_any_reference(self) -> Iterator[str]:
        """A sentence where no file has a reference, as with a pattern that leads nowhere."""
        measures = self.compared.measures
        if self.template and measures and all(m.reference is None for m in measures):
            yield (
                f"--reference {self.request.reference}: none of the files can be held against "
                "it; the notes say why"
            )

    def _measures(
        self, document: Document, about: Translation, base: Mapping[str, int]
    ) -> Iterator[Measure]:
        texts = self._texts(document)
        counted: dict[tuple[str, tuple[str, ...]], int] = {}  # forms are often equal
        for form in self.request.forms:
            formed = tuple(in_form(text, form) for text in texts)
            words = self.session.counts.words("\n".join(formed), self.request.words)
            for name, tokenizer in self.tokenizers.items():
                if (name, formed) not in counted:
                    counted[name, formed] = self._tokens(formed, tokenizer)
                yield Measure(
                    document.path,
                    about.language,
                    form,
                    name,
                    counted[name, formed],
                    words,
                    sum(map(len, formed)),
                    sum(len(text.encode(errors="surrogatepass")) for text in formed),
                    base.get(name),
                    is_reference=about.reference == document.path,
                )

    def _tokens(self, texts: Sequence[str], tokenizer: Tokenizer) -> int:
        return sum(self.session.counts.tokens(text, tokenizer) for text in texts)

    def _texts(self, document: Document) -> tuple[str, ...]:
        """The prompts in a file; a frame is no text, so requests are compared by their contents."""
        return tuple(prompt.text for prompt in self.session.prompts_of(document))

    def _base(self, path: str, about: Translation) -> Mapping[str, int]:
        """The tokens of a file's reference as it is, or none and a note that says why."""
        if self.template is None:
            return {}
        if about.reference is None:
            self._note(path, "no premium, because its path names no language")
            return {}
        if about.reference not in self._references:
            self._references[about.reference] = self._count(about.reference)
        found = self._references[about.reference]
        if isinstance(found, str):
            self._note(path, f"no premium, because its reference {found}")
            return {}
        return found

    def _count(self, reference: str) -> dict[str, int] | str:
        folder = self.session.working_folder
        document = read_reference(on_disk(folder, reference), reference, self.session)
        if isinstance(document, Unreadable):
            return f"cannot be read: {document.message}"
        try:
            texts = self._texts(document)
            counts = {name: self._tokens(texts, one) for name, one in self.tokenizers.items()}
        except TokenlintError as error:
            return f"{reference} cannot be counted: {error}"
        return counts if any(counts.values()) else f"{reference} has no tokens"

    def _note(self, path: str, why: str) -> None:
        self.compared.notes.append(f"{path}: {why}")
