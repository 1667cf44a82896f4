import { execFileSync } from 'node:child_process'
import type { Programs } from '../../../../core/ports/developer/programs.ts'
import { HARMLESS_GIT_SETTINGS, PLAIN_GIT_VALUES } from '../../../../core/text/git-settings.ts'

/** Variables for a git command. */
export type GitVariables = Readonly<Record<string, string>>

/** Runs git commands that only read. */
export interface GitReader {
  /** Where they run. */
  readonly folder: string
  /** Runs a command and returns its output. Throws when it fails. */
  read(args: readonly string[], more?: GitVariables, input?: string): string
}

/** Settings that count before those of the repository. What an index of commits or packs says is never taken for the content of the objects. */
const OWN_SETTINGS = [
  ...['core.fsmonitor=false', 'core.commitGraph=false', 'core.multiPackIndex=false', 'core.hooksPath=/dev/null'],
  ...['protocol.allow=never', 'safe.bareRepository=explicit'],
]

const HARMLESS = new RegExp(HARMLESS_GIT_SETTINGS)
const PLAIN = new RegExp(PLAIN_GIT_VALUES)

/** Opens a repository for git commands that only read, outside the sandbox: with none of the person's settings, and with an empty one in place of each of the repository's that may name a program. Each may take `timeout` milliseconds. */
export function openGit(programs: Programs, folder: string, variables: GitVariables = {}, timeout = 20_000): GitReader {
  let settings: GitVariables | undefined
  const read: GitReader['read'] = (args, more = {}, input = '') =>
    execFileSync(programs.system('git'), [...OWN_SETTINGS.flatMap((one) => ['-c', one]), ...args], {
      cwd: folder,
      env: {
        PATH: '/usr/bin:/bin',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_NO_REPLACE_OBJECTS: '1',
        GIT_NO_LAZY_FETCH: '1',
        GIT_ALLOW_PROTOCOL: 'none',
        GIT_OPTIONAL_LOCKS: '0',
        GIT_TERMINAL_PROMPT: '0',
        LC_ALL: 'C',
        ...variables,
        ...settings,
        ...more,
      },
      input,
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout,
      maxBuffer: 512_000_000,
      encoding: 'utf8',
    })
  return {
    folder,
    read(args, more, input) {
      settings ??= replaceSettings(read(['config', '-z', '--list']))
      return read(args, more, input)
    },
  }
}

/** Returns variables that give each setting of a list that may name a program an empty value. */
function replaceSettings(listed: string): GitVariables {
  const keys = listed.split('\0').flatMap((entry) => {
    const [key = '', ...lines] = entry.split('\n')
    return key === '' || HARMLESS.test(key) || PLAIN.test(lines.join('\n') || 'true') ? [] : [key]
  })
  const replaced = [...new Set(keys)]
  return {
    GIT_CONFIG_COUNT: `${replaced.length}`,
    ...Object.fromEntries(
      replaced.flatMap((key, index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, ''],
      ]),
    ),
  }
}

/** Returns the variables that show new objects together with those of the repository. */
export function withNewObjects(git: string, objects: string): GitVariables {
  return { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: `${git}/objects` }
}
