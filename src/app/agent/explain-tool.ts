import { explainTool as explain } from '../../agent/why/explain-tool.ts'
import type { WhyFinding } from '../../agent/why/finding.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Host } from '../host.ts'

/** Which tool is asked about, and in which session. */
export interface ToolQuestion {
  readonly tool: string
  /** The workspace whose tools count where there is no session. */
  readonly workspace: string
  /** The session; none where only the tool itself is asked about. */
  readonly session?: string | undefined
}

/** Says why a tool was not offered, not called, blocked, or its result not used. The tools are those of the session's workspace as they are now. */
export async function explainTool(
  home: { readonly log: Pick<Log, 'read'>; host(workspace: string): Promise<Pick<Host, 'registry' | 'close'>> },
  { tool, workspace, session }: ToolQuestion,
): Promise<readonly WhyFinding[]> {
  const events = session === undefined ? [] : await home.log.read({ session })
  const start = events.find((event) => event.type === 'session-start')
  const host = await home.host(start?.type === 'session-start' ? start.workspace : workspace)
  try {
    return explain({ tool, snapshot: host.registry.snapshot(), events })
  } finally {
    await host.close()
  }
}
