import type { Approver } from '../../core/approval/approval.ts'
import type { Programs } from '../../core/ports/developer/programs.ts'
import { terminalPrompt, UNANSWERED } from '../approval/prompt.ts'

/** Returns who approves the calls of a run: the person at this terminal, or nobody. Ctrl-C at the prompt is no and stops the run, as it does everywhere else. */
export function runApprover(programs: Programs): Approver | undefined {
  const prompt = terminalPrompt(programs)
  if (!prompt) return undefined
  return {
    ...prompt,
    name: 'terminal',
    async ask(request, signal, trials) {
      const reply = await prompt.ask(request, signal, trials)
      if (reply === UNANSWERED && !signal.aborted) process.kill(process.pid, 'SIGINT')
      return reply
    },
  }
}
