import { basename } from 'node:path'
import { ToolError } from '../core/result.ts'
import type { RunMode, RunOrder, RunOwner } from '../core/sandbox.ts'
import { type Box, startBox } from './box.ts'
import type { SandboxOptions } from './choose.ts'
import type { ControlGroup, GroupMaker } from './control-group.ts'
import { KEPT_LIMIT } from './keep.ts'
import { leashedCommand } from './leash.ts'
import { type Finished, finishRun } from './overlay/finish.ts'
import { findMountPoint, type OverlayPlace, overlayCommand, tryOverlay, waitingCommand } from './overlay/mount.ts'
import { recoverRuns } from './overlay/recover.ts'
import {
  canHoldRuns,
  isApart,
  listRunsFolders,
  makeRunFolder,
  type RunFolder,
  removeIfEmpty,
  removeRunFolder,
} from './overlay/run-folder.ts'
import type { PipeMaker } from './pipes.ts'
import { isGone } from './process-tree.ts'
import type { Profile } from './profile.ts'
import { protectInPlace } from './protect-in-place.ts'

/** A started sandbox and how it is given the workspace. Used once. */
export interface Stage {
  readonly mode: RunMode
  readonly box: Box
  /** A folder on the file system that the command fills. */
  readonly disk: string
  /** What of the workspace a mount cannot guard; undefined on an overlay, whose changes are checked. */
  readonly unguarded?: readonly string[]
  /** The group that its processes are in once it has begun. */
  readonly group: ControlGroup
  /** Called before the order is given; resolves to the first pid inside, undefined where nothing can be run. */
  begin(): Promise<number | undefined>
  /** Called when the command has ended by itself: applies what it changed, or only says it; may wait for a person. Rejects with ToolError. */
  finish(owner: RunOwner, rehearse: boolean): Promise<Finished | undefined>
  /** Called in any case, when the run is over: takes away what it left. May be called twice. */
  close(): void
}

/** Makes stages: an overlay where one works, else the workspace itself. */
export interface Stages {
  open(order: RunOrder): Stage
  /** One that can read the workspace and not change it. */
  openReadOnly(): Stage
  /** One that waits to be used by any order that wants an overlay; undefined where there are none. */
  openAhead(): Stage | undefined
  /** Why commands get the workspace itself; undefined where they get an overlay. */
  whyDirect(): string | undefined
  /** True where what commands change is held on another file system. */
  isApart(): boolean
}

/** What stages need. */
export interface StageOptions extends SandboxOptions {
  readonly profile: Profile
  readonly groups: GroupMaker
  readonly pipes: PipeMaker
  /** The command that starts bubblewrap as the owner of the workspace. */
  readonly command: readonly string[]
  /** True where the workspace is shown and cannot be changed. */
  readonly isReadOnly?: boolean
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
      if ('runs' in found) return openOverlay(options, found)
      if (order.rehearse)
        throw new ToolError('UNAVAILABLE', `A rehearsal needs an overlay of the workspace: ${found.why}.`)
      return openDirect(options)
    },
    openReadOnly: () => openReadOnly(options),
    openAhead() {
      const found = tryOnce()
      return 'runs' in found ? openWaiting(options, found) : undefined
    },
    whyDirect() {
      const found = tryOnce()
      return 'why' in found ? found.why : undefined
    },
    isApart() {
      const found = tryOnce()
      return 'runs' in found && found.apart
    },
  }
}

function findOverlay({ workspace, home }: StageOptions): OverlayPlace | { why: string } {
  const whys: string[] = []
  const folders = listRunsFolders(home, workspace)
  for (const apart of [false, true]) {
    for (const runs of folders) {
      if (!canHoldRuns(runs, workspace)) continue
      if (isApart(runs, workspace) !== apart) {
        removeIfEmpty(runs)
        continue
      }
      const mountPoint = findMountPoint([workspace, runs])
      const why = mountPoint === undefined ? 'there is no folder to mount it on' : tryRuns(runs, workspace, mountPoint)
      if (mountPoint !== undefined && why === undefined) return { runs, mountPoint, apart }
      whys.push(why ?? '')
    }
  }
  return { why: whys[0] ?? `neither ${home} nor the folders for temporary files can hold what commands change` }
}

