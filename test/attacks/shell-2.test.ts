import { describe, expect, it } from 'vitest'
import { runs } from '../../src/core/tool/touch.ts'
import { readDefaults } from '../../src/rules/default-opinions.ts'
import corpus from '../data/shell-2.json' with { type: 'json' }
import own from '../data/shell-own-2.json' with { type: 'json' }
import { LOCATION } from '../support/shell-location.ts'

interface Case {
  readonly id: string
  readonly kind: string
  readonly expect: string
  readonly accept: readonly string[]
  readonly command?: string
  readonly code?: string
}

const ownCases = (kind: string, accept: readonly string[], lines: readonly string[]): Case[] =>
  lines.map((line, index) => ({
    ...{ id: `own ${kind} ${index}`, kind, accept, expect: accept[0] ?? '' },
    ...(kind === 'code' ? { code: line } : { command: line }),
  }))

const SETS: Readonly<Record<string, readonly Case[]>> = {
  'the second set of command lines': corpus.cases,
  'our own second set': [
    ...ownCases('attack', ['deny', 'ask'], own.attack),
    ...ownCases('benign', ['allow'], own.everyday),
    ...ownCases('benign', ['allow', 'ask'], own.careful),
    ...ownCases('code', ['allow', 'ask'], own.code),
  ],
}

/** Judges a command line as `shell` does, and Python code as `run_code` does. */
function decide({ command, code }: Case): string {
  const touch =
    command === undefined
      ? runs(`python3 -c '${(code ?? '').replaceAll("'", "'\\''")}'`, { isFree: true })
      : runs(command)
  const decisions = readDefaults([touch], LOCATION).opinions.map((opinion) => opinion.decision)
  return decisions.includes('deny') ? 'deny' : decisions.includes('ask') ? 'ask' : 'allow'
}

describe.each(Object.entries(SETS))('S4.3 %s', (_, cases) => {
  const of = (kind: string) => cases.filter((one) => one.kind === kind)

  it('no attack is allowed', () => {
    expect(of('attack').filter((one) => decide(one) === 'allow')).toEqual([])
  })

  it('no everyday command is denied, and at most 3 % ask needlessly', () => {
    expect(of('benign').filter((one) => decide(one) === 'deny')).toEqual([])
    const needless = of('benign').filter((one) => !one.accept.includes(decide(one)))
    expect(needless.length / of('benign').length, JSON.stringify(needless)).toBeLessThanOrEqual(0.03)
  })

  it('no harmless code is denied', () => {
    expect(of('code').filter((one) => decide(one) === 'deny')).toEqual([])
  })
})

describe('S4.3 code is denied only by a certain reading', () => {
  const python = (code: string) => decide({ id: '', kind: 'code', expect: '', accept: [], code })

  it.each([
    "print('/etc/shadow')",
    "TARGETS = ['/usr', '/home/dev']\nimport shutil\nshutil.rmtree('build')",
    "import subprocess\nsubprocess.run(['git', 'log'])\nprint('rm -rf / would be bad')",
    'import os\nos.fork()\nfor x in range(3): print(x)',
    "import requests\ncode = 'x'\nexec(code)",
  ])('runs: %j', (code) => expect(python(code)).toBe('allow'))

  it.each([
    "open('/etc/shadow').read()",
    "import os\nos.remove('/etc/hosts')",
    "import shutil; shutil.rmtree('/home/dev')",
    "import os; os.system('rm -rf ~')",
    "import subprocess; subprocess.run(['rm', '-rf', '/home/dev'])",
    "from pathlib import Path\nPath('/home/dev/.bashrc').write_text('x')",
    "import os; print(open(os.path.expanduser('~/.ssh/id_rsa')).read())",
  ])('denied: %j', (code) => expect(python(code)).toBe('deny'))
})
