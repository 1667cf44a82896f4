import { SHELL_LIMITS, ShellLimit } from './shell-budget.ts'

/** One possible value of a variable: the fields of an array, or one field. */
export type Value = readonly string[]

interface Variable {
  readonly alternatives: readonly Value[]
  readonly array: boolean
  /** The variable that this name refers to. */
  readonly reference?: string
  /** Variables of one group change together, such as those of one `read`. */
  readonly group?: string
}

/** The variables of one shell; a subshell has its own and inherits those of its parent. */
export interface Scope {
  readonly variables: Map<string, Variable>
  readonly parent: Scope | undefined
  /** True for a newly started shell, which inherits only exported variables. */
  readonly isNewShell?: boolean
}

/** Creates a child scope: variables set in it are not visible outside. */
export function childScope(parent: Scope | undefined): Scope {
  return { variables: new Map(), parent }
}

/** True when the other scope certainly sees the definitions of this one: it is the same scope or a descendant in the same shell. */
export function holdsIn(definer: Scope | undefined, scope: Scope): boolean {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.isNewShell === true ? undefined : at.parent)
    if (at === definer) return true
  return false
}

/** Finds a variable by name and follows references. */
export function findVariable(scope: Scope, name: string): Variable | undefined {
  let wanted = name
  for (let hops = 0; hops < 8; hops++) {
    const found = lookUp(scope, wanted)
    if (found?.reference === undefined) return found
    wanted = found.reference
  }
  return undefined
}

function lookUp(scope: Scope, name: string): Variable | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const found = at.variables.get(name)
    if (found !== undefined) return found
  }
  return undefined
}

/** How to set a variable; `adds` keeps the old possible values, for an assignment that may not happen. */
export interface Setting {
  readonly value: Value
  readonly array?: boolean
  readonly adds?: boolean
}

/** Sets a variable in this scope. */
export function setVariable(scope: Scope, name: string, setting: Setting): void {
  const before = lookUp(scope, name)
  const target = before?.reference ?? name
  const array = setting.array ?? false
  if (setting.adds !== true) {
    scope.variables.set(target, { alternatives: [setting.value], array })
    return
  }
  const known = findVariable(scope, name)?.alternatives ?? [['']]
  const isNew = !known.some((value) => sameValue(value, setting.value))
  const alternatives = isNew ? [...known, setting.value] : known
  if (alternatives.length > SHELL_LIMITS.alternatives) throw new ShellLimit(`${name} may have too many values`)
  scope.variables.set(target, { alternatives, array })
}

/** Sets `$_`, which every command sets. */
export function setLastWord(scope: Scope, word: string): void {
  scope.variables.set('_', { alternatives: [[word]], array: false })
}

/** Sets several possible values of a variable, which change together with its group. */
export function setAlternatives(scope: Scope, name: string, alternatives: readonly Value[], group: string): void {
  if (alternatives.length > 20 * SHELL_LIMITS.alternatives) throw new ShellLimit(`${name} may have too many values`)
  scope.variables.set(lookUp(scope, name)?.reference ?? name, { alternatives, array: false, group })
}

/** Merges the variables of a branch that may not have run; the old values stay possible. */
export function mergeScope(scope: Scope, branch: Scope): void {
  for (const [name, variable] of branch.variables) {
    const before = lookUp(scope, name)
    const known = before?.alternatives ?? [['']]
    const isFresh = name === '_' || variable.reference !== undefined
    const added = variable.alternatives.filter((value) => !known.some((one) => sameValue(one, value)))
    const alternatives = isFresh ? variable.alternatives : [...known, ...added]
    const limit = variable.group === undefined ? SHELL_LIMITS.alternatives : 20 * SHELL_LIMITS.alternatives
    if (alternatives.length > limit) throw new ShellLimit(`${name} may have too many values`)
    scope.variables.set(name, { ...variable, alternatives })
  }
}

/** Makes a name refer to another variable. */
export function referVariable(scope: Scope, name: string, reference: string): void {
  scope.variables.set(name, { alternatives: [], array: false, reference })
}

function sameValue(a: Value, b: Value): boolean {
  return a.length === b.length && a.every((field, index) => field === b[index])
}