/** Undefined where overlays work with this folder, else why they do not. */
function tryRuns(runs: string, workspace: string, mountPoint: string): string | undefined {
  recoverRuns(runs)
  const folder = makeRunFolder(runs, workspace)
  const why = tryOverlay(folder.path, mountPoint)
  removeRunFolder(folder.path)
  if (why !== undefined) removeIfEmpty(runs)
  return why
}

function openOverlay(options: StageOptions, place: OverlayPlace): Stage {
  const folder = makeRunFolder(place.runs, options.workspace)
  const started = start(options, (command) => overlayCommand(folder.path, place.mountPoint, command), [
    place.mountPoint,
  ])
  return { ...overlayStage(options, place, { started, folderOf: () => folder }), begin: () => started.joined }
}

/** The overlay is mounted when it is used: what changed until then is no business of the run. */
function openWaiting(options: StageOptions, place: OverlayPlace): Stage {
  let folder: RunFolder | undefined
  const started = start(options, (command) => waitingCommand(place, command), [place.mountPoint])
  return {
    ...overlayStage(options, place, { started, folderOf: () => folder }),
    async begin() {
      folder = makeRunFolder(place.runs, options.workspace)
      const [first, mounted] = await Promise.all([started.joined, started.box.mount(`${basename(folder.path)}\n`)])
      return mounted ? first : undefined
    },
  }
}

interface OverlayRun {
  readonly started: Started
  /** Undefined until the run has begun. */
  folderOf(): RunFolder | undefined
}

function overlayStage(
  { workspace, keptLimit = KEPT_LIMIT, replaced }: StageOptions,
  { runs, mountPoint, apart }: OverlayPlace,
  { started: { box, group }, folderOf }: OverlayRun,
): Omit<Stage, 'begin'> {
  return {
    mode: apart ? 'copied' : 'overlay',
    disk: runs,
    box,
    group,
    async finish(owner, rehearse) {
      const folder = folderOf()
      const merged = `/proc/${box.pid}/root${mountPoint}`
      return folder && finishRun({ workspace, folder, merged, owner, rehearse, apart, keptLimit, replaced })
    },
    close() {
      const folder = folderOf()
      if (folder === undefined) return
      removeRunFolder(folder.path)
      removeIfEmpty(runs)
    },
  }
}

function openDirect(options: StageOptions): Stage {
  const { args, unguarded, release } = protectInPlace(options.workspace)
  const { box, group, joined } = start(options, leashedCommand, [options.workspace, ...args])
  return {
    mode: 'direct',
    disk: options.workspace,
    unguarded,
    box,
    group,
    begin: () => joined,
    finish: async () => undefined,
    close: release,
  }
}

function openReadOnly(options: StageOptions): Stage {
  const { box, group, joined } = start({ ...options, isReadOnly: true }, leashedCommand, [options.workspace])
  return {
    mode: 'direct',
    disk: options.workspace,
    box,
    group,
    begin: () => joined,
    finish: async () => undefined,
    close: () => undefined,
  }
}

type Wrap = (command: readonly string[]) => readonly string[]

interface Started {
  readonly box: Box
  readonly group: ControlGroup
  /** Resolves to the first pid inside once it is in its group. */
  readonly joined: Promise<number | undefined>
}

/** Starts bubblewrap with a folder, and maybe more arguments after it, as the workspace; it joins its group meanwhile. */
function start(
  { workspace, profile, command, groups, pipes, isReadOnly }: StageOptions,
  wrap: Wrap,
  given: readonly string[],
): Started {
  const [folder = '', ...more] = given
  const bind = isReadOnly ? '--ro-bind' : '--bind'
  const argv = wrap([...command, ...profile.opening, bind, folder, workspace, ...more, ...profile.closing])
  const group = groups.make()
  const box = startBox({ argv, descriptors: profile.openDescriptors(), pipes })
  const joined = joinGroup(box, group)
  // One that is closed before it was used may lose its group first, and nobody waits to hear of it.
  joined.catch(() => undefined)
  return { box, group, joined }
}

async function joinGroup({ ready }: Box, group: ControlGroup): Promise<number | undefined> {
  const first = await ready
  if (first === undefined) return undefined
  try {
    await group.take(first)
    return first
  } catch (error) {
    if (isGone(first)) return undefined
    throw error
  }
}
