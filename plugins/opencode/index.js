// fairlead-hook, made by plugins/generate.py from the dialect of OpenCode.
import { homedir } from "node:os"
import { spawnSync } from "node:child_process"
import { statSync } from "node:fs"

const COMMAND = [homedir() + "/.local/share/fairlead/bin/fairlead-hook", "opencode"]
const MISSING = "Blocked by Fairlead: its program ~/.local/share/fairlead/bin/fairlead-hook is missing. A person can run `pipx install fairlead && fairlead install --client`, or take the Fairlead plugin out of this agent. Then start the agent anew."
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
      if (/^(session\.(created|idle|error|deleted|compacted)|permission\.|file\.edited)/.test(event.type))
        tell(event.type, { event })
    },
  }
}
