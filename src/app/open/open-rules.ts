import { homedir } from 'node:os'
import type { TaskPorts } from '../../core/network/task-ports.ts'
import { createSettingsReader } from '../../files/read-settings.ts'
import { digestCall } from '../../pipeline/approve/call-digest.ts'
import type { JudgeLocation } from '../../rules/defaults/path-zones.ts'
import { createRuleBook, type RuleBook } from '../../rules/rule-book.ts'
import type { HomeParts } from '../home-parts.ts'
import { ASK_LIVE, ASK_WITHOUT_SANDBOX } from './open-sandbox.ts'
import { webRules } from './web-rules.ts'

const NO_PORTS = { list: () => [] }

/** What rules look at in a workspace. */
interface RulesPlace extends Required<Pick<JudgeLocation, 'lookup' | 'ownPrograms'>> {
  readonly ports?: Pick<TaskPorts, 'list'>
}

/** Opens the rules of a workspace: the defaults, the grants, and those of the program. The rules of settings files are added later. */
export function openRules(
  workspace: string,
  home: HomeParts,
  { lookup, ports = NO_PORTS, ownPrograms }: RulesPlace,
): RuleBook {
  const { options, user, settings, grants, haftHome } = home
  const { port } = settings.server
  const haftPorts = [port, ...(options.serverPort === undefined ? [] : [options.serverPort])].map(String)
  const readSettings = createSettingsReader(workspace)
  const place = { workspace, cwd: workspace, home: homedir(), haftHome, haftPorts, lookup, readSettings, ownPrograms }
  const rules = createRuleBook(place, { grants, digestCall })
  for (const rule of webRules(settings.web.allow, ports)) rules.add(rule, { layer: 'defaults', source: 'built-in' })
  rules.add(ASK_LIVE, { layer: 'defaults', source: 'built-in' })
  if ((options.sandbox ?? user?.given.sandbox?.use) === 'off')
    rules.add(ASK_WITHOUT_SANDBOX, { layer: 'defaults', source: 'built-in' })
  for (const rule of options.rules ?? []) rules.add(rule, { layer: 'user', source: 'code' })
  return rules
}
