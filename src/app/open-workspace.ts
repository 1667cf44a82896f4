import { extname, join } from 'node:path'
import { createLazyCodeIndex } from '../code-index/lazy.ts'
import type { Embedder } from '../core/ports/developer/embedder.ts'
import type { Replaced } from '../core/ports/files.ts'
import type { Rule } from '../core/rules/rule.ts'
import { maskTokens } from '../core/secrets/mask-secrets.ts'
import { createFiles } from '../files/files.ts'
import { createPathLookup } from '../files/path-lookup.ts'
import { createMachine } from '../machine/machine.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import { createAsideFolders } from '../sandbox/overlay/aside-folders.ts'
import type { Project } from '../settings/project.ts'
import type { HomeParts } from './home-parts.ts'
import { openNetwork } from './open/open-network.ts'
import { openRules } from './open/open-rules.ts'
import { openSandbox, recoverChanges } from './open/open-sandbox.ts'
import { listNodeFolders } from './open-node-sources.ts'
import { findHostFolder } from './open-tool-sources.ts'
import { openTools } from './open-tools.ts'
import { createOwnPrograms } from './programs/own-tools.ts'
import { noteWorkspace, programs } from './programs/programs.ts'
import { createDeniedFiles } from './secrets/denied-files.ts'
import { recoverUndos } from './undo.ts'

/** The program that carries the network of a command into its sandbox; the build keeps it a file of its own. */
const FORWARDER = join(import.meta.dirname, `../sandbox/network/forwarder${extname(import.meta.filename)}`)

/** The largest file, in bytes, whose content is kept for undo. */
export function keptLimitOf({ settings }: HomeParts): number {
  return settings.log.maxContentMb * 1_000_000
}

interface WorkspaceOpening {
  readonly workspace: string
  readonly project: Project
}

/** Opens what calls work with: the rules, secrets, sandbox, tools, files and network of a workspace. Finishes first what a dead process was applying. */
export async function openWorkspace({ workspace, project }: WorkspaceOpening, home: HomeParts) {
  const { options, storage, user, settings, haftHome } = home
  noteWorkspace(workspace, options.home)
  const network = openNetwork(home)
  const ownPrograms = createOwnPrograms(workspace, home)
  const rules = openRules(workspace, home, {
    ...{ lookup: createPathLookup(workspace), ports: network.ports, ownPrograms },
  })
  const secrets = await home.masker.openWorkspace(workspace)
  const stopManaged = useManagedRules(rules, home)
  const replaced = (record: Replaced) => storage.undo.keep({ ...record, workspace })
  const replacedAll = (records: readonly Replaced[]) =>
    storage.undo.keepAll(records.map((record) => ({ ...record, workspace })))
  const keptLimit = keptLimitOf(home)
  const shown = project.tools.length > 0 ? [findHostFolder(), ...listNodeFolders()] : []
  const denied = createDeniedFiles(workspace, rules.deniesReading)
  const listHiddenFiles = () => [...secrets.listHiddenFiles(), ...denied.list()]
  const writeLimit = settings.commands.maxWrittenMb * 1_000_000
  const fileLimit = settings.commands.maxWrittenFiles
  const told = { keptLimit, writeLimit, fileLimit, replaced, replacedAll, listHiddenFiles }
  const found = { env: process.env, programs, ownPrograms, shown, forwarder: FORWARDER }
  const location = { workspace, home: haftHome, ...found, ...told }
  await recoverChanges(location, storage)
  recoverUndos({ workspace, keptLimit, undo: storage.undo })
  const sandbox = openSandbox(options.sandbox ?? user?.given.sandbox?.use, location)
  const tools = await openTools({ workspace, project, sandbox, rules }, home)
  const aside = createAsideFolders(haftHome, workspace)
  const files = createFiles({ workspace, keptLimit, replaced, replacedAll, aside, ownPrograms })
  const machine = createMachine({ workspace, programs })
  const indexes = options.home === undefined ? undefined : join(haftHome, 'cache/code')
  const embedder = openEmbeddings(home)
  const code = createLazyCodeIndex({ workspace, folder: indexes, ...(embedder && { embedder }) })
  const editChecks = { isOn: settings.code.problems === 'on' && project.isTrusted, slow: new Set<string>() }
  const closeRules = () => {
    code.close()
    secrets.close()
    stopManaged()
  }
  return { closeRules, removed: aside.done, sandbox, tools, files, code, editChecks, machine, judge: rules, ...network }
}

/** Returns how to open the embedding model of the settings; undefined where none is named. Secrets are masked in what it is sent. */
function openEmbeddings({ settings, masker }: HomeParts): (() => Promise<Embedder>) | undefined {
  const { embeddings } = settings.code
  if (embeddings === undefined) return undefined
  return async () => {
    const { openEmbedder } = await import('../models/embeddings/open-embedder.ts')
    const { id, embed } = openEmbedder(embeddings, process.env)
    return {
      id,
      embed: (texts, signal) =>
        embed(
          texts.map((text) => maskTokens(text, masker)),
          signal,
        ),
    }
  }
}

/** Adds the rules that commands and pages have added, and follows their changes until the returned function is called. */
function useManagedRules(rules: RuleBook, { managed }: HomeParts): () => void {
  const use = (given: readonly Rule[]) => void rules.replace(given, { layer: 'user', source: managed.source })
  use(managed.list())
  return managed.on(use)
}
