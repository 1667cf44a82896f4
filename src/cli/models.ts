import { type Command, Option } from 'commander'
import type { Host } from '../app/host.ts'
import type { ListedModel } from '../app/models/models.ts'
import { MODEL_PROVIDERS } from '../core/model-settings.ts'
import { hostOptionsOf } from './host-options.ts'
import { type AddOptions, addModel } from './models/add-model.ts'
import { printProse } from './output/report-problem.ts'
import { type Cli, type CommonOptions, EXIT } from './terminal/front-end.ts'
import { type Cell, tableLines } from './terminal/table.ts'

/** `haft models`: what was found and what each can do; `haft models add` stores one more. */
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
    .description('list the models that were found, and what each can do')
    .option('--workspace <folder>', 'the folder calls work in')
    .option('--json', 'print JSON and nothing else')
    .action((options: CommonOptions) => withHost(options, (host) => list(cli, host, options)))
  models
    .command('add')
    .description('add a model: asks for provider, address and key, and tries it')
    .argument('[name]', 'what to call it')
    .addOption(new Option('--provider <provider>', 'who serves it').choices(MODEL_PROVIDERS))
    .option('--base-url <url>', 'the address of the server; that of the provider when left out')
    .option('--model <model>', 'the name that the server knows it by')
    .option('--api-key-env <variable>', 'read the key from this environment variable each time')
    .option('--key-stdin', 'read the key from stdin and store it')
    .option('--default', 'use it where no other model is named')
    .option('--untried', 'store it without asking its server')
    .action((name: string | undefined, options: AddOptions) =>
      withHost({}, (host) => addModel(cli, host.models, { ...options, ...(name !== undefined && { name }) })),
    )
}

async function list(cli: Cli, { models }: Host, { json }: CommonOptions): Promise<number> {
  const listed = await models.list()
  if (json) cli.write(`${JSON.stringify({ models: listed })}\n`)
  else if (listed.length === 0) printProse(cli, NONE)
  else for (const line of tableLines(listed.map(cellsOf), { last: 'wrap' })) cli.print(line)
  return EXIT.ok
}

const NONE =
  'No model was found. Start Ollama or LM Studio, set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or run `haft models add`.'

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
