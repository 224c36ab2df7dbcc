"""Characters that the engine of the extra `fast` surely takes for what tiktoken takes them for.

Both carry tables of Unicode, and not of the same version (16 and 17 at the time of writing), so a
letter of a newer script may be one to only one of them. The tables of every version that may be
installed are newer than Unicode 14 (2021), so what that had already is sure, except for

- U+017F, in which a contraction ends for tiktoken (`(?i:'s)` matches it), and not for the other,
- U+0295, which was a small letter and has no case any more,
- most of what is beyond the basic plane: rare scripts, which are not worth a longer list.

Of the blocks of emoji all is sure, even what will only be one some day: the patterns treat a symbol
and an unknown character alike. The tests compare both engines for every character that is sure.
"""

from __future__ import annotations

import re
from functools import cache

UNSURE = (
    "17f 295 378-379 380-383 38b 38d 3a2 530 557-558 58b-58c 590 5c8-5cf 5eb-5ee 5f5-5ff 70e "
    "74b-74c 7b2-7bf 7fb-7fc 82e-82f 83f 85c-85d 85f 86b-86f 88f 892-897 984 98d-98e 991-992 9a9 "
    "9b1 9b3-9b5 9ba-9bb 9c5-9c6 9c9-9ca 9cf-9d6 9d8-9db 9de 9e4-9e5 9ff-a00 a04 a0b-a0e a11-a12 "
    "a29 a31 a34 a37 a3a-a3b a3d a43-a46 a49-a4a a4e-a50 a52-a58 a5d a5f-a65 a77-a80 a84 a8e a92 "
    "aa9 ab1 ab4 aba-abb ac6 aca ace-acf ad1-adf ae4-ae5 af2-af8 b00 b04 b0d-b0e b11-b12 b29 b31 "
    "b34 b3a-b3b b45-b46 b49-b4a b4e-b54 b58-b5b b5e b64-b65 b78-b81 b84 b8b-b8d b91 b96-b98 b9b "
    "b9d ba0-ba2 ba5-ba7 bab-bad bba-bbd bc3-bc5 bc9 bce-bcf bd1-bd6 bd8-be5 bfb-bff c0d c11 c29 "
    "c3a-c3b c45 c49 c4e-c54 c57 c5b-c5c c5e-c5f c64-c65 c70-c76 c8d c91 ca9 cb4 cba-cbb cc5 cc9 "
    "cce-cd4 cd7-cdc cdf ce4-ce5 cf0 cf3-cff d0d d11 d45 d49 d50-d53 d64-d65 d80 d84 d97-d99 db2 "
    "dbc dbe-dbf dc7-dc9 dcb-dce dd5 dd7 de0-de5 df0-df1 df5-e00 e3b-e3e e5c-e80 e83 e85 e8b ea4 "
    "ea6 ebe-ebf ec5 ec7 ece-ecf eda-edb ee0-eff f48 f6d-f70 f98 fbd fcd fdb-fff 10c6 10c8-10cc "
    "10ce-10cf 1249 124e-124f 1257 1259 125e-125f 1289 128e-128f 12b1 12b6-12b7 12bf 12c1 "
    "12c6-12c7 12d7 1311 1316-1317 135b-135c 137d-137f 139a-139f 13f6-13f7 13fe-13ff 169d-169f "
    "16f9-16ff 1716-171e 1737-173f 1754-175f 176d 1771 1774-177f 17de-17df 17ea-17ef 17fa-17ff "
    "181a-181f 1879-187f 18ab-18af 18f6-18ff 191f 192c-192f 193c-193f 1941-1943 196e-196f "
    "1975-197f 19ac-19af 19ca-19cf 19db-19dd 1a1c-1a1d 1a5f 1a7d-1a7e 1a8a-1a8f 1a9a-1a9f "
    "1aae-1aaf 1acf-1aff 1b4d-1b4f 1b7f 1bf4-1bfb 1c38-1c3a 1c4a-1c4c 1c89-1c8f 1cbb-1cbc "
    "1cc8-1ccf 1cfb-1cff 1f16-1f17 1f1e-1f1f 1f46-1f47 1f4e-1f4f 1f58 1f5a 1f5c 1f5e 1f7e-1f7f "
    "1fb5 1fc5 1fd4-1fd5 1fdc 1ff0-1ff1 1ff5 1fff 2065 2072-2073 208f 209d-209f 20c1-20cf "
    "20f1-20ff 218c-218f 2427-243f 244b-245f 2b74-2b75 2b96 2cf4-2cf8 2d26 2d28-2d2c 2d2e-2d2f "
    "2d68-2d6e 2d71-2d7e 2d97-2d9f 2da7 2daf 2db7 2dbf 2dc7 2dcf 2dd7 2ddf 2e5e-2e7f 2e9a "
    "2ef4-2eff 2fd6-2fef 2ffc-2fff 3040 3097-3098 3100-3104 3130 318f 31e4-31ef 321f a48d-a48f "
    "a4c7-a4cf a62c-a63f a6f8-a6ff a7cb-a7cf a7d2 a7d4 a7da-a7f1 a82d-a82f a83a-a83f a878-a87f "
    "a8c6-a8cd a8da-a8df a954-a95e a97d-a97f a9ce a9da-a9dd a9ff aa37-aa3f aa4e-aa4f aa5a-aa5b "
    "aac3-aada aaf7-ab00 ab07-ab08 ab0f-ab10 ab17-ab1f ab27 ab2f ab6c-ab6f abee-abef abfa-abff "
    "d7a4-d7af d7c7-d7ca d7fc-dfff fa6e-fa6f fada-faff fb07-fb12 fb18-fb1c fb37 fb3d fb3f fb42 "
    "fb45 fbc3-fbd2 fd90-fd91 fdc8-fdce fdd0-fdef fe1a-fe1f fe53 fe67 fe6c-fe6f fe75 fefd-fefe "
    "ff00 ffbf-ffc1 ffc8-ffc9 ffd0-ffd1 ffd8-ffd9 ffdd-ffdf ffe7 ffef-fff8 fffe-ffff"
)
"Code points of the basic plane, and from which to which: in hexadecimal, in order."

