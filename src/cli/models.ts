import { type Command, Option } from 'commander'
import type { Host } from '../app/host.ts'
import type { ListedModel } from '../app/models/models.ts'
import { MODEL_PROVIDERS } from '../core/model-settings.ts'
import { addExamples, type Example } from './help.ts'
import { hostOptionsOf } from './host-options.ts'
import { type AddOptions, addModel } from './models/add-model.ts'
import { printProse } from './output/report-problem.ts'
import { type Cli, type CommonOptions, EXIT } from './terminal/front-end.ts'
import { type Cell, tableLines } from './terminal/table.ts'

const EXAMPLES: readonly Example[] = [
  ['haft models', 'list the models'],
  ['haft models add', 'add a model, question by question'],
  ['haft doctor --probe', 'try the selected model with a short chat'],
]

const ADD_EXAMPLES: readonly Example[] = [
  ['haft models add', 'ask for everything'],
  ['haft models add small --provider ollama --model qwen3:8b', 'ask for nothing'],
]

/** Adds `haft models`, which lists the models that were found and what each can do, and `haft models add`, which stores one more. */
export function addModels(program: Command, cli: Cli, exit: (code: number) => void): void {
  const withHost = async (options: CommonOptions, work: (host: Host) => Promise<number>) => {
    const host = await cli.createHost({ ...hostOptionsOf(cli, options), storage: 'memory', toolFolders: false })
    try {
      exit(await work(host))
    } finally {
      await host.close()
    }
  }
  const models = program
    .command('models')
    .description('List the models that were found, and what each can do')
    .option('--workspace <folder>', 'folder to work in (default: HAFT_WORKSPACE, else the current folder)')
    .option('--json', 'print JSON only')
    .action((options: CommonOptions) => withHost(options, (host) => list(cli, host, options)))
  addExamples(models, EXAMPLES)
  const add = models
    .command('add')
    .description('Add a model: asks for provider, address and key, and tries the server')
    .argument('[name]', 'name to use it by; asked for if left out')
    .addOption(new Option('--provider <provider>', 'protocol of the server').choices(MODEL_PROVIDERS))
    .option('--base-url <url>', 'address of the server (default: that of the provider)')
    .option('--model <model>', 'name of the model on its server')
    .option('--api-key-env <variable>', 'environment variable to read the key from, each time')
    .option('--key-stdin', 'read the key from stdin and store it')
    .option('--default', 'use it if no other model is named')
    .option('--untried', 'store it without asking the server')
    .action((name: string | undefined, options: AddOptions) =>
      withHost({}, (host) => addModel(cli, host.models, { ...options, ...(name !== undefined && { name }) })),
    )
  addExamples(add, ADD_EXAMPLES)
}

async function list(cli: Cli, { models }: Host, { json }: CommonOptions): Promise<number> {
  const listed = await models.list()
  if (json) cli.writeJson({ models: listed })
  else if (listed.length === 0) printProse(cli, NONE)
  else for (const line of tableLines(listed.map(cellsOf), { last: 'wrap' })) cli.print(line)
  return EXIT.ok
}

const NONE =
  'No model was found. Start Ollama or LM Studio, set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or run `haft models add`. Until then `haft run` uses demo, which needs no model.'

function cellsOf({ name, from, isSelected, abilities, problem }: ListedModel): Cell[] {
  return [
    { style: isSelected ? 'green' : 'reset', text: isSelected ? '●' : ' ' },
    { style: 'bold', text: name },
    { style: 'dim', text: from },
    problem === undefined ? { style: 'reset', text: describeAbilities(abilities) } : { style: 'yellow', text: problem },
  ]
}

/** `native tools, sees images, 32,768 tokens` */
function describeAbilities({ nativeCalls, images, context }: ListedModel['abilities']): string {
  const known = [
    ...(nativeCalls === undefined ? [] : [nativeCalls ? 'native tools' : 'tools described in the prompt']),
    ...(images === undefined ? [] : [images ? 'sees images' : 'no images']),
    ...(context === undefined ? [] : [`${context.toLocaleString('en-US')} tokens`]),
  ]
  return known.join(', ')
}
