# middleware/safety/block-dangerous-commands.py
import re
from middleware_base import MiddlewareResult

DANGEROUS_PATTERNS = [
    r"\brm\s+-rf\b",
    r"\bsudo\s+rm\b",
    r"\bdd\s+if=",
    r"\b>>\s*/dev/sd[a-z]\b",
    r"\bmkfs\b",
]

def process(hook_input, config, previous_results):
    tool_name = hook_input.get("tool_name")
    tool_input = hook_input.get("tool_input", {})
    
    if tool_name != "Bash":
        return MiddlewareResult(
            decision="allow",
            reason="Not a bash command",
            metrics={"skipped": True}
        )
    
    command = tool_input.get("command", "")
    
    # Check against dangerous patterns
    for pattern in config.get("dangerous_patterns", DANGEROUS_PATTERNS):
        if re.search(pattern, command, re.IGNORECASE):
            return MiddlewareResult(
                decision="block",
                reason=f"Dangerous command pattern detected: {pattern}",
                metrics={
                    "blocked": True,
                    "pattern": pattern,
                    "command": command[:100]
                }
            )
    
    return MiddlewareResult(
        decision="allow",
        reason="No dangerous patterns detected",
        metrics={"checked_patterns": len(DANGEROUS_PATTERNS)}
    )
