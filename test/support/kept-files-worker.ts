// A process that adds entries to every file of HAFT_HOME that several processes change.
import { join } from 'node:path'
import { openKeptFile } from '../../src/settings/kept-file.ts'
import { openModelKeys } from '../../src/settings/managed/model-keys.ts'
import { openTrust } from '../../src/settings/trust.ts'
import { openAcceptedTools } from '../../src/sources/mcp/accepted-tools.ts'
import { openSignIns } from '../../src/sources/mcp/oauth/kept-sign-ins.ts'

const [home = '', name = '', count = ''] = process.argv.slice(2)
const trust = openTrust(home)
const accepted = openAcceptedTools(openKeptFile(join(home, 'mcp-tools.json')))
const signIns = openSignIns(openKeptFile(join(home, 'mcp-sign-ins.json')))
const keys = openModelKeys(home)
for (let i = 0; i < Number(count); i++) {
  trust.record(`/${name}/${i}`, 'content')
  accepted.accept(`${name}-${i}`, [{ name: 'echo', description: 'Repeats a text.', input: {} }])
  signIns.change(`${name}-${i}`, 'https://example.com', () => ({ url: 'https://example.com' }))
  signIns.change('shared', 'https://example.com', (before) => ({
    url: 'https://example.com',
    wantedScope: `${before?.wantedScope ?? ''} ${name}-${i}`,
  }))
  keys.set(`${name}-${i}`, 'key')
}
