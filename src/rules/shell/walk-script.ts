import type { CommandNode, CompoundList, PipelineNode, Script, Statement, TestExpression, Word } from 'unbash'
import { expandArithmetic } from './expand/expand-arithmetic.ts'
import { expandText, expandWord } from './expand/expand-word.ts'
import { readArithmetic, readExpansions } from './expand/read-expansions.ts'
import { MARKS } from './marks.ts'
import { runSimple } from './run-simple.ts'
import { findVariable, setVariable } from './scope.ts'
import { spend } from './shell-budget.ts'
import { act, branch, inRounds, NO_OUTPUT, type Output, otherRounds, type ShellState, subshell } from './shell-state.ts'
import { withRedirects } from './with-redirects.ts'

/** Reads every command of a script or list in order; returns the output. */
export function walkScript(state: ShellState, { commands }: Script | CompoundList, input: Output): Output {
  const [only] = commands
  if (only !== undefined && commands.length === 1) return walkStatement(state, only, input)
  return joinOutputs(
    state,
    commands.map((statement) => walkStatement(state, statement, input)),
  )
}

function joinOutputs(state: ShellState, outputs: readonly Output[]): Output {
  if (outputs.length === 1) return outputs[0] ?? NO_OUTPUT
  const text = outputs.map((output) => output.text).join('')
  spend(state.budget, 'characters', text.length)
  return { text, endless: outputs.some((output) => output.endless) }
}

function walkStatement(state: ShellState, statement: Statement, input: Output): Output {
  const { command, background } = statement
  const inner = background === true ? { ...subshell(state), spawned: true } : state
  if (command.type !== 'AndOr') return walkPipeline(inner, command, input)
  const [first, ...rest] = command.commands
  const outputs = first === undefined ? [] : [walkPipeline(inner, first, input)]
  // After `&&` all earlier commands have succeeded; `||` starts over.
  for (let at = 0; at < rest.length; ) {
    const next = command.operators.indexOf('||', at + 1)
    const end = next < 0 ? rest.length : next
    const parts = rest.slice(at, end)
    outputs.push(...branch(inner, (one) => parts.map((part) => walkPipeline(one, part, input))))
    at = end
  }
  return joinOutputs(state, outputs)
}

function walkPipeline(state: ShellState, node: PipelineNode, input: Output): Output {
  if (node.type !== 'Pipeline') return walkCommand(state, node, input)
  let output = input
  const isPipe = node.commands.length > 1
  for (const command of node.commands) {
    output = walkCommand(isPipe ? { ...subshell(state), spawned: true } : state, command, output)
  }
  return output
}

/** Reads one command, simple or compound. */
function walkCommand(state: ShellState, node: CommandNode | CompoundList, input: Output): Output {
  switch (node.type) {
    case 'Command':
      return runInRounds(state, node, input)
    case 'Redirected':
      return withRedirects(state, { redirects: node.redirects, input }, (stdin) =>
        walkCommand(state, node.command, stdin),
      )
    case 'CompoundList':
    case 'BraceGroup':
      return walkScript(state, node.type === 'BraceGroup' ? node.body : node, input)
    case 'Subshell':
      return walkScript(subshell(state), node.body, input)
    case 'If':
      return walkIf(state, node, input)
    case 'While':
      return walkWhile(state, node, input)
    case 'For':
    case 'Select':
      return walkFor(state, node, input)
    case 'ArithmeticFor':
      for (const part of [node.initialize, node.test, node.update]) expandArithmetic(state, part, expandText)
      return walkForever(state, node, input)
    case 'Case':
      inRounds(state, () =>
        [node.word, ...node.items.flatMap((item) => item.pattern)].map((word) => expandText(state, word)),
      )
      return joinOutputs(
        state,
        node.items.map((item) => branch(state, (one) => walkScript(one, item.body, input))),
      )
    case 'TestCommand':
      inRounds(state, () => walkTest(state, node.expression))
      return NO_OUTPUT
    case 'ArithmeticCommand':
      inRounds(state, () => expandArithmetic(state, node.expression, expandText))
      return NO_OUTPUT
    case 'Function':
      return defineFunction(state, node)
    case 'Coproc':
      return walkCommand({ ...subshell(state), spawned: true }, node.body, { text: MARKS.unknown, endless: false })
  }
}

function runInRounds(state: ShellState, node: Of<'Command'>, input: Output): Output {
  const { choice } = state
  if (choice.active) return runSimple(state, node, input)
  choice.active = true
  const output = runSimple(state, node, input)
  choice.active = false
  if (choice.sizes.size === 0) return output
  return joinOutputs(state, [output, ...otherRounds(state, () => runSimple(state, node, input))])
}

