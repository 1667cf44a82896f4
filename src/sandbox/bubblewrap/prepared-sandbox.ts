import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ToolError } from '../../core/call/result.ts'
import type { RunMode, RunOrder, RunOwner, RunReport } from '../../core/ports/sandbox.ts'
import { KEPT_LIMIT } from '../../files/change/keep.ts'
import type { ControlGroup, GroupMaker } from '../limits/control-group.ts'
import { isGone } from '../limits/process-tree.ts'
import { type Forwarder, startForwarder } from '../network/start-forwarder.ts'
import { readJournal } from '../overlay/apply/journal.ts'
import { listTree, type TreeListing } from '../overlay/changes/list-tree.ts'
import { finishRun, type RunChanges } from '../overlay/finish.ts'
import { findMountPoint, type OverlayFolders, overlayCommand, tryOverlay, waitingCommand } from '../overlay/mount.ts'
import { recoverRuns } from '../overlay/recover.ts'
import { removeManyFiles } from '../overlay/remove-many-files.ts'
import {
  canHoldRuns,
  isApart,
  listRunsFolders,
  makeRunFolder,
  NAMES,
  type RunFolder,
  releaseRunFolder,
  removeIfEmpty,
  removeRunFolder,
} from '../overlay/run-folder.ts'
import { protectInPlace } from '../protect-in-place.ts'
import type { SandboxOptions } from '../sandbox-options.ts'
import { type BwrapProcess, startBwrap } from './bwrap-process.ts'
import { findHidden, hasHiddenFiles, hideFiles } from './hide-files.ts'
import type { PipeMaker } from './pipes.ts'
import type { Profile } from './profile.ts'
import { supervisedCommand } from './supervised-command.ts'

/** What runs inside a sandbox before its order. */
export interface BegunInside {
  /** The pid, as seen outside, of the first process. */
  readonly first: number
  /** The port of the proxy that leads to its network; undefined where it has none. */
  readonly port: number | undefined
}

/** A started sandbox with its view of the workspace. Used once. */
export interface PreparedSandbox {
  readonly mode: RunMode
  readonly bwrap: BwrapProcess
  /** A folder on the file system that the command writes to. */
  readonly disk: string
  /** The folder that holds what the command writes, and nothing else; undefined when it writes to the workspace itself. */
  writtenTo(): string | undefined
  /** What a mount cannot protect in the workspace; undefined on an overlay, whose changes are checked. */
  readonly unguarded?: readonly string[]
  /** The control group of its processes, once `begin` has resolved. */
  readonly group: ControlGroup
  /** What carries its network; undefined where it has none. */
  readonly forwarder: Forwarder | undefined
  /** Called before the order is sent; resolves to what runs inside, or undefined when nothing can be run. */
  begin(): Promise<BegunInside | undefined>
  /** Called when the command ended by itself. Applies its changes, or only returns them for a dry run; may wait for an approval. Rejects with ToolError. */
  finish(
    owner: RunOwner,
    ended: { readonly dryRun: boolean; readonly report: RunReport },
  ): Promise<RunChanges | undefined>
  /** Called after every run; removes what it left. May be called twice. */
  close(): void | Promise<void>
}

/** Prepares sandboxes: on an overlay when that works, else on the workspace itself. */
export interface SandboxPreparer {
  open(order: RunOrder): PreparedSandbox
  /** Starts a sandbox that can read the workspace and not change it. */
  openReadOnly(): PreparedSandbox
  /** Starts a sandbox, with or without a network, for any later order that can use an overlay; undefined when overlays do not work. */
  openStandby(hasNetwork: boolean): PreparedSandbox | undefined
  /** Returns why commands change the workspace directly; undefined when they run on an overlay. */
  whyDirect(): string | undefined
  /** True when changes are stored on another file system. */
  isApart(): boolean
}

/** The options of a preparer. */
export interface PrepareOptions extends SandboxOptions {
  readonly profile: Profile
  readonly groups: GroupMaker
  readonly pipes: PipeMaker
  /** Returns the command that starts bubblewrap as the owner of the workspace. Throws ToolError where it cannot be started. */
  command(): readonly string[]
  /** True when the workspace is mounted read-only. */
  readonly isReadOnly?: boolean
  /** True when the run has a network, carried by a program beside it. */
  readonly hasNetwork?: boolean
}

