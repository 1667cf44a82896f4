import { homedir } from 'node:os'
import type { PathLookup } from '../../core/ports/path-lookup.ts'
import { digestCall } from '../../pipeline/approve/call-digest.ts'
import { createRuleBook, type RuleBook } from '../../rules/rule-book.ts'
import type { HomeParts } from '../home-parts.ts'
import { ASK_LIVE, ASK_WITHOUT_SANDBOX } from './open-sandbox.ts'

/** Opens the rules of a workspace: the defaults, the grants, and those of the program. The rules of settings files are added later. */
export function openRules(
  workspace: string,
  { options, user, settings, grants, haftHome }: HomeParts,
  lookup: PathLookup,
): RuleBook {
  const haftPort = String(settings.server.port)
  const place = { workspace, cwd: workspace, home: homedir(), haftHome, haftPort, lookup }
  const rules = createRuleBook(place, { grants, digestCall })
  rules.add(ASK_LIVE, { layer: 'defaults', source: 'built-in' })
  if ((options.sandbox ?? user?.given.sandbox) === 'off')
    rules.add(ASK_WITHOUT_SANDBOX, { layer: 'defaults', source: 'built-in' })
  for (const rule of options.rules ?? []) rules.add(rule, { layer: 'user', source: 'code' })
  return rules
}
