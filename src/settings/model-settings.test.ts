import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { addManagedModel, managedPath } from './managed/managed-file.ts'
import { openModelKeys } from './managed/model-keys.ts'
import { readSettings } from './read-settings.ts'
import { layerSettings } from './settings.ts'

const FULL = `model = "work"
[models.work]
provider = "openai"
base_url = "http://127.0.0.1:8080/v1"
model = "qwen3-coder"
api_key_env = "WORK_KEY"
context = 32768
headers = { "x-team" = "blue" }
temperature = 0
price = { input = 0.5, output = 2 }
strict = true
`
const WORK = {
  provider: 'openai' as const,
  baseUrl: 'http://127.0.0.1:8080/v1',
  model: 'qwen3-coder',
  apiKeyEnv: 'WORK_KEY',
  context: 32_768,
  headers: { 'x-team': 'blue' },
  temperature: 0,
  price: { input: 0.5, output: 2 },
  strict: true,
}

function settingsFile(text: string): string {
  const path = join(temporaryFolder(), 'settings.toml')
  writeFileSync(path, text)
  return path
}

describe('models in the settings', () => {
  it('are read with every key', async () => {
    const { given } = await readSettings(settingsFile(FULL))
    expect(layerSettings(given)).toMatchObject({ model: 'work', models: { work: WORK } })
  })

  it('of a later layer stand above those of an earlier one', () => {
    const other = { ...WORK, model: 'other' }
    const layered = layerSettings({ model: 'a', models: { work: other, a: other } }, { models: { work: WORK } })
    expect([layered.model, layered.models]).toEqual(['a', { work: WORK, a: other }])
  })

  it.each([
    ['[models.work]\nmodel = "m"', '1:2: models.work: a model needs a provider: ollama, openai, anthropic, google'],
    [
      '[models.work]\nprovider = "openai"',
      '1:2: models.work: a model needs the name that its server knows it by: model',
    ],
    ['[models.work]\nprovider = "gpt"\nmodel = "m"', '2:1: models.work.provider: expected "ollama" or'],
    [
      '[models.work]\nprovider = "openai"\nmodel = "m"\nbase_url = "localhost:1"',
      '4:1: models.work.base_url: expected an address such as',
    ],
    [
      '[models.work]\nprovider = "openai"\nmodel = "m"\nbase_ulr = "x"',
      '4:1: models.work.base_ulr: unknown key. Did you mean base_url?',
    ],
    [
      '[models.work]\nprovider = "openai"\nmodel = "m"\nprice = { input = 1 }',
      '4:1: models.work.price: a price needs output',
    ],
    [
      '[models.work]\nprovider = "openai"\nmodel = "m"\nstrict = "yes"',
      '4:1: models.work.strict: expected true or false, not "yes"',
    ],
    [
      '[models.work]\nprovider = "ollama"\nmodel = "m"\nstrict = true',
      '4:1: models.work.strict: only models of the provider openai can be strict',
    ],
    ['[models."a:b"]\nprovider = "openai"\nmodel = "m"', '1:2: models.a:b: the name of a model has no colon'],
    ['model = 3', '1:1: model: expected a text, not 3'],
  ])('name what is wrong with line and column: %j', async (text, expected) => {
    const path = settingsFile(text)
    await expect(readSettings(path)).rejects.toThrow(`${path}:${expected}`)
  })
})

describe("Haft's own settings file", () => {
  it('takes models, keeps what it holds, and reads back as it was given', async () => {
    const home = join(temporaryFolder(), 'home')
    await addManagedModel(home, { name: 'work', settings: WORK })
    await addManagedModel(home, { name: 'home', settings: { provider: 'ollama', model: 'qwen3:8b' }, isDefault: true })
    const { given } = await readSettings(managedPath(home))
    expect(given).toEqual({ model: 'home', models: { work: WORK, home: { provider: 'ollama', model: 'qwen3:8b' } } })
    expect(statSync(managedPath(home)).mode & 0o777).toBe(0o600)
    expect(existsSync(join(home, 'settings.toml'))).toBe(false)
  })

  it('is not replaced where it is wrong', async () => {
    const home = temporaryFolder()
    writeFileSync(managedPath(home), 'modle = 1\n')
    await expect(addManagedModel(home, { name: 'work', settings: WORK })).rejects.toThrow(/managed\.toml:1:1: modle/)
    expect(readFileSync(managedPath(home), 'utf8')).toBe('modle = 1\n')
  })
})

describe('stored keys', () => {
  it('are kept in a file that only its owner can read', () => {
    const home = join(temporaryFolder(), 'home')
    openModelKeys(home).set('work', 'sk-1')
    openModelKeys(home).set('home', 'sk-2')
    const keys = openModelKeys(home)
    expect([keys.get('work'), keys.get('home'), keys.get('toString')]).toEqual(['sk-1', 'sk-2', undefined])
    expect(statSync(join(home, 'model-keys.json')).mode & 0o777).toBe(0o600)
  })

  it('of a broken file are not replaced', () => {
    const home = temporaryFolder()
    writeFileSync(join(home, 'model-keys.json'), '{"work": "sk')
    expect(() => openModelKeys(home).set('home', 'sk-2')).toThrow(/cannot be read. Repair it/)
    expect(readFileSync(join(home, 'model-keys.json'), 'utf8')).toBe('{"work": "sk')
  })
})
