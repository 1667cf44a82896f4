from core.rules import SafetyRule, RuleEngine

engine = RuleEngine()
engine.add_rule(SafetyRule(
    name="no_network_access",
    forbidden_patterns=["curl", "wget", "nc"]
))
