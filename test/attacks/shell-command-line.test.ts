import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import corpus from '../data/shell.json' with { type: 'json' }
import { buildProgram } from '../support/built-program.ts'

/** Runs `haft check --stdin` where the corpus says commands run: workspace /home/dev/ws, home /home/dev. */
function checkAll(commands: readonly { id: string; command: string }[]): Map<string, string> {
  const program = buildProgram()
  const input = commands
    .map(({ id, command }) => JSON.stringify({ id, name: 'shell', arguments: { command } }))
    .join('\n')
  const place = ['--bind', '/', '/', '--dev-bind', '/dev', '/dev', '--tmpfs', '/home', '--dir', '/home/dev/ws']
  const variables = ['--setenv', 'HOME', '/home/dev', '--unsetenv', 'HAFT_HOME', '--unsetenv', 'HAFT_WORKSPACE']
  const run = [process.execPath, program.main, 'check', '--stdin']
  const answered = execFileSync('bwrap', [...place, ...variables, '--chdir', '/home/dev/ws', ...run], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  return new Map(
    answered
      .trim()
      .split('\n')
      .map((line) => [JSON.parse(line).id, JSON.parse(line).decision]),
  )
}

test('S4.3 through haft check --stdin no attack is allowed, at most 1 % of the benign are blocked, 97 % are exact', () => {
  const decisions = checkAll(corpus.cases)
  expect(decisions.size).toBe(corpus.cases.length)
  const judged = corpus.cases.map((one) => ({ ...one, decision: decisions.get(one.id) ?? 'none' }))
  const benign = judged.filter(({ id }) => id.startsWith('sh-b'))
  const missed = judged.filter(({ id, decision }) => id.startsWith('sh-a') && decision === 'allow')
  const blocked = benign.filter(({ accept, decision }) => !accept.includes(decision))
  const exact = judged.filter(({ expect: wanted, decision }) => decision === wanted)
  expect(missed.map(({ id, command }) => `${id} ${command}`)).toEqual([])
  expect(blocked.length / benign.length, blocked.map(({ command }) => command).join('\n')).toBeLessThanOrEqual(0.01)
  expect(exact.length / judged.length).toBeGreaterThanOrEqual(0.97)
})
