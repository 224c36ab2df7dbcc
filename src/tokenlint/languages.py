"""Language codes in paths: `vi/support.md`, `vi.txt`, `support.pt-BR.md`."""

from __future__ import annotations

import re

# ISO 639-1, and the three-letter codes of languages that have no other and many readers.
_LISTED = (
    "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da "
    "de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy "
    "hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg "
    "li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or "
    "os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta "
    "te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu "
    "ary arz ast bho ceb ckb cmn fil gsw hak haw hmn hsb kab kok mai mni nan nds nqo nso pap prs "
    "sat scn shn tzm vec wuu yue zgh"
)
_CODES = frozenset(_LISTED.split())
_TAG = re.compile(r"([a-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|\d{3}))?")


def language_code(text: str) -> str | None:
    """A language code in its usual spelling (`pt_br` is `pt-BR`), or None for other text."""
    match = _TAG.fullmatch(text)
    if match is None or match[1] not in _CODES:
        return None
    script, region = match[2], match[3]
    return "-".join(filter(None, (match[1], script and script.title(), region and region.upper())))


def language_of(path: str) -> str | None:
    """The language that a path names: before its suffix, as its stem, or as its nearest folder."""
    *folders, name = path.split("/")
    pieces = name.split(".")
    candidates = [pieces[-2] if len(pieces) > 1 else name, *reversed(folders)]
    codes = map(language_code, candidates)
    return next((code for code in codes if code is not None), None)


def generalized(template: str) -> str:
    """A path with its last language code replaced by `{language}`: `en/a.md` to `{language}/a.md`.

    A path without one is returned as it is; a suffix, such as `.ts`, is no language.
    """
    for match in reversed(list(re.finditer(r"(?:(?<=[/.])|^)[^/.]+(?=[/.])", template))):
        if language_code(match.group()) is not None:
            return f"{template[: match.start()]}{{language}}{template[match.end() :]}"
    return template