type Of<Type extends CommandNode['type']> = CommandNode & { type: Type }

function walkIf(state: ShellState, node: Of<'If'>, input: Output): Output {
  const outputs = [walkScript(state, node.clause, input), branch(state, (one) => walkScript(one, node.then, input))]
  for (const part of node.elif) {
    outputs.push(
      branch(state, (one) => walkScript(one, part.clause, input)),
      branch(state, (one) => walkScript(one, part.then, input)),
    )
  }
  const otherwise = node.else
  if (otherwise) outputs.push(branch(state, (one) => walkScript(one, otherwise, input)))
  return joinOutputs(state, outputs)
}

function walkWhile(state: ShellState, node: Of<'While'>, input: Output): Output {
  const before = state.commands.length
  const output = walkTwice(state, [node.clause, node.body], input)
  const clause = node.clause.commands.length === 1 ? node.clause.commands[0]?.command : undefined
  const forever =
    clause?.type === 'Command' && /^(true|:|\[|test|false)$/.test(clause.name?.value ?? '') && clause.args.length < 3
  const leaves = state.commands.slice(before).some(({ name }) => LEAVES.has(name))
  if (forever && !leaves) act(state, 'flood', 'a loop that never ends')
  return forever && !leaves ? { ...output, endless: true } : output
}

const LEAVES = new Set(['break', 'exit', 'return', 'exec', 'read', 'sleep', 'kill', 'wait'])

/** Reads `for ((;;))`; without a condition it runs until its body leaves it. */
function walkForever(state: ShellState, node: Of<'ArithmeticFor'>, input: Output): Output {
  const before = state.commands.length
  const output = walkTwice(state, [node.body], input)
  if (node.test !== undefined || state.commands.slice(before).some(({ name }) => LEAVES.has(name))) return output
  act(state, 'flood', 'a loop that never ends')
  return { ...output, endless: true }
}

/** Reads the body of a loop twice, since variables set at its end are visible at its start, and once for each parameter that it may shift. */
function walkTwice(state: ShellState, lists: readonly CompoundList[], input: Output): Output {
  const parameters = findVariable(state.scope, '@')?.alternatives[0]?.length ?? 0
  const rounds = Array.from({ length: Math.min(Math.max(2, parameters), 16) }, () => lists).flat()
  return joinOutputs(
    state,
    rounds.map((list) => branch(state, (one) => walkScript(one, list, input))),
  )
}

function walkFor(state: ShellState, node: Of<'For'> | Of<'Select'>, input: Output): Output {
  const words: readonly Word[] | undefined = node.wordlist
  const values = words
    ? inRounds(state, () => words.flatMap((word) => expandWord(state, word))).flat()
    : [...(state.scope.variables.get('@')?.alternatives[0] ?? [])]
  const name = node.name.value
  const distinct = [...new Set(values)]
  const outputs = distinct.map((value) => {
    setVariable(state.scope, name, { value: [value] })
    return branch(state, (one) => walkScript(one, node.body, input))
  })
  const kept = distinct.length > 32 ? [...distinct.slice(0, 31), MARKS.unknown] : distinct
  for (const value of kept) setVariable(state.scope, name, { value: [value], adds: true })
  return joinOutputs(state, outputs)
}

function walkTest(state: ShellState, expression: TestExpression): void {
  switch (expression.type) {
    case 'TestUnary': {
      const operand = expandText(state, expression.operand)
      if (expression.operator === '-v' || expression.operator === '-R') readExpansions(state, operand)
      return
    }
    case 'TestBinary':
      for (const side of [expression.left, expression.right]) {
        const text = expandText(state, side)
        if (/^-(eq|ne|lt|le|gt|ge)$/.test(expression.operator)) readArithmetic(state, text)
      }
      return
    case 'TestLogical':
      for (const operand of expression.operands) walkTest(state, operand)
      return
    case 'TestNot':
      walkTest(state, expression.operand)
      return
    case 'TestGroup':
      walkTest(state, expression.expression)
  }
}

function defineFunction(state: ShellState, node: Of<'Function'>): Output {
  const name = node.name.value
  const before = state.functions.get(name) ?? []
  const walk = (called: ShellState, input: Output) => walkCommand(called, node.body, input)
  state.functions.set(name, [
    ...before.slice(-7),
    { walk, called: false, scope: state.conditional ? undefined : state.scope },
  ])
  return NO_OUTPUT
}
