"""The JavaScript that stands in for a hook where an agent has none. It refuses whatever it cannot read."""

from __future__ import annotations

import json

from fairlead.dialects.setup.shell_line import missing

_HEAD = "// fairlead-hook, put here by `fairlead install`; `fairlead uninstall` removes it.\n"
_ASK = """import { spawnSync } from "node:child_process"
import { statSync } from "node:fs"

const COMMAND = __COMMAND__
const MISSING = __MISSING__
const OUT = " (`fairlead doctor` shows more, `fairlead off` does without it)"

// An empty file would be run as a script that has nothing to say.
function isThere() {
  try { return statSync(COMMAND[0]).size > 0 } catch { return false }
}

// One call to Fairlead. Silence means no objection. An answer that cannot be read is a no that says `failed`:
// it holds before a tool runs, and is no reason to stop anything else.
function ask(event, payload, cwd) {
  const no = (reason) => ({ decision: "deny", failed: true, reason })
  if (!isThere()) return no(MISSING)
  const done = spawnSync(COMMAND[0], [...COMMAND.slice(1), event], {
    input: JSON.stringify({ hook_event_name: event, cwd, ...payload }),
    encoding: "utf8",
    timeout: 60000,
    maxBuffer: 64 * 1024 * 1024,
  })
  if (["ENOENT", "EACCES"].includes(done.error?.code)) return no(MISSING)
  if (done.error) return no("Fairlead could not be asked: " + done.error.message + OUT)
  if (done.status === 0 && !done.stdout.trim()) return {}
  try {
    const answer = JSON.parse(done.stdout)
    const whole = answer !== null && typeof answer === "object" && !Array.isArray(answer)
    if (whole && (done.status === 0 || answer.decision === "deny")) return answer
  } catch {}
  const why = (done.stderr || "").trim() || "Fairlead ended with status " + done.status
  return no(why + OUT)
}
"""

_OPENCODE = """
export const Fairlead = async ({ directory, worktree }) => {
  const say = (event, payload) => ask(event, { worktree, ...payload }, directory)
  const tell = (event, payload) => { try { say(event, payload) } catch {} }
  return {
    "tool.execute.before": async (input, output) => {
      const answer = say("tool.execute.before", {
        session_id: input.sessionID, tool_use_id: input.callID,
        tool_name: input.tool, tool_input: output.args })
      if (answer.decision) throw new Error(answer.reason || "refused by Fairlead")
      if (answer.args) {
        for (const key of Object.keys(output.args)) delete output.args[key]
        Object.assign(output.args, answer.args)
      }
    },
    "tool.execute.after": async (input, output) => {
      const answer = say("tool.execute.after", {
        session_id: input.sessionID, tool_use_id: input.callID,
        tool_name: input.tool, tool_input: input.args ?? {},
        tool_response: { title: output.title, output: output.output, metadata: output.metadata } })
      if (answer.failed) return
      if (answer.decision) output.output = answer.reason
      else if (answer.output !== undefined) output.output = answer.output
    },
    "chat.message": async (input, output) => {
      const answer = say("chat.message", { input, output })
      if (answer.decision && !answer.failed) throw new Error(answer.reason || "refused by Fairlead")
      if (answer.context)
        output.parts.push({ ...output.parts[0], type: "text", text: answer.context, synthetic: true })
    },
    event: async ({ event }) => {
      if (/^(session\\.(created|idle|error|deleted|compacted)|permission\\.|file\\.edited)/.test(event.type))
        tell(event.type, { event })
    },
  }
}
"""

_AMP = """
export default function (amp) {
  const say = (name, event, payload) =>
    ask(name, { session_id: event?.thread?.id ?? "", ...payload }, process.cwd())
  // Where nobody can be asked, the dialog throws: that is no yes.
  const agreed = async (reason, ctx) => {
    try {
      const wanted = { title: "Fairlead asks", message: reason, confirmButtonText: "Allow" }
      return (await ctx.ui.confirm(wanted)) === true
    } catch { return false }
  }
  amp.on("tool.call", async (event, ctx) => {
    const answer = say("tool.call", event, {
      toolUseID: event.toolUseID, tool: event.tool, input: event.input })
    const asked = answer.decision === "ask" && !answer.failed
    if (!answer.decision || (asked && (await agreed(answer.reason, ctx))))
      return answer.args ? { action: "modify", input: answer.args } : { action: "allow" }
    return { action: "reject-and-continue", message: answer.reason || "refused by Fairlead" }
  })
  amp.on("tool.result", async (event) => {
    const answer = say("tool.result", event, {
      toolUseID: event.toolUseID, tool: event.tool, input: event.input,
      status: event.status, output: event.output })
    if (answer.failed) return
    if (answer.decision) return { ...event, output: answer.reason }
    if (answer.output !== undefined) return { ...event, output: answer.output }
  })
  amp.on("agent.start", async (event) => {
    const answer = say("agent.start", event, { message: event?.message ?? "" })
    if (answer.context && !answer.failed) return { message: { content: answer.context, display: true } }
  })
  for (const name of ["session.start", "agent.end"])
    amp.on(name, async (event) => { try { say(name, event, event || {}) } catch {} })
}
"""


_GIVES_BACK = """  return {
    // The machine withholds every tool from an OpenCode that loads no plugin: this one is loaded, and asks.
    config: async (config) => { if (config.permission) delete config.permission[__KEY__] },
"""


def opencode_plugin(command: list[str], *, told: str = "", gives_back: str = "") -> bytes:
    """`told` is what is said when the command is missing, if something else than usual; `gives_back` is the
    permission that keeps tools from an OpenCode without this plugin."""
    taking = _GIVES_BACK.replace("__KEY__", json.dumps(gives_back))
    body = _OPENCODE.replace("  return {\n", taking, 1) if gives_back else _OPENCODE
    return _plugin(command, body, told)


def opencode_package(command: list[str], head: str, told: str) -> bytes:
    """The same as a package for everybody: the command begins below the home of whoever runs it."""
    program, *words = command
    below = f"[homedir() + {json.dumps(program.removeprefix('~'))}, {json.dumps(words)[1:]}"
    source = (head + 'import { homedir } from "node:os"\n' + _ASK).replace("__COMMAND__", below)
    return (source.replace("__MISSING__", json.dumps(f"Blocked by Fairlead: {told}")) + _OPENCODE).encode()


def amp_plugin(command: list[str]) -> bytes:
    return _plugin(command, _AMP)


def _plugin(command: list[str], body: str, told: str = "") -> bytes:
    words = json.dumps(f"Blocked by Fairlead: {told or missing(command[0])}")
    return (
        (_HEAD + _ASK).replace("__COMMAND__", json.dumps(command)).replace("__MISSING__", words) + body
    ).encode()
