import type { ValidCall } from '../core/call/call.ts'
import type { CallReading, ReadCommand, Rule } from '../core/rules/rule.ts'
import { insidePath } from '../core/text/paths.ts'
import { isNameOf } from '../core/tool/find-preset.ts'
import { isBelieved, type RegisteredTool } from '../core/tool/snapshot.ts'
import { EFFECTS } from '../core/tool/tool.ts'
import type { Touch } from '../core/tool/touch.ts'
import { argumentText, callTexts, isArgumentKnown } from './call-text.ts'
import { counts, effectTests, type Test } from './match-effects.ts'
import { FULL_PATTERNS, type Matcher, type PatternEngine, wordPattern } from './patterns.ts'

/** A compiled rule: `concerns` is checked once for a tool, `matches` for each call of it. */
export interface CompiledRule {
  readonly rule: Rule
  concerns(entry: RegisteredTool): boolean
  matches(call: ValidCall, reading: CallReading): boolean
}

/** Compiles a rule. Throws when it is invalid, with the rule and the member. */
export function compileRule(rule: Rule, workspace: string, engine: PatternEngine = FULL_PATTERNS): CompiledRule {
  checkRule(rule)
  const tests = [
    ...argumentTests(rule, engine),
    ...effectTests(rule, workspace, engine),
    ...commandTests(rule, workspace, engine),
    ...prefixTests(rule, workspace),
    ...mainTests(rule, workspace, engine),
    ...forbiddenTests(rule, engine),
    ...(rule.when ? [(call: ValidCall, { touches }: CallReading) => rule.when?.(call, touches) ?? false] : []),
  ]
  return {
    rule,
    concerns: (entry) => concernsTool(rule, entry),
    matches: (call, reading) => tests.every((test) => test(call, reading)),
  }
}

function concernsTool({ tools, origins, effects, decision }: Rule, entry: RegisteredTool): boolean {
  const { tool, origin } = entry
  if (tools && !tools.some((name) => fitsName(entry, name))) return false
  if (origins && !origins.includes(origin)) return false
  if (!effects) return true
  return isBelieved(origin) ? effects.includes(tool.effect) : decision !== 'allow'
}

/** Matches a wildcard against the tool's id only: `run_*` must not match `shell`, whose alias is `run_command`. */
function fitsName(entry: RegisteredTool, pattern: string): boolean {
  return pattern.endsWith('*') ? entry.tool.name.startsWith(pattern.slice(0, -1)) : isNameOf(entry, pattern)
}

function argumentTests(rule: Rule, engine: PatternEngine): Test[] {
  const { name, arguments: given = {} } = rule
  return Object.entries(given).map(([parameter, source]) => {
    const pattern = engine.join([source], { rule: name, member: ['arguments', parameter] })
    return (call) => fitsArgument(rule, call, { parameter, pattern })
  })
}

/** Matches an argument. An allow requires that the text is exactly what the tool gets. */
function fitsArgument(
  { decision }: Rule,
  call: ValidCall,
  { parameter, pattern }: { readonly parameter: string; readonly pattern: Matcher },
): boolean {
  if (decision === 'allow' && !isArgumentKnown(call, parameter)) return false
  return pattern.test(argumentText(call, parameter))
}

function commandTests(rule: Rule, workspace: string, engine: PatternEngine): Test[] {
  if (!rule.commands) return []
  const pattern = engine.join(rule.commands, { rule: rule.name, member: ['commands'] })
  return [(_, reading) => fitsCommands(rule, reading, { fits: ({ text }) => pattern.test(text), workspace })]
}

function prefixTests(rule: Rule, workspace: string): Test[] {
  const { prefixes } = rule
  if (!prefixes) return []
  const fits = ({ argv, isExact }: ReadCommand) =>
    (isExact || rule.decision !== 'allow') &&
    prefixes.some((prefix) => prefix.length > 0 && prefix.every((word, index) => word === argv[index]))
  return [(_, reading) => fitsCommands(rule, reading, { fits, workspace })]
}

interface CommandTest {
  readonly workspace: string
  fits(command: ReadCommand): boolean
}

/** Matches commands. An allow also requires that all writes, redirections included, stay in the workspace. */
function fitsCommands(rule: Rule, reading: CallReading, { fits, workspace }: CommandTest): boolean {
  if (!counts(rule, reading, reading.commands.map(fits))) return false
  return rule.decision !== 'allow' || reading.touches.every((touch) => staysInside(touch, workspace))
}

function staysInside(touch: Touch, workspace: string): boolean {
  if (touch.kind !== 'writes' && touch.kind !== 'deletes') return true
  return touch.path === '/dev/null' || insidePath(workspace, touch.path) !== undefined
}

function mainTests(rule: Rule, workspace: string, engine: PatternEngine): Test[] {
  if (!rule.main) return []
  const pattern = engine.join(rule.main, { rule: rule.name, member: ['main'] })
  return [
    (call, reading) => {
      if (isCommandLine(reading))
        return fitsCommands(rule, reading, { fits: ({ text }) => pattern.test(text), workspace })
      const { main } = call.entry.tool
      return main !== undefined && fitsArgument(rule, call, { parameter: main, pattern })
    },
  ]
}

function forbiddenTests(rule: Rule, engine: PatternEngine): Test[] {
  const { forbidden } = rule
  if (!forbidden) return []
  const patterns = engine.join(forbidden.map(wordPattern), { rule: rule.name, member: ['forbidden'] })
  return [
    (call, reading) => {
      if (!isCommandLine(reading)) return callTexts(call).some((text) => patterns.test(text))
      return reading.commands.some(
        ({ name, text }) => forbidden.includes(name) || patterns.test(text.split(' ')[0] ?? ''),
      )
    },
  ]
}

function isCommandLine({ touches }: CallReading): boolean {
  return touches.some(({ kind }) => kind === 'runs')
}

function checkRule(rule: Rule): void {
  if (typeof rule.name !== 'string' || rule.name === '') throw new Error('a rule has no name')
  if (!['allow', 'ask', 'deny'].includes(rule.decision)) {
    throw new Error(`rule "${rule.name}": decision is ${JSON.stringify(rule.decision)}; expected allow, ask or deny`)
  }
  const strange = rule.effects?.find((effect) => !EFFECTS.includes(effect))
  if (strange !== undefined) {
    throw new Error(
      `rule "${rule.name}": ${JSON.stringify(strange)} is not an effect; expected one of ${EFFECTS.join(', ')}`,
    )
  }
}
