import { expect, test } from 'vitest'
import type { RunReport } from '../ports/sandbox.ts'
import { answerRun } from './run-answer.ts'

const REPORT: RunReport = { stdout: 'said\n', stderr: '', exitCode: 0, duration: 1, ended: 'exit', mode: 'overlay' }

test.for(['overlay', 'copied', 'bare'] as const)('a run in mode %s says what it printed', (mode) => {
  expect(answerRun({ ...REPORT, mode }).text).toBe('said')
})

test('a run on the workspace itself says so, and what was not guarded', () => {
  const { text } = answerRun({ ...REPORT, mode: 'direct', unguarded: ['a new .git/commondir'] })
  expect(text).toBe(
    'said\n[ran on the workspace itself, so what it changed cannot be undone; not guarded: a new .git/commondir]',
  )
})

test.for([
  ['overlay', 'none of its changes'],
  ['copied', 'none of its changes'],
  ['direct', 'stays changed'],
] as const)('a run in mode %s that a limit ended says what became of its changes', ([mode, fate]) => {
  expect(() => answerRun({ ...REPORT, mode, ended: 'timeout' })).toThrow(fate)
})
