"""Rules that forbid calls. One made in a tools folder becomes a deny rule of Haft."""
import json
import re
from dataclasses import dataclass, field
from typing import List, Optional, Tuple

from core.types import ToolCall


@dataclass
class SafetyRule:
    """Forbids every call whose arguments hold one of these words or regular expressions."""

    name: str
    forbidden_patterns: List[str] = field(default_factory=list)
    description: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ValueError("a SafetyRule needs a name")
        if isinstance(self.forbidden_patterns, str) or not self.forbidden_patterns:
            raise ValueError(f"SafetyRule {self.name!r}: forbidden_patterns must be a list that is not empty")
        self.forbidden_patterns = list(self.forbidden_patterns)
        _announce(self)

    def find(self, text: str) -> Optional[str]:
        """Returns the first forbidden pattern that a text holds, or None."""
        for pattern in self.forbidden_patterns:
            if re.search(_as_expression(pattern), text):
                return pattern
        return None


def _as_expression(pattern: str) -> str:
    """A plain word stands alone; anything else is a regular expression already."""
    if re.fullmatch(r"[\w.-]+", pattern):
        return rf"(?<![\w.-]){re.escape(pattern)}(?![\w-])"
    return pattern


def _announce(rule: SafetyRule) -> None:
    """Tells the host of Haft, where the file is loaded by it."""
    try:
        from haft_host import registered
    except ImportError:
        return
    if registered.loading is not None:
        registered.loading.rules.append(rule)


class RuleEngine:
    """Holds rules and checks calls against them; for tests. Inside Haft its own rules decide, these among them."""

    def __init__(self, rules: Optional[List[SafetyRule]] = None) -> None:
        self.rules: List[SafetyRule] = list(rules or [])

    def add_rule(self, rule: SafetyRule) -> None:
        """Adds a rule."""
        if not isinstance(rule, SafetyRule):
            raise TypeError(f"expected a SafetyRule, got {type(rule).__name__}")
        self.rules.append(rule)

    def check(self, tool_call: ToolCall) -> Tuple[bool, Optional[str]]:
        """Returns whether a call is allowed, and the reason where it is not."""
        text = json.dumps(tool_call.arguments, ensure_ascii=False, default=str)
        for rule in self.rules:
            pattern = rule.find(text)
            if pattern is not None:
                return False, f"Blocked by rule {rule.name}: {pattern!r} is forbidden."
        return True, None
