import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Declarations, readDoc } from './declarations.ts'

const HEAD = `# Events

A session is the list of its events. \`host.on\` passes on those of its process at once, \`log.follow\` those that any process has committed,
\`haft log -f --json\` prints them. Every event has \`type\`, \`id\` (unique), \`at\` (milliseconds since 1970) and \`session\`; those of a
call also have \`call\`. A committed event has a \`cursor\`: its position in the order that every reader sees.
Generated from \`src/core/session/event.ts\` and \`src/core/plans/plan-event.ts\` by \`npm run docs\`; types in \`code\` are in the [API reference](api.md).
`

/** Makes docs/events.md from the unions of events; the types that members of it name are read from the declaration files. */
export function eventsReference(source: string, types: string): string {
  const text = [source, join(dirname(source), '../plans/plan-event.ts')]
    .map((file) => `${readFileSync(file, 'utf8')}\n\n`)
    .join('')
  const all = new Declarations(types)
  const groups = text.matchAll(/\/\*\* ([^\n]*) \*\/\n(?:export )?type (\w+)Event =\n(.*?)\n\n/gs)
  const sections = [...groups].map(([, about = '', name = '', members = '']) => {
    const events = [...members.matchAll(MEMBER)].map(({ groups: found = {} }) => {
      const { doc = '', type = '', rest = '' } = found
      return `### ${type}\n\n${doc === '' ? '' : `${readDoc(doc)}\n\n`}${fieldsOf(rest, all)}`
    })
    return [`## ${name} events`, about, ...events].join('\n\n')
  })
  return `${HEAD}\n${sections.join('\n\n')}\n`
}

/** One member of a union: its comment, its type, and what it holds besides. */
const MEMBER =
  /(?<doc>\/\*\*(?:(?!\*\/).)*\*\/)?\s*^ {2}\| \(?In(?:Session|Call|Plan|Job)<'(?<type>[a-z-]+)'>(?<rest>.*?)(?=\n {2}\||\n {2}\/\*\*|$(?![\s\S]))/gms

function fieldsOf(rest: string, all: Declarations): string {
  const code = rest.replace(/^ & /, '').replace(/\)$/, '').trim()
  if (code === '') return 'No fields of its own.'
  const named = /^\w+$/.test(code) ? all.resolve('core/session/event.d.ts', code) : undefined
  return `\`\`\`ts\n${layOut(named?.text ?? code)}\n\`\`\``
}

/** Puts each field on a line of its own. */
function layOut(code: string): string {
  if (code.startsWith('interface')) return code.replaceAll(/^( {4})+/gm, (indent) => indent.replaceAll('    ', '  '))
  const inner = code.replace(/^\{\s*/, '').replace(/\s*\}$/, '')
  const fields = inner.split(/;\s+|\n\s*/).filter((field) => field !== '')
  return `{\n${fields.map((field) => `  ${field}`).join('\n')}\n}`
}
