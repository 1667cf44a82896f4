import { type Declaration, Declarations } from './declarations.ts'

/** The groups of the reference; a declaration belongs to the first group whose pattern its file matches. */
const GROUPS: readonly [title: string, about: string, file: RegExp][] = [
  ['Homes, hosts and sessions', 'Open Haft, make calls, run sessions, close it again.', /^(app|agent)\//],
  [
    'Define a tool',
    'A tool is one plain object, made by `defineTool`.',
    /^core\/tool\/(tool|prepared|schema|touch|alias)\./,
  ],
  ['Tools in steps', 'A tool with phases returns a `pipeline()` from `steps`.', /^core\/tool\/(pipeline|delegate)\./],
  [
    'The context of a tool',
    'What `prepare` and `execute` get to reach the world.',
    /^core\/(agents\/[\w-]+|tool\/context|ports\/(files|http|outputs|agents))\./,
  ],
  ['Calls and results', 'Every call ends in a `Result`; these are its parts and other forms.', /^core\/(call|text)\//],
  [
    'Registry and snapshots',
    'The tools of a host, and their definitions for models.',
    /^(registry\/|core\/tool\/snapshot|core\/ports\/tool-source|core\/schema-targets\/)/,
  ],
  ['Rules and settings', 'Rules are data; they allow, ask or deny.', /^(core\/rules|settings|pipeline\/judge)\//],
  [
    'Approvals and grants',
    'How a person is asked, and what they allow for later.',
    /^(core\/(approval|input)\/|core\/ports\/approval-store)/,
  ],
  ['Sessions and events', 'A session is the list of its events; see [events](events.md).', /^core\/session\//],
  ['Plans', 'Lists of jobs that sub-agents work through; see [plans](plans.md).', /^core\/plans\//],
  ['The sandbox', 'Where commands run.', /^core\/ports\/sandbox\./],
  ['The network', 'What guarded access to the network stands on.', /^http\//],
  ['Models', 'What a language model is to Haft.', /^(core\/(model-settings|ports\/model)\.|models\/)/],
  ['MCP servers', 'Servers whose tools Haft uses.', /^core\/mcp\//],
  ['Storage ports', 'Implement these to keep the log elsewhere.', /^core\/ports\//],
]

const HEAD = `# API reference

Everything that \`import … from 'haft'\` gives. Generated from the exported types by \`npm run docs\`; a test compares it with them.
Examples: [README](../README.md), [a tool in steps](../examples/preview-and-cleanup.ts). Error codes: [errors](errors.md).
`

/** Makes docs/api.md from a folder of declaration files. */
export function apiReference(types: string): string {
  const all = new Declarations(types)
  const named = [...all.file('index.d.ts').exports.keys()].map((name) => {
    const declaration = all.resolve('index.d.ts', name)
    if (!declaration) throw new Error(`index.ts exports ${name}, which no file declares`)
    return declaration
  })
  const lost = named.filter(({ file }) => !GROUPS.some(([, , pattern]) => pattern.test(file)))
  if (lost.length > 0) throw new Error(`no group of the reference fits ${lost.map(({ file }) => file).join(', ')}`)
  const sections = GROUPS.map(([title, about, pattern]) => {
    const members = named.filter(({ file }) => GROUPS.find(([, , one]) => one.test(file))?.[2] === pattern)
    return { title, about, members: members.sort(byUse) }
  })
  const contents = sections.map(
    ({ title, members }) => `- [${title}](#${anchorOf(title)}): ${members.map(({ name }) => `\`${name}\``).join(', ')}`,
  )
  const text = sections.map(({ title, about, members }) =>
    [`## ${title}`, about, ...members.map(describe)].join('\n\n'),
  )
  return `${[HEAD, ...contents].join('\n')}\n\n${text.join('\n\n')}\n`
}

/** Functions first, then classes, then types; each by name. */
function byUse(a: Declaration, b: Declaration): number {
  return rank(a) - rank(b) || a.name.localeCompare(b.name, 'en')
}

function rank({ kind }: Declaration): number {
  const order = ['function', 'const', 'class']
  return order.includes(kind) ? order.indexOf(kind) : order.length
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .replaceAll(' ', '-')
}

function describe({ name, doc, text }: Declaration): string {
  const code = text.replaceAll(/^( {4})+/gm, (indent) => indent.replaceAll('    ', '  '))
  return [`### ${name}`, ...(doc === '' ? [] : [doc]), `\`\`\`ts\n${code}\n\`\`\``].join('\n\n')
}
