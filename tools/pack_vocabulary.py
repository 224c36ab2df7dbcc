"""Make the packed data files of this package from official, hash-checked rank files.

    python tools/pack_vocabulary.py            # from an installed package or tiktoken's cache
    python tools/pack_vocabulary.py --network  # or from the vendor's server

Prints the sha256 of each file written; they are pinned in `tokens/rank_files.py`.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

from tokenlint.tokens import rank_files, vocabularies

DATA = Path(__file__).parents[1] / "src" / "tokenlint" / "data"


def main() -> int:
    """Write each packed file and prove that it turns back into the official one."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--network", action="store_true", help="allow the download")
    network = parser.parse_args().network
    for name in ("o200k_base", "cl100k_base"):
        official, source = vocabularies.find_raw(name, network=network)
        packed = rank_files.pack(official)
        if rank_files.official_form(rank_files.unpack(packed)) != official:
            raise SystemExit(f"{name}: the packed form does not turn back into the official file")
        (DATA / f"{name}.packed").write_bytes(packed)
        digest = hashlib.sha256(packed).hexdigest()
        print(f"{name}: {len(official):,} bytes from {source} -> {len(packed):,} bytes, {digest}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
