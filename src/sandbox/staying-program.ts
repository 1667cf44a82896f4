import { StringDecoder } from 'node:string_decoder'
import { ToolError } from '../core/result.ts'
import {
  DEFAULT_LIMITS,
  type ProgramOrder,
  type RunEnding,
  type RunLimits,
  type RunningProgram,
} from '../core/sandbox.ts'
import type { Box } from './box.ts'
import type { Cleaner } from './cleaner.ts'
import type { GroupMaker } from './control-group.ts'
import { writeLaunchOrder } from './launch-order.ts'
import type { Profile } from './profile.ts'
import type { Stage, Stages } from './stage.ts'
import { watchLimits } from './watch-limits.ts'

/** What a program that stays needs of its sandbox. */
export interface ProgramPlace {
  readonly options: { readonly workspace: string }
  readonly profile: Profile
  readonly groups: GroupMaker
  readonly stages: Stages
  readonly cleaner: Cleaner
}

/** A program that stays may use the processor for as long as it lives. */
const STAYING_LIMITS: RunLimits = { ...DEFAULT_LIMITS, cpuSeconds: 30 * 24 * 60 * 60 }

/** Starts a program that stays, with the workspace read-only. Rejects with ToolError where the sandbox could not be made. */
export async function startProgram(place: ProgramPlace, order: ProgramOrder): Promise<RunningProgram> {
  const limits = { ...STAYING_LIMITS, ...order.limits }
  const stage = place.stages.openReadOnly()
  const { box, group } = stage
  const errors = handOn(box, order)
  const first = await stage.begin()
  if (first === undefined) {
    box.kill()
    await box.ended
    place.cleaner.clean(stage)
    throw new ToolError(
      'UNAVAILABLE',
      `The sandbox could not be started: ${errors().trim().slice(0, 500)}. Nothing was run.`,
    )
  }
  group.limit(limits)
  let hit: RunEnding | undefined
  const end = (reason?: RunEnding) => {
    hit ??= reason
    box.kill()
  }
  const watch = () => watchLimits({ first, limits, group, holds: place.groups.holds, disk: stage.disk, end })
  let stopWatching: (() => void) | undefined = watch()
  /** Limits that the kernel does not hold are watched only while the program works. */
  const hold = (held: boolean) => {
    box.hold(held)
    stopWatching?.()
    stopWatching = held ? watch() : undefined
  }
  box.send(writeOrder(place, order, limits))
  const ended = conclude(stage, () => hit).finally(() => {
    box.hold(true)
    stopWatching?.()
    place.cleaner.clean(stage)
  })
  return { send: box.send, end: () => end(), hold, ended }
}

function writeOrder({ options, profile }: ProgramPlace, { argv, env }: ProgramOrder, limits: RunLimits): string {
  const given = { argv, folder: options.workspace, env: { ...profile.env, ...env } }
  return writeLaunchOrder({ ...given, script: undefined, limits, takesInput: true })
}

/** Hands on the output, complete characters only; returns what was printed to the error stream so far. */
function handOn(box: Box, order: ProgramOrder): () => string {
  let errors = ''
  for (const name of ['stdout', 'stderr'] as const) {
    const decoder = new StringDecoder('utf8')
    box[name].on('data', (chunk: Buffer) => {
      const text = decoder.write(chunk)
      if (name === 'stderr') errors = `${errors}${text}`.slice(-1_000)
      order.output(name, text)
    })
    box[name].on('error', () => undefined)
  }
  return () => errors
}

async function conclude({ box, group }: Stage, hit: () => RunEnding | undefined): Promise<string> {
  const exitCode = await box.ended
  const limit = hit() ?? group.hit()
  if (limit !== undefined) return `it was ended by a limit of the sandbox (${limit})`
  return exitCode === undefined ? 'it was ended' : `it ended with exit code ${exitCode}`
}
