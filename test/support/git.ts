import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SAFE = [
  '-c',
  'safe.directory=*',
  '-c',
  'user.name=Ada',
  '-c',
  'user.email=ada@example.com',
  '-c',
  'protocol.file.allow=always',
]

/** Runs git by hand, without settings of this machine. */
export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', [...SAFE, '-C', folder, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
  }).trim()
}

/** Writes files below a folder, by their paths. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Makes a repository with an identity and one commit that holds these files. */
export function makeRepository(folder: string, files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' }): void {
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'config', 'user.name', 'Ada')
  git(folder, 'config', 'user.email', 'ada@example.com')
  writeFiles(folder, files)
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', 'First')
}
