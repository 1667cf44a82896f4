import { expect, test } from 'vitest'
import { makeSeatbeltProfile } from './seatbelt.ts'

const plan = {
  workspace: '/Users/me/my "project"',
  folders: ['/Users/me/.pyenv/versions/3.12'],
  temporary: '/private/tmp/run',
}
const lines = makeSeatbeltProfile(plan).split('\n')
const find = (start: string) => lines.find((line) => line.startsWith(start)) ?? ''

test('everything is denied that is not allowed, the network by name', () => {
  expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)'])
  expect(lines).toContain('(deny network*)')
})

test('only the workspace and the run’s own temporary folder can be written', () => {
  expect(find('(allow file-write*')).toBe(
    '(allow file-write* (subpath "/Users/me/my \\"project\\"") (subpath "/private/tmp/run"))',
  )
})

test('the home folder is hidden except for toolchains in it', () => {
  const shown = find('(allow file-read* (subpath')
  expect(shown).toContain('(subpath "/Users/me/.pyenv/versions/3.12")')
  expect(shown).not.toMatch(/\(subpath "\/Users(\/me)?"\)/)
})

test('what git executes and Haft’s own folder are read-only; the later rule wins in seatbelt', () => {
  const denied = lines.findIndex((line) => line.startsWith('(deny file-write*'))
  expect(denied).toBeGreaterThan(lines.findIndex((line) => line.startsWith('(allow file-write*')))
  for (const name of ['.git/hooks', '.git/config', '.haft'])
    expect(lines[denied]).toContain(`my \\"project\\"/${name}")`)
})

test('what git trusts is protected in every repository', () => {
  const pattern = new RegExp(/\(regex #"(.*)"\)/.exec(find('(deny file-write* (regex'))?.[1] ?? '^$')
  for (const path of ['/w/sub/.git/hooks/pre-commit', '/w/.git/commondir', '/w/a/.GIT/config'])
    expect(path).toMatch(pattern)
  for (const path of ['/w/.git/index', '/w/.git/refs/heads/config', '/w/.gitignore']) expect(path).not.toMatch(pattern)
})

test('a path that cannot be quoted is an error', () => {
  expect(() => makeSeatbeltProfile({ ...plan, workspace: '/a\n(allow default)' })).toThrow('cannot name')
})

test('hidden files can be neither read nor changed, and the folders that hold them cannot be moved', () => {
  const { workspace } = plan
  const hidden = [`${workspace}/keys/id_rsa`, `${workspace}/secrets`]
  const own = makeSeatbeltProfile({ ...plan, hidden }).split('\n')
  const quoted = '/Users/me/my \\"project\\"'
  const allowed = own.findIndex((line) => line.startsWith('(allow file-write*'))
  for (const line of [
    `(deny file-read-data file-read-xattr file-write* (subpath "${quoted}/keys/id_rsa"))`,
    `(deny file-read-data file-read-xattr file-write* (subpath "${quoted}/secrets"))`,
    `(deny file-write-unlink (literal "${quoted}/keys"))`,
  ])
    expect(own.indexOf(line), line).toBeGreaterThan(allowed)
})
