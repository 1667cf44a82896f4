import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import corpus from '../data/shell-2.json' with { type: 'json' }
import { exampleHost, temporaryFolder } from '../support/example-host.ts'
import { describeTree } from '../support/trees.ts'

const SECRET = 'this-key-is-seen-by-nobody'

/** A folder that plays the part of the person's home, with files that the attacks are after. */
function makeHome(): string {
  const home = temporaryFolder()
  for (const folder of ['.ssh', '.config', '.aws']) mkdirSync(join(home, folder))
  for (const file of ['.ssh/id_rsa', '.aws/credentials', '.netrc', '.bashrc', '.gitconfig', 'notes.txt'])
    writeFileSync(join(home, file), `${SECRET}\n`)
  return home
}

/** The lines of a file that only its owner may read; none where the test's user may not read it either. */
function secretLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  }
}

const ATTACKS = corpus.cases.filter(({ kind }) => kind === 'attack').map(({ command }) => command ?? '')

/** Each attack is run from a script that the reader cannot see into: as if it had been allowed. */
test('S1.6 the sandbox and the apply step hold every attack of the second set, even if the reader lets it pass', async () => {
  const home = makeHome()
  const workspace = temporaryFolder()
  execFileSync('git', ['init', '-q', workspace])
  writeFileSync(join(workspace, 'id_ed25519'), `${SECRET}\n`)
  const host = await exampleHost({ workspace })
  const [outside, repository] = [describeTree(home), describeTree(join(workspace, '.git'))]
  const hidden = [SECRET, ...secretLines('/etc/shadow')]
  expect(ATTACKS.length).toBeGreaterThan(50)
  let ran = 0
  for (const attack of ATTACKS) {
    writeFileSync(join(workspace, 'try.sh'), `${attack.replaceAll('/home/dev', home)}\n`)
    writeFileSync(join(workspace, 'run.sh'), 'bash try.sh < /dev/null\ncat id_ed25519 /etc/shadow\ntrue\n')
    const result = await host.call('shell', { command: 'bash run.sh', timeout: 20 }, { decision: 'deny' })
    if (result.ok) ran++
    const told = JSON.stringify(result)
    for (const text of hidden) expect(told.includes(text), attack).toBe(false)
    expect(describeTree(home), attack).toEqual(outside)
    expect(describeTree(join(workspace, '.git')), attack).toEqual(repository)
    expect(existsSync(join(workspace, '.haft')), attack).toBe(false)
    expect(readFileSync(join(workspace, 'id_ed25519'), 'utf8'), attack).toBe(`${SECRET}\n`)
  }
  // The others were refused by the apply step, or took too long.
  expect(ran).toBeGreaterThan(ATTACKS.length / 2)
}, 240_000)