FAR = (
    "1d400-1d454 1d456-1d49c 1d4c5-1d505 1d51e-1d539 1d552-1d6a5 1d6a8-1d7cb 1d7ce-1d7ff "
    "1f1e6-1f1ff 1f300-1faff 20000-2a6df 2a700-2b738 2b740-2b81d 2b820-2cea1 2ceb0-2ebe0 "
    "2f800-2fa1d 30000-3134a e0020-e007f e0100-e01ef"
)
"Those beyond it that are sure: mathematical letters, emoji, Han, tags, and variation selectors."


def is_sure(text: str) -> bool:
    """Whether both engines know the characters of a text alike."""
    return text.isascii() or not any(map(_holds_unsure, _suspects().finditer(text)))


def _holds_unsure(found: re.Match[str]) -> bool:
    return _unsure().search(found[0]) is not None


@cache
def _suspects() -> re.Pattern[str]:
    """What is unsure, and all that is far: each range beyond the basic plane costs a comparison
    for every character, so a first look has only one of them (4 ns a character, where the pattern
    begins with a class).
    """
    one = f"[{_class_of(UNSURE)}\U00010000-\U0010ffff]"
    return re.compile(f"{one}{one}*")


@cache
def _unsure() -> re.Pattern[str]:
    return re.compile(f"[{_class_of(UNSURE)}]|[^\0-\uffff{_class_of(FAR)}]")


def _class_of(ranges: str) -> str:
    ends = (part.split("-") for part in ranges.split())
    return "".join(f"\\U{end[0]:0>8}-\\U{end[-1]:0>8}" for end in ends)
