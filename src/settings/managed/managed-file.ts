import { join } from 'node:path'
import { messageOf, ToolError } from '../../core/call/result.ts'
import type { ModelSettings } from '../../core/model-settings.ts'
import { isRecord } from '../../core/text/json.ts'
import type { Problem } from '../check-value.ts'
import { changeFile } from '../kept-file.ts'
import { checkModels, writeModel } from '../model-settings.ts'
import { readSettings, SettingsError } from '../read-settings.ts'
import { touchManaged } from './managed-lock.ts'

/** The file in Haft's home for what commands add. It has the keys of settings.toml and is read before it; settings.toml itself is the person's and is never written. */
export function managedPath(home: string): string {
  return join(home, 'managed.toml')
}

const HEAD =
  '# Written by Haft. Your own settings belong into settings.toml, which is read after this file and counts above it.\n\n'

/** A model to be added. */
interface AddedModel {
  readonly name: string
  readonly settings: ModelSettings
  /** Makes it the model that is used where nobody names another. */
  readonly isDefault?: boolean
}

/** Throws SettingsError where a model could not be read back from a settings file. */
export function checkAddedModel({ name, settings }: AddedModel): void {
  const problems: Problem[] = []
  checkModels({ [name]: writeModel(settings) }, ['models'], (problem) => problems.push(problem))
  const [first] = name === '' ? [{ path: ['models'], message: 'a model needs a name' }] : problems
  if (first) throw new SettingsError(`${first.path.join('.')}: ${first.message}`)
}

/** Adds a model to Haft's own settings file, or replaces the one of that name there. Rejects with ToolError where the file is wrong. */
export async function addManagedModel(home: string, { name, settings, isDefault }: AddedModel): Promise<void> {
  checkAddedModel({ name, settings })
  await changeManaged(home, (given) => {
    const chosen = isDefault ? { model: name } : {}
    return { ...given, ...chosen, models: { ...modelsOf(given), [name]: writeModel(settings) } }
  })
}

/** Removes a model from Haft's own settings file. Rejects with ToolError where the file is wrong. */
export async function removeManagedModel(home: string, name: string): Promise<void> {
  await changeManaged(home, ({ model, ...given }) => {
    const models = Object.fromEntries(Object.entries(modelsOf(given)).filter(([other]) => other !== name))
    return { ...given, ...(model !== undefined && model !== name && { model }), models }
  })
}

function modelsOf({ models }: Record<string, unknown>): Record<string, unknown> {
  return isRecord(models) ? models : {}
}

/** Changes Haft's own settings file; of several processes one at a time. Rejects with ToolError where the file is wrong. */
export async function changeManaged(
  home: string,
  change: (given: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  await checkManaged(home)
  const toml = await import('smol-toml')
  changeFile(managedPath(home), (text = '') => {
    const parsed = toml.parse(text)
    return `${HEAD}${toml.stringify(change(isRecord(parsed) ? parsed : {}))}\n`
  })
  touchManaged(home)
}

/** Refuses to write a file that a person has broken: what it holds would be lost. */
async function checkManaged(home: string): Promise<void> {
  try {
    await readSettings(managedPath(home))
  } catch (thrown) {
    throw new ToolError(
      'CONFLICT',
      `The settings of Haft cannot be changed, since its file is wrong: ${messageOf(thrown)}`,
    )
  }
}
