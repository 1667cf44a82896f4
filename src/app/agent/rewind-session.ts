import { type Failure, failure, type Result } from '../../core/call/result.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { findUndoableAfter } from '../../undo/find-undoable.ts'
import type { Undo } from '../undo.ts'

/** How a session is rewound. */
export interface RewindOptions {
  /** Only shows what would be restored. */
  readonly dryRun?: boolean
  /** Undoes even if files changed since; the newer content is kept beside them. */
  readonly force?: boolean
  /** Who asked for it, for the log. */
  readonly by?: string
}

/** What rewinding a session did, or would do. */
export interface Rewound {
  /** The calls that are undone, the newest first. */
  readonly calls: readonly string[]
  /** How the undo ended; absent where there was nothing to undo. */
  readonly result?: Result
  /** With `dryRun`: what would be restored, as a diff. */
  readonly preview?: string
  /** The session that goes on from before the message; absent with `dryRun`, and where the undo failed. */
  readonly session?: string
}

interface RewindParts {
  readonly storage: Storage
  host(workspace: string): Promise<Undo & { close(): Promise<void> }>
  fork(session: string, event: string): Promise<string>
}

/** Goes back to before a message: undoes what the session and its agents changed since, then copies the conversation up to there into a new session. Nothing is deleted. */
export async function rewindSession(
  { session, event }: { readonly session: string; readonly event: string },
  options: RewindOptions,
  { storage, host, fork }: RewindParts,
): Promise<Rewound | Failure> {
  const { log, leases } = storage
  const [record] = await log.sessions({ session, limit: 1 })
  const at = (await log.read({ session })).find(({ id }) => id === event)
  if (!record?.workspace || at?.cursor === undefined)
    return failure(
      'FILE_NOT_FOUND',
      `There is no event ${JSON.stringify(event)} in a session ${JSON.stringify(session)}.`,
    )
  if (at.type !== 'message' || at.role !== 'user' || at.isNotice)
    return failure('INVALID_ARGUMENTS', `${event} is not a message of a person; a session goes back to before one.`)
  if (await leases.isHeld(session)) return failure('CONFLICT', `The session ${session} is running. Stop it first.`)
  const calls = await findUndoableAfter(storage, session, at.cursor)
  const undo = await host(record.workspace)
  try {
    return await undoAndFork({ session, event, calls }, options, { undo, fork })
  } finally {
    await undo.close()
  }
}

interface Rewinding {
  readonly session: string
  readonly event: string
  /** The calls to undo. */
  readonly calls: readonly string[]
}

async function undoAndFork(
  { session, event, calls }: Rewinding,
  options: RewindOptions,
  { undo, fork }: Pick<RewindParts, 'fork'> & { readonly undo: Undo },
): Promise<Rewound> {
  const force = { ...(options.force && { force: true }) }
  if (options.dryRun) {
    if (calls.length === 0) return { calls, preview: '' }
    const { preview, code, text } = await undo.previewUndo(calls, force)
    return code ? { calls, result: failure(code, text) } : { calls, preview: preview?.text ?? '' }
  }
  if (calls.length === 0) return { calls, session: await fork(session, event) }
  const result = await undo.undo(calls, { decision: 'allow', by: options.by ?? 'program', ...force })
  return result.ok ? { calls, result, session: await fork(session, event) } : { calls, result }
}
