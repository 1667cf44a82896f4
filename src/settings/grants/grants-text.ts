import type { Grant, GrantScope } from '../../core/approval/grant.ts'
import { type Check, list, type Problem, positive, table, text, word } from '../check-value.ts'

const SCOPES: readonly GrantScope['kind'][] = ['exact', 'prefix', 'folder', 'host', 'tool']

interface ScopeText {
  readonly kind: GrantScope['kind']
  readonly digest: string
  readonly prefixes: readonly (readonly string[])[]
  readonly hosts: readonly string[]
  readonly folder: string
}

const count: Check<number> = (value, path, report) => (value === 0 ? 0 : positive(value, path, report))
const any: Check<string> = (value, path, report) => (value === '' ? '' : text(value, path, report))

const checkGrant: Check<Partial<Omit<Grant, 'scope'> & { scope: Partial<ScopeText> }>> = table<
  Omit<Grant, 'scope'> & { scope: Partial<ScopeText> }
>({
  id: { key: 'id', check: text },
  tool: { key: 'tool', check: text },
  workspace: { key: 'workspace', check: text },
  text: { key: 'text', check: text },
  scope: {
    key: 'scope',
    check: table<ScopeText>({
      kind: { key: 'kind', check: word(...SCOPES) },
      digest: { key: 'digest', check: text },
      prefixes: { key: 'prefixes', check: list(list(any)) },
      hosts: { key: 'hosts', check: list(text) },
      folder: { key: 'folder', check: text },
    }),
  },
  answers: { key: 'answers', check: list(text) },
  madeAt: { key: 'made_at', check: positive },
  session: { key: 'session', check: text },
  until: { key: 'until', check: positive },
  times: { key: 'times', check: positive },
  used: { key: 'used', check: count },
})

/** Reads the grants of a parsed file. Throws when one is incomplete, since a grant without a limit could allow more than intended. */
export function readGrants(parsed: unknown): readonly Grant[] {
  const problems: Problem[] = []
  const check = table<{ grants: readonly unknown[] }>({ grants: { key: 'grants', check: list((value) => value) } })
  const { grants = [] } = check(parsed, [], (problem) => problems.push(problem)) ?? {}
  const read = grants.map((grant, index) =>
    completeGrant(checkGrant(grant, [index], (problem) => problems.push(problem))),
  )
  const [first] = problems
  if (first) throw new Error(`${first.path.join('.')}: ${first.message}`)
  return read
}

function completeGrant(given: ReturnType<typeof checkGrant>): Grant {
  const { id, tool, workspace, scope, answers, madeAt, used = 0, text: words = '', ...limits } = given ?? {}
  if (!id || !tool || !workspace || !answers || !madeAt || !scope) throw new Error('a grant is incomplete')
  return { id, tool, workspace, text: words, scope: completeScope(scope), answers, madeAt, used, ...limits }
}

function completeScope({ kind, digest, prefixes, hosts, folder }: Partial<ScopeText>): GrantScope {
  if (kind === 'tool') return { kind }
  if (kind === 'exact' && digest) return { kind, digest }
  if (kind === 'folder' && folder) return { kind, folder }
  if (kind === 'host' && hosts) return { kind, hosts }
  if (kind === 'prefix' && prefixes && hosts) return { kind, prefixes, hosts }
  throw new Error('the scope of a grant is incomplete')
}

const HEAD = '# Your grants. Haft writes this file; list and revoke grants with `haft approvals grants`.\n\n'

/** Returns the text of the grants file. */
export function writeGrants(grants: readonly Grant[], stringify: (value: object) => string): string {
  const rows = grants.map(({ madeAt, scope, ...rest }) => ({ ...rest, made_at: madeAt, scope }))
  return HEAD + stringify({ grants: rows })
}
