import { StringDecoder } from 'node:string_decoder'
import { ToolError } from '../../core/call/result.ts'
import {
  DEFAULT_LIMITS,
  type ProgramOrder,
  type RunEnding,
  type RunLimits,
  type RunningProgram,
} from '../../core/ports/sandbox.ts'
import type { GroupMaker } from '../limits/control-group.ts'
import { watchLimits } from '../limits/watch-limits.ts'
import type { BwrapProcess } from './bwrap-process.ts'
import type { Cleaner } from './cleaner.ts'
import { writeLaunchOrder } from './launch-order.ts'
import type { PreparedSandbox, SandboxPreparer } from './prepared-sandbox.ts'
import type { Profile } from './profile.ts'

/** What a program that stays needs of its sandbox. */
export interface ProgramParts {
  readonly options: { readonly workspace: string }
  readonly profile: Profile
  readonly groups: GroupMaker
  readonly preparer: SandboxPreparer
  readonly cleaner: Cleaner
}

/** A program that stays may use the processor for as long as it lives. */
const STAYING_LIMITS: RunLimits = { ...DEFAULT_LIMITS, cpuSeconds: 30 * 24 * 60 * 60 }

/** Starts a program that stays, with the workspace read-only. Rejects with ToolError where the sandbox could not be made. */
export async function startProgram(parts: ProgramParts, order: ProgramOrder): Promise<RunningProgram> {
  const limits = { ...STAYING_LIMITS, ...order.limits }
  const prepared = parts.preparer.openReadOnly()
  const { bwrap, group } = prepared
  const errors = handOn(bwrap, order)
  const begun = await prepared.begin()
  if (begun === undefined) {
    bwrap.kill()
    await bwrap.ended
    parts.cleaner.clean(prepared)
    throw new ToolError(
      'UNAVAILABLE',
      `The sandbox could not be started: ${errors().trim().slice(0, 500)}. Nothing was run.`,
    )
  }
  const { first } = begun
  group.limit(limits)
  let hit: RunEnding | undefined
  const end = (reason?: RunEnding) => {
    hit ??= reason
    bwrap.kill()
  }
  const watch = () =>
    watchLimits({
      first,
      limits,
      group,
      holds: parts.groups.holds,
      disk: prepared.disk,
      findTooMuch: () => undefined,
      end,
    })
  let stopWatching: (() => void) | undefined = watch()
  /** Limits that the kernel does not hold are watched only while the program works. */
  const hold = (held: boolean) => {
    bwrap.setKeepAlive(held)
    stopWatching?.()
    stopWatching = held ? watch() : undefined
  }
  bwrap.write(writeOrder(parts, order, limits))
  const ended = conclude(prepared, () => hit).finally(() => {
    bwrap.setKeepAlive(true)
    stopWatching?.()
    parts.cleaner.clean(prepared)
  })
  return { send: bwrap.write, end: () => end(), hold, ended }
}

function writeOrder({ options, profile }: ProgramParts, { argv, env }: ProgramOrder, limits: RunLimits): string {
  const given = { argv, folder: options.workspace, env: { ...profile.env, ...env } }
  return writeLaunchOrder({ ...given, script: undefined, limits, takesInput: true })
}

/** Hands on the output, complete characters only; returns what was printed to the error stream so far. */
function handOn(bwrap: BwrapProcess, order: ProgramOrder): () => string {
  let errors = ''
  for (const name of ['stdout', 'stderr'] as const) {
    const decoder = new StringDecoder('utf8')
    bwrap[name].on('data', (chunk: Buffer) => {
      const text = decoder.write(chunk)
      if (name === 'stderr') errors = `${errors}${text}`.slice(-1_000)
      order.output(name, text)
    })
    bwrap[name].on('error', () => undefined)
  }
  return () => errors
}

async function conclude({ bwrap, group }: PreparedSandbox, hit: () => RunEnding | undefined): Promise<string> {
  const exitCode = await bwrap.ended
  const limit = hit() ?? group.hit()
  if (limit !== undefined) return `it was ended by a limit of the sandbox (${limit})`
  return exitCode === undefined ? 'it was ended' : `it ended with exit code ${exitCode}`
}