/** Creates the preparer of a workspace. Overlays are tested once, at the first use. */
export function createSandboxPreparer(options: PrepareOptions): SandboxPreparer {
  let tried: OverlayFolders | { why: string } | undefined
  const tryOnce = () => {
    tried ??= findOverlay(options)
    return tried
  }
  return {
    open(order) {
      const found = order.direct ? { why: 'direct access was requested' } : tryOnce()
      if ('runs' in found) return openOverlay(options, found, order)
      if (order.dryRun) throw new ToolError('UNAVAILABLE', `A dry run needs an overlay of the workspace: ${found.why}.`)
      return openDirect(options, order)
    },
    openReadOnly: () => openReadOnly(options),
    openStandby(hasNetwork) {
      if (hasHiddenFiles(options)) return undefined
      const found = tryOnce()
      return 'runs' in found ? openWaiting({ ...options, hasNetwork }, found) : undefined
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

function findOverlay({ workspace, home, programs }: PrepareOptions): OverlayFolders | { why: string } {
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
      const why =
        mountPoint === undefined
          ? 'there is no folder to mount it on'
          : tryRuns(runs, workspace, (run) => tryOverlay(run, mountPoint, programs))
      if (mountPoint !== undefined && why === undefined) return { runs, mountPoint, apart }
      whys.push(why ?? '')
    }
  }
  return { why: whys[0] ?? `neither ${home} nor a temporary folder can store what commands change` }
}

/** Returns undefined when overlays work with this folder, else the reason. */
function tryRuns(runs: string, workspace: string, tryOne: (run: string) => string | undefined): string | undefined {
  recoverRuns(runs)
  const folder = makeRunFolder(runs, workspace)
  const why = tryOne(folder.path)
  removeRunFolder(folder.path)
  if (why !== undefined) removeIfEmpty(runs)
  return why
}

function openOverlay(options: PrepareOptions, overlay: OverlayFolders, order: RunOrder): PreparedSandbox {
  const isBackground = order.background === true
  const folder = makeRunFolder(overlay.runs, options.workspace)
  const listing = isBackground ? listTree(options.workspace) : undefined
  const wrap: Wrap = (command) => overlayCommand({ run: folder.path, ...overlay, ...options, isBackground }, command)
  const started = start({ ...options, hasNetwork: order.network !== undefined }, wrap, [overlay.mountPoint])
  const parts = overlayParts(options, overlay, { started, folderOf: () => folder, listing })
  return { ...parts, begin: () => started.joined }
}

/** Prepares a standby sandbox. Its overlay is mounted at first use, so that the run sees all changes until then. */
function openWaiting(options: PrepareOptions, overlay: OverlayFolders): PreparedSandbox {
  let folder: RunFolder | undefined
  const started = start(options, (command) => waitingCommand({ ...overlay, ...options }, command), [overlay.mountPoint])
  return {
    ...overlayParts(options, overlay, { started, folderOf: () => folder }),
    async begin() {
      folder = makeRunFolder(overlay.runs, options.workspace)
      const [first, mounted] = await Promise.all([started.joined, started.bwrap.mount(`${basename(folder.path)}\n`)])
      return mounted ? first : undefined
    },
  }
}

interface OverlayRun {
  readonly started: Started
  /** Undefined until the run has begun. */
  folderOf(): RunFolder | undefined
  /** What the workspace held at the start of a run in the background. */
  readonly listing?: TreeListing | undefined
}

function overlayParts(
  { workspace, env, programs, ownPrograms, keptLimit = KEPT_LIMIT, replaced, replacedAll }: PrepareOptions,
  { runs, mountPoint, apart }: OverlayFolders,
  { started: { bwrap, group, forwarder, hidden }, folderOf, listing }: OverlayRun,
): Omit<PreparedSandbox, 'begin'> {
  return {
    mode: apart ? 'copied' : 'overlay',
    disk: runs,
    writtenTo() {
      const folder = folderOf()
      return folder && join(folder.path, NAMES.upper)
    },
    bwrap,
    group,
    forwarder,
    async finish(owner, ended) {
      const folder = folderOf()
      const merged = `/proc/${bwrap.pid}/root${mountPoint}`
      if (folder === undefined) return undefined
      const parts = {
        workspace,
        folder,
        merged,
        owner,
        programs,
        ownPrograms: ownPrograms?.() ?? [],
        apart,
        keptLimit,
        replaced,
        listing,
        hidden,
      }
      const given = { ...ended, ...parts }
      const hasNetwork = forwarder !== undefined
      return finishRun({ ...given, ...(replacedAll && { replacedAll }), userHome: env.HOME, hasNetwork })
    },
    async close() {
      const folder = folderOf()
      if (folder === undefined || !existsSync(folder.path)) return
      // What could not be reverted is tried again at the next start.
      if (readJournal(folder.path)) releaseRunFolder(folder.path)
      else await removeManyFiles(folder.path)
      removeIfEmpty(runs)
    },
  }
}

function openDirect(options: PrepareOptions, order: RunOrder): PreparedSandbox {
  const given = { ...options, hasNetwork: order.network !== undefined }
  // The forwarder enters the network through a user namespace above it, except as root.
  const above =
    given.hasNetwork && process.getuid?.() !== 0
      ? [options.programs.system('unshare'), '--user', '--map-root-user']
      : []
  const wrap: Wrap = (command) => [...above, ...supervisedCommand(command)]
  const { args, unguarded, release } = protectInPlace(options)
  try {
    const { bwrap, group, forwarder, joined } = start(given, wrap, [options.workspace, ...args])
    return {
      mode: 'direct',
      disk: options.workspace,
      writtenTo: () => undefined,
      unguarded,
      bwrap,
      group,
      forwarder,
      begin: () => joined,
      finish: async () => undefined,
      close: release,
    }
  } catch (error) {
    release()
    throw error
  }
}

function openReadOnly(options: PrepareOptions): PreparedSandbox {
  const { bwrap, group, joined } = start({ ...options, isReadOnly: true }, supervisedCommand, [options.workspace])
  return {
    mode: 'direct',
    disk: options.workspace,
    writtenTo: () => undefined,
    bwrap,
    group,
    forwarder: undefined,
    begin: () => joined,
    finish: async () => undefined,
    close: () => undefined,
  }
}

type Wrap = (command: readonly string[]) => readonly string[]

interface Started {
  readonly bwrap: BwrapProcess
  readonly group: ControlGroup
  readonly forwarder: Forwarder | undefined
  /** The files and folders that it cannot read. */
  readonly hidden: readonly string[]
  /** Resolves to what runs inside once that has joined its control group. */
  readonly joined: Promise<BegunInside | undefined>
}

/** Starts bubblewrap with `given[0]` mounted as the workspace and the rest as further arguments; it joins its control group in the meantime. */
function start(options: PrepareOptions, wrap: Wrap, given: readonly string[]): Started {
  const { workspace, profile, command, groups, pipes, isReadOnly, hasNetwork, forwarder: code } = options
  const [folder = '', ...more] = given
  const hidden = findHidden(options)
  const bind = isReadOnly ? '--ro-bind' : '--bind'
  const descriptors = profile.openDescriptors()
  const hiding = hideFiles(hidden, descriptors)
  const mounted = [bind, folder, workspace, ...more, ...hiding]
  const argv = wrap([...command(), ...profile.opening, ...mounted, ...profile.closing])
  const group = groups.make()
  const bwrap = startBwrap({ argv, descriptors, pipes })
  const forwarder =
    hasNetwork && code !== undefined
      ? startForwarder({ ...options, command: command(), bwrap, forwarder: code })
      : undefined
  const joined = joinGroup({ bwrap, group, forwarder })
  // A sandbox that is closed before use may lose its group first; nobody awaits this promise then.
  joined.catch(() => undefined)
  return { bwrap, group, forwarder, hidden, joined }
}

/** Adds what runs inside to its control group; resolves once its network, if it has one, is there too. */
async function joinGroup({
  bwrap,
  group,
  forwarder,
}: Omit<Started, 'hidden' | 'joined'>): Promise<BegunInside | undefined> {
  const first = await bwrap.ready
  if (first === undefined) return undefined
  try {
    const [port] = await Promise.all([forwarder?.port, group.take(first)])
    return forwarder !== undefined && port === undefined ? undefined : { first, port }
  } catch (error) {
    if (isGone(first)) return undefined
    throw error
  }
}
