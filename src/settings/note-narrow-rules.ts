import type { SettledRule } from './rule-settings.ts'

/** Returns a notice for each rule that speaks of paths of tools that write, and so not of commands that change the same files. */
export function noteNarrowRules(file: string, rules: readonly SettledRule[]): readonly string[] {
  return rules.flatMap(({ rule: { name, decision, effects = [], paths } }) => {
    const isNarrow =
      decision !== 'allow' && paths !== undefined && effects.includes('write') && !effects.includes('run')
    if (!isNarrow) return []
    const globs = paths.map((glob) => JSON.stringify(glob)).join(', ')
    return [
      `${file}: the rule ${JSON.stringify(name)} (effect and paths) counts only for tools whose effect is named, not for commands. To cover every tool and command, write: writes = [${globs}]`,
    ]
  })
}
