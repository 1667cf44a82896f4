import type { AnswerOf } from '../../../../src/core/api/routes.ts'

export type ListedRule = AnswerOf<'listRules'>['rules'][number]
export type ListedGrant = AnswerOf<'listGrants'>['grants'][number]
export type ProjectTrust = AnswerOf<'getTrust'>

/** A row of the page: the heading of a layer, a grant, or a rule. */
export type RuleRow =
  | {
      readonly kind: 'heading'
      readonly key: string
      readonly title: string
      readonly source: string
      readonly note: string
      readonly trust?: ProjectTrust
    }
  | { readonly kind: 'grant'; readonly key: string; readonly grant: ListedGrant }
  | { readonly kind: 'rule'; readonly key: string; readonly rule: ListedRule }

interface Given {
  readonly rules: readonly ListedRule[]
  readonly grants: readonly ListedGrant[]
  readonly trust: ProjectTrust | undefined
  readonly filter: string
}

/** The layers from the strongest to the weakest, as they are shown. */
const LAYERS: readonly (readonly [title: string, layers: readonly string[]])[] = [
  ['Project', ['project', 'untrusted project']],
  ['You', ['user']],
  ['Default', ['defaults']],
]

/** Lists grants and rules under the headings of their layers, the strongest first; every word of the filter must match. */
export function ruleRows({ rules, grants, trust, filter }: Given): readonly RuleRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const given = grants.filter(({ tool, text }) => fits(`${tool} ${text} grant`))
  const shown = rules.filter(({ rule, mode }) =>
    fits(`${rule.name} ${rule.reason ?? ''} ${rule.decision} ${mode === undefined ? '' : `mode ${mode}`}`),
  )
  const hasProject = trust !== undefined && (trust.content !== null || trust.tools.length > 0)
  return [
    ...(words.length > 0 && given.length === 0
      ? []
      : [
          heading('Grants', {
            note: given.length === 0 ? 'none; “Approve and remember” gives one' : 'given by you, end by themselves',
          }),
        ]),
    ...given.map((grant): RuleRow => ({ kind: 'grant', key: `grant ${grant.id}`, grant })),
    ...LAYERS.flatMap(([title, layers]) => {
      const own = shown.filter(({ layer }) => layers.includes(layer))
      const isProject = title === 'Project' && hasProject && words.length === 0
      if (own.length === 0 && !isProject) return []
      const sources = [...new Set(own.map(({ source }) => source))]
      return [
        heading(title, {
          source:
            title === 'Default' ? 'shipped with Haft' : title === 'Project' ? (trust?.path ?? '') : sources.join(', '),
          note: own.length === 0 ? '' : `${own.length} ${own.length === 1 ? 'rule' : 'rules'}`,
          ...(isProject && trust && { trust }),
        }),
        ...own.map((rule): RuleRow => ({ kind: 'rule', key: `${rule.layer} ${rule.source} ${rule.rule.name}`, rule })),
      ]
    }),
  ]
}

function heading(
  title: string,
  { source = '', note = '', trust }: { source?: string; note?: string; trust?: ProjectTrust },
): RuleRow {
  return { kind: 'heading', key: `heading ${title}`, title, source, note, ...(trust && { trust }) }
}

/** The conditions of a rule in words: `tools shell; writes docs/**`. */
export function conditionsOf(rule: Readonly<Record<string, unknown>>): string {
  return Object.entries(rule)
    .filter(([name]) => !['name', 'decision', 'reason', 'examples'].includes(name))
    .map(([name, value]) => `${name} ${shownValue(value)}`)
    .join('; ')
}

function shownValue(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => (Array.isArray(one) ? one.join(' ') : String(one))).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
