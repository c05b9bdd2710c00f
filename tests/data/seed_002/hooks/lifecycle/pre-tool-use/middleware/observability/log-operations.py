# middleware/observability/log-operations.py
import json
from datetime import datetime
from pathlib import Path
from middleware_base import MiddlewareResult

def process(hook_input, config, previous_results):
    log_file = Path(config.get("log_file", "~/.claude/logs/operations.jsonl")).expanduser()
    log_file.parent.mkdir(parents=True, exist_ok=True)
    
    log_entry = {
        "timestamp": datetime.utcnow().isoformat(),
        "session_id": hook_input.get("session_id"),
        "tool_name": hook_input.get("tool_name"),
        "tool_input": hook_input.get("tool_input"),
        "blocked": any(r["decision"] == "block" for r in previous_results)
    }
    
    try:
        with open(log_file, "a") as f:
            f.write(json.dumps(log_entry) + "\n")
        
        return MiddlewareResult(
            decision="continue",  # Doesn't affect outcome
            reason="Logged successfully",
            metrics={"logged": True, "log_file": str(log_file)}
        )
    except Exception as e:
        # Non-blocking: log errors but don't fail
        return MiddlewareResult(
            decision="continue",
            reason=f"Logging failed: {e}",
            metrics={"logged": False, "error": str(e)}
        )
