"""The rules, listed by hand: one file each, and a missing line is a visible omission."""

from tokenlint.rules import (
    bidi_control,
    decomposed,
    decomposed_escape,
    decomposed_file_name,
    disguised_special_token,
    hidden_text,
    invisible_character,
    not_nfc,
    not_utf8,
    over_budget,
    over_fertility,
    over_growth,
    over_premium,
    over_total_budget,
    replacement_character,
    special_token,
    unknown_directive,
)
from tokenlint.rules.base import Context, Edit, Finding, Fix, Rule, SpecialTokens

RULES: tuple[Rule, ...] = (
    decomposed.RULE,
    not_nfc.RULE,
    decomposed_file_name.RULE,
    decomposed_escape.RULE,
    special_token.RULE,
    disguised_special_token.RULE,
    over_budget.RULE,
    over_total_budget.RULE,
    over_fertility.RULE,
    over_premium.RULE,
    over_growth.RULE,
    invisible_character.RULE,
    bidi_control.RULE,
    hidden_text.RULE,
    replacement_character.RULE,
    not_utf8.RULE,
    unknown_directive.RULE,
)

__all__ = ["RULES", "Context", "Edit", "Finding", "Fix", "Rule", "SpecialTokens"]
