import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/example-host.ts'
import { readSettings } from './read-settings.ts'
import { DEFAULT_SETTINGS, layerSettings } from './settings.ts'

function settingsFile(text: string): string {
  const path = join(temporaryFolder(), 'settings.toml')
  writeFileSync(path, text)
  return path
}

describe('readSettings', () => {
  it('reads every key there is', async () => {
    const path = settingsFile(
      'durable = "machine"\nmode = "edit"\n[log]\nkeep_days = 7\nmax_mb = 100\nmax_content_mb = 5\nsecrets = ["ACME-[0-9]+"]\n[approvals]\nexpire_minutes = 30\n[run]\nmax_steps = 200\n[code]\nproblems = "off"\nembeddings = "ollama:minilm"\n[server]\nport = 5000\n[web]\nallow = ["example.com", "*.example.org", "[::1]:8080"]\nsearch = "brave"\n[sandbox]\nnetwork = ["127.0.0.1:4873"]\n',
    )
    expect(layerSettings((await readSettings(path)).given)).toEqual({
      durable: 'machine',
      mode: 'edit',
      log: { keepDays: 7, maxMb: 100, maxContentMb: 5, secrets: [/ACME-[0-9]+/gu] },
      approvals: { expireMinutes: 30 },
      commands: { maxWrittenMb: 5000, maxWrittenFiles: 200_000 },
      run: { maxSteps: 200 },
      code: { problems: 'off', embeddings: 'ollama:minilm' },
      server: { port: 5000 },
      web: { allow: ['example.com', '*.example.org', '[::1]:8080'], search: 'brave' },
      network: ['127.0.0.1:4873'],
      models: {},
      mcp: {},
    })
  })

  it('takes an absent file, and an empty one, as the defaults', async () => {
    expect(layerSettings((await readSettings(join(temporaryFolder(), 'settings.toml'))).given)).toEqual(
      DEFAULT_SETTINGS,
    )
    expect(layerSettings((await readSettings(settingsFile('# nothing\n'))).given)).toEqual(DEFAULT_SETTINGS)
  })

  it.each([
    ['an unknown key, with the nearest', '\ndurabel = "machine"\n', '2:1: durabel: unknown key. Did you mean durable?'],
    ['an unknown key in a table', '[log]\n  keep_day = 1\n', '2:3: log.keep_day: unknown key. Did you mean keep_days?'],
    ['an unknown dotted key', 'log.max_md = 1', '1:1: log.max_md: unknown key. Did you mean max_mb?'],
    [
      'an unknown key in an inline table',
      'log = { keep_days = 1, max_nb = 2 }',
      '1:24: log.max_nb: unknown key. Did you mean max_mb?',
    ],
    [
      'a key like no other',
      'zebra = 1',
      '1:1: zebra: unknown key. Known keys: durable, mode, log, approvals, commands, run, code, server, model, models, mcp, web, sandbox, network, tools_dirs, python, rules, tools.',
    ],
    ['a wrong word', 'durable = "always"', '1:1: durable: expected "process" or "machine", not "always"'],
    ['a wrong type', '[log]\nkeep_days = "ten"', '2:1: log.keep_days: expected a number above 0, not "ten"'],
    [
      'a limit of steps that is no whole number',
      '[run]\nmax_steps = 1.5',
      '2:1: run.max_steps: expected a whole number above 0, not 1.5',
    ],
    ['a value for a table', 'log = 3', '1:1: log: expected a table, not 3'],
    [
      'a bad pattern, in its own line',
      '[log]\nsecrets = [\n  "fine",\n  "(",\n]',
      '4:3: log.secrets[1]: Invalid regular expression',
    ],
    [
      'a host that is an address of a page',
      '[web]\nallow = [\n  "example.com",\n  "https://example.com/x",\n]',
      '4:3: web.allow[1]: expected a host such as "example.com", "*.example.com" or "127.0.0.1:8080", not "https://example.com/x"',
    ],
    [
      'a host with a port too high',
      '[sandbox]\nnetwork = ["a.example:70000"]',
      '2:12: sandbox.network[0]: expected a host',
    ],
    ['a host that means everything', '[sandbox]\nnetwork = ["*"]', '2:12: sandbox.network[0]: expected a host'],
    ['a search service that is not known', '[web]\nsearch = "google"', '2:1: web.search: expected "searxng:'],
    ['a wrong word for the sandbox', 'sandbox = "of"', '1:1: sandbox: expected "on" or "off", not "of"'],
    [
      'an unknown key of the sandbox',
      '[sandbox]\nnetwrk = []',
      '2:1: sandbox.netwrk: unknown key. Did you mean network?',
    ],
    ['hosts outside their table', 'network = ["a.example"]', '1:1: network: it belongs in its own table: [sandbox]'],
    ['a text that is no TOML', 'durable = "machine\n', '1:'],
    ['a key given twice', 'durable = "machine"\ndurable = "process"\n', '2:'],
  ])('names file, line, column and key of %s', async (_, text, expected) => {
    const path = settingsFile(text)
    await expect(readSettings(path)).rejects.toThrow(`${path}:${expected}`)
  })

  it('names everything that is wrong at once', async () => {
    const failing = readSettings(settingsFile('a = 1\nb = 2\n[log]\nmax_mb = 0\n'))
    await expect(failing).rejects.toThrow(
      /1:1: a: .*\n.*2:1: b: .*\n.*4:1: log\.max_mb: expected a number above 0, not 0/,
    )
  })

  it('says so when the file is there but cannot be read', async () => {
    const path = join(temporaryFolder(), 'settings.toml')
    mkdirSync(path)
    await expect(readSettings(path)).rejects.toThrow(`${path}: cannot be read`)
  })
})
