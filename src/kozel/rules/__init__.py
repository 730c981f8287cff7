"""The rules, one small function each, and the rulesets composed of them."""
