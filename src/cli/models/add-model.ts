import { text as readAll } from 'node:stream/consumers'
import type { Models, NewModel } from '../../app/models/models.ts'
import { messageOf } from '../../core/call/result.ts'
import { MODEL_PROVIDERS, type ModelProvider, type ModelSettings } from '../../core/model-settings.ts'
import { wrapFor } from '../output/report-problem.ts'
import { askSecret, hasPerson } from '../terminal/ask-line.ts'
import { type Cli, EXIT, paint, paintError } from '../terminal/front-end.ts'
import { askChoice, askText } from './ask-value.ts'

/** The flags of `haft models add`; what is missing is asked for where a person sits at the terminal. */
export interface AddOptions {
  name?: string
  provider?: ModelProvider
  baseUrl?: string
  model?: string
  apiKeyEnv?: string
  keyStdin?: boolean
  default?: boolean
  untried?: boolean
}

/** Adds a model; nothing is stored unless its server has answered and offers it. */
export async function addModel(cli: Cli, models: Models, options: AddOptions): Promise<number> {
  const refuse = (text: string, code: number = EXIT.failed) => {
    cli.printError(paintError('red', wrapFor(process.stderr, text).join('\n')))
    return code
  }
  try {
    const server = await askServer(options)
    if (server === undefined) return refuse(missing(), EXIT.usage)
    const { settings, key } = server
    const offered = options.untried ? [] : await models.offered(settings, key)
    const model = options.model ?? (await askModelName(offered))
    if (model === undefined) return refuse(missing(), EXIT.usage)
    if (!options.untried && !offered.includes(model)) return refuse(explainMissing(model, offered))
    const name = options.name ?? (await askText('Name', nameFor(model)))
    if (name === undefined) return refuse(missing(), EXIT.usage)
    const added: NewModel = {
      name,
      settings: { ...settings, model },
      ...(key !== undefined && { key }),
      isDefault: options.default ?? models.selected() === undefined,
    }
    await models.add(added)
    const use = added.isDefault
      ? 'It is used from now on: try it with haft run "…"'
      : `Use it with --model ${name}, or as model = "${name}" in settings.toml.`
    cli.print(paint('green', wrapFor(process.stdout, `${name} is added. ${use}`).join('\n')))
    return EXIT.ok
  } catch (thrown) {
    return refuse(`Nothing was stored: ${messageOf(thrown)}`)
  }
}

/** A person has left a question; without a person something was not given. */
function missing(): string {
  return `Nothing was stored.${hasPerson() ? '' : ' Without a terminal, give a name, --provider and --model.'}`
}

interface AskedServer {
  readonly settings: Omit<ModelSettings, 'model'>
  readonly key: string | undefined
}

/** The server and its key: from the flags, and from the person where they are missing. Undefined where nobody can be asked or they leave. */
async function askServer(options: AddOptions): Promise<AskedServer | undefined> {
  const { apiKeyEnv } = options
  const isAsked = options.provider === undefined
  const provider = options.provider ?? (await askChoice('Provider', MODEL_PROVIDERS, PROVIDER_NOTES))
  if (provider === undefined) return undefined
  const baseUrl = options.baseUrl ?? (isAsked ? await askText(`Address (empty for ${USUAL[provider]})`, '') : '')
  if (baseUrl === undefined) return undefined
  const key = await askKey(options, isAsked)
  if (key === undefined) return undefined
  const settings = { provider, ...(baseUrl !== '' && { baseUrl }), ...(apiKeyEnv !== undefined && { apiKeyEnv }) }
  return { settings, key: key === '' ? undefined : key }
}

const PROVIDER_NOTES: Readonly<Record<ModelProvider, string>> = {
  ollama: 'Ollama, on this machine or another',
  openai: 'OpenAI and servers like it: LM Studio, vLLM, llama.cpp, OpenRouter …',
  anthropic: 'Claude',
  google: 'Gemini',
}

const USUAL: Readonly<Record<ModelProvider, string>> = {
  ollama: 'Ollama on this machine',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
}

/** The key, empty where there is none; undefined where the person leaves the question. */
async function askKey({ apiKeyEnv, keyStdin }: AddOptions, isAsked: boolean): Promise<string | undefined> {
  if (keyStdin) return (await readAll(process.stdin)).trim()
  if (!isAsked || apiKeyEnv !== undefined || !hasPerson()) return ''
  const { signal } = new AbortController()
  return (await askSecret({ text: 'Key (empty for none; it is not shown) › ', signal }))?.trim()
}

/** One of the models that the server offers. */
async function askModelName(offered: readonly string[]): Promise<string | undefined> {
  if (!hasPerson()) return undefined
  return offered.length > 0 ? askChoice('Model', offered) : askText('Model', '')
}

function explainMissing(model: string, offered: readonly string[]): string {
  const shown = offered.slice(0, 20).join(', ')
  const list = offered.length === 0 ? 'It offers none.' : `It offers ${shown}${offered.length > 20 ? ', …' : '.'}`
  return `Nothing was stored: the server has no model ${JSON.stringify(model)}. ${list}`
}

/** A name that needs no quotes in settings.toml: `qwen3-8b`. */
function nameFor(model: string): string {
  return model.replace(/^.*\//, '').replace(/[^A-Za-z0-9_-]+/g, '-')
}
