import type { Approver } from '../../core/approval/approval.ts'
import { terminalPrompt, UNANSWERED } from '../approval/prompt.ts'
import type { CommonOptions } from '../terminal/front-end.ts'

/** Returns who approves the calls of a run: `--yes`, else the person at this terminal, else nobody. Ctrl-C at the prompt is no and stops the run, as it does everywhere else. */
export function runApprover({ yes }: CommonOptions): Approver | undefined {
  if (yes) return { name: '--yes', ask: async () => ({ approved: true }) }
  const prompt = terminalPrompt()
  if (!prompt) return undefined
  return {
    name: 'terminal',
    async ask(request, signal, trials) {
      const reply = await prompt.ask(request, signal, trials)
      if (reply === UNANSWERED && !signal.aborted) process.kill(process.pid, 'SIGINT')
      return reply
    },
  }
}
