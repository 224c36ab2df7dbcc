"""The rules, listed by hand: one file each, and a missing line is a visible omission."""

from tokenlint.rules import (
    decomposed,
    decomposed_file_name,
    not_nfc,
    not_utf8,
    over_budget,
    over_fertility,
    over_total_budget,
    special_token,
    unknown_directive,
)
from tokenlint.rules.base import Context, Edit, Finding, Fix, Rule, SpecialTokens

RULES: tuple[Rule, ...] = (
    decomposed.RULE,
    not_nfc.RULE,
    decomposed_file_name.RULE,
    special_token.RULE,
    over_budget.RULE,
    over_total_budget.RULE,
    over_fertility.RULE,
    not_utf8.RULE,
    unknown_directive.RULE,
)

__all__ = ["RULES", "Context", "Edit", "Finding", "Fix", "Rule", "SpecialTokens"]
