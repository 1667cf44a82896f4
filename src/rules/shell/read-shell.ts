import { MARKS, unmarked } from './marks.ts'
import { parseShell } from './parse-shell.ts'
import { runWords } from './run-words.ts'
import { setVariable } from './scope.ts'
import { SHELL_LIMITS, ShellLimit, spend } from './shell-budget.ts'
import type { ShellEffect, ShellLocation, ShellReading } from './shell-reading.ts'
import { act, maybe, NO_OUTPUT, type Output, type ShellState, startState } from './shell-state.ts'
import { walkScript } from './walk-script.ts'

/** Reads a command line without running it: returns every command it may run and its effects. Never throws. */
export function readShell(command: string, location: ShellLocation): ShellReading {
  const state = startState(location, { readText, runScript: walkScript, runWords })
  try {
    if (command.length > SHELL_LIMITS.length)
      throw new ShellLimit(`it is longer than ${SHELL_LIMITS.length} characters`)
    if (command.includes('\0')) throw new ShellLimit('it has a zero byte')
    walkText(state, unmarked(command), NO_OUTPUT)
    readLater(state)
  } catch (thrown) {
    const isLimit = thrown instanceof ShellLimit || thrown instanceof RangeError
    act(state, isLimit ? 'limit' : 'unreadable', thrown instanceof Error ? thrown.message : 'it cannot be read')
  }
  return { commands: state.commands, effects: distinct(state.effects) }
}

/** Reads traps, which run at the end, and functions that were not called, which unseen code may call. */
function readLater(state: ShellState): void {
  if (state.sinks.size === 0 && state.later.length === 0 && state.functions.size === 0) return
  for (const [, sink] of state.sinks.entries()) if (!sink.fed) sink.run(MARKS.unknown)
  for (const action of state.later.splice(0)) readText(maybe(state), action, NO_OUTPUT)
  for (const [name, bodies] of state.functions.entries()) {
    for (const body of bodies) {
      if (body.called) continue
      setVariable(state.scope, '@', { value: [MARKS.unknown], array: true })
      body.walk({ ...maybe(state), calls: [name], spawned: false }, NO_OUTPUT)
    }
  }
}

function readText(state: ShellState, text: string, input: Output): Output {
  if (state.depth > SHELL_LIMITS.depth) throw new ShellLimit('its commands are nested too deeply')
  return walkText({ ...state, depth: state.depth + 1, isEveryday: false }, text, input)
}

function walkText(state: ShellState, text: string, input: Output): Output {
  spend(state.budget, 'characters', text.length)
  const script = parseShell(text)
  const output = walkScript(state, script, input)
  for (const { message } of script.errors ?? []) {
    if (/maximum/.test(message)) throw new ShellLimit(message)
    act(state, 'unreadable', message)
  }
  return output
}

/** Up to this many effects are compared directly, which is faster than building keys. */
const FEW = 8

function distinct(effects: readonly ShellEffect[]): readonly ShellEffect[] {
  if (effects.length < 2) return effects
  if (effects.length <= FEW)
    return effects.filter((effect, index) => effects.findIndex((other) => isSame(effect, other)) === index)
  const seen = new Map<string, ShellEffect>()
  for (const effect of effects) seen.set(keyOf(effect), effect)
  return [...seen.values()]
}

function isSame(a: ShellEffect, b: ShellEffect): boolean {
  if (a === b) return true
  if (a.isGuess !== b.isGuess) return false
  if (a.kind === 'act') return b.kind === 'act' && a.act === b.act && a.subject === b.subject
  if (a.kind === 'connects') return b.kind === 'connects' && a.host === b.host && a.port === b.port
  return a.kind === b.kind && 'path' in b && a.path === b.path && a.tree === b.tree && detailOf(a) === detailOf(b)
}

function keyOf(effect: ShellEffect): string {
  const certainty = effect.isGuess ? 'guess' : ''
  if (effect.kind === 'act') return `act\0${effect.act}\0${effect.subject}\0${certainty}`
  if (effect.kind === 'connects') return `connects\0${effect.host}\0${effect.port}\0${certainty}`
  return `${effect.kind}\0${effect.path}\0${effect.tree}\0${detailOf(effect)}\0${certainty}`
}

function detailOf({ isEveryday, fills, source }: Extract<ShellEffect, { path: string }>): string {
  return isEveryday ? 'everyday' : fills ? `fills ${source ?? ''}` : ''
}
