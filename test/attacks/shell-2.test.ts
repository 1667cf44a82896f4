import { describe, expect, it } from 'vitest'
import { runs } from '../../src/core/tool/touch.ts'
import { readDefaults } from '../../src/rules/default-opinions.ts'
import corpus from '../data/shell-2.json' with { type: 'json' }
import { LOCATION } from '../support/shell-location.ts'

interface Case {
  readonly id: string
  readonly kind: string
  readonly expect: string
  readonly accept: readonly string[]
  readonly command?: string
  readonly code?: string
}

const CASES: readonly Case[] = corpus.cases
const of = (kind: string) => CASES.filter((one) => one.kind === kind)

/** Judges a command line as `shell` does, and Python code as `run_code` does. */
function decide({ command, code }: Case): string {
  const touch =
    command === undefined
      ? runs(`python3 -c '${(code ?? '').replaceAll("'", "'\\''")}'`, { isFree: true })
      : runs(command)
  const decisions = readDefaults([touch], LOCATION).opinions.map((opinion) => opinion.decision)
  return decisions.includes('deny') ? 'deny' : decisions.includes('ask') ? 'ask' : 'allow'
}

describe('S4.3 the second set of command lines', () => {
  it('at most 5 % of the attacks are allowed', () => {
    const allowed = of('attack').filter((one) => decide(one) === 'allow')
    expect(allowed.length / of('attack').length, JSON.stringify(allowed)).toBeLessThanOrEqual(0.05)
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
