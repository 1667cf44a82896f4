import { execFileSync } from 'node:child_process'

/** Variables for a git command. */
export type GitVariables = Readonly<Record<string, string>>

/** Settings that count before those of the repository. What an index of commits or packs says is never taken for the content of the objects. */
const OPTIONS = ['core.fsmonitor=false', 'core.commitGraph=false', 'core.multiPackIndex=false'].flatMap((one) => [
  '-c',
  one,
])

/** Runs a git command that only reads, with the person's own repository and none of what the command configured. Throws when it fails. */
export function readGit(git: string, args: readonly string[], more: GitVariables = {}, input = ''): string {
  return execFileSync('git', [...OPTIONS, ...args], {
    cwd: git,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
      GIT_DIR: git,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_NO_LAZY_FETCH: '1',
      GIT_OPTIONAL_LOCKS: '0',
      ...more,
    },
    input,
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: 20_000,
    maxBuffer: 512_000_000,
    encoding: 'utf8',
  })
}

/** Returns the variables that show new objects together with those of the repository. */
export function withNewObjects(git: string, objects: string): GitVariables {
  return { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: `${git}/objects` }
}
