import { ToolError } from '../core/result.ts'
import type { ChangedFiles, RunMode, RunOrder } from '../core/sandbox.ts'
import type { SandboxOptions } from './choose.ts'
import { finishRun } from './overlay/finish.ts'
import { findMountPoint, overlayCommand, tryOverlay } from './overlay/mount.ts'
import { recoverRuns } from './overlay/recover.ts'
import { canHoldRuns, listRunsFolders, makeRunFolder, removeIfEmpty, removeRunFolder } from './overlay/run-folder.ts'
import type { Profile } from './profile.ts'
import { protectInPlace } from './protect-in-place.ts'

/** How one run is given the workspace. */
export interface Stage {
  readonly mode: RunMode
  readonly argv: readonly string[]
  /** Called when the command has ended by itself, with the box's pid: applies what it changed. May throw ToolError. */
  finish(pid: number, call: string): ChangedFiles | undefined
  /** Called in any case: takes away what the run left. */
  close(): void
}

/** Makes stages: an overlay where one works, else the workspace itself. */
export interface Stages {
  open(order: RunOrder): Stage
  /** Why commands get the workspace itself; undefined where they get an overlay. */
  whyDirect(): string | undefined
}

/** What stages need. */
export interface StageOptions extends SandboxOptions {
  readonly profile: Profile
  /** The command that starts bubblewrap as the owner of the workspace. */
  readonly command: readonly string[]
}

/** Makes the stages of a workspace; whether an overlay works is tried once, at the first use. */
export function createStages(options: StageOptions): Stages {
  let tried: OverlayPlace | { why: string } | undefined
  const tryOnce = () => {
    tried ??= findOverlay(options)
    return tried
  }
  return {
    open(order) {
      const found = order.direct ? { why: 'it was asked for' } : tryOnce()
      if ('runs' in found) return openOverlay(options, found, order)
      if (order.rehearse)
        throw new ToolError('UNAVAILABLE', `A rehearsal needs an overlay of the workspace: ${found.why}.`)
      return openDirect(options)
    },
    whyDirect() {
      const found = tryOnce()
      return 'why' in found ? found.why : undefined
    },
  }
}

/** Where overlays are mounted, and what they change is held. */
interface OverlayPlace {
  readonly runs: string
  readonly mountPoint: string
}

function findOverlay({ workspace, home }: StageOptions): OverlayPlace | { why: string } {
  const runs = listRunsFolders(home, workspace).find((folder) => canHoldRuns(folder, workspace))
  if (runs === undefined) return { why: `${home} is not on the file system of the workspace` }
  const mountPoint = findMountPoint([workspace, runs])
  if (mountPoint === undefined) return { why: 'there is no folder to mount it on' }
  recoverRuns(runs)
  const folder = makeRunFolder(runs, workspace)
  const why = tryOverlay(folder, mountPoint)
  removeRunFolder(folder.path)
  return why === undefined ? { runs, mountPoint } : { why }
}

function openOverlay(options: StageOptions, { runs, mountPoint }: OverlayPlace, order: RunOrder): Stage {
  const { workspace, profile, command, replaced } = options
  const folder = makeRunFolder(runs, workspace)
  const merged = (pid: number) => `/proc/${pid}/root${mountPoint}`
  const rehearse = order.rehearse ?? false
  return {
    mode: 'overlay',
    argv: overlayCommand(folder, mountPoint, [
      ...[...command, ...profile.opening, '--bind', mountPoint, workspace],
      ...profile.closing,
    ]),
    finish: (pid, call) => finishRun({ workspace, folder, merged: merged(pid), call, rehearse, replaced }),
    close() {
      removeRunFolder(folder.path)
      removeIfEmpty(runs)
    },
  }
}

function openDirect({ workspace, profile, command }: StageOptions): Stage {
  const { args, release } = protectInPlace(workspace)
  return {
    mode: 'direct',
    argv: [...command, ...profile.opening, '--bind', workspace, workspace, ...args, ...profile.closing],
    finish: () => undefined,
    close: release,
  }
}
