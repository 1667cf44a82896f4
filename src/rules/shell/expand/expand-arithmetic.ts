import type { ArithmeticExpression, Word } from 'unbash'
import { isConstant, MARKS } from '../marks.ts'
import { assign, NO_OUTPUT, readVariable, type ShellState, subshell } from '../shell-state.ts'
import { readExpansions } from './read-expansions.ts'

type ExpandText = (state: ShellState, word: Word) => string

/** Returns the value of an arithmetic expression as text. The shell also expands the text of each variable in it, so that is read too. */
export function expandArithmetic(
  state: ShellState,
  expression: ArithmeticExpression | undefined,
  expandText: ExpandText,
): string {
  const value = expression === undefined ? 0 : evaluate(state, expression, expandText)
  return value === undefined || !Number.isFinite(value) ? MARKS.unknown : String(Math.trunc(value))
}

function evaluate(state: ShellState, expression: ArithmeticExpression, expandText: ExpandText): number | undefined {
  switch (expression.type) {
    case 'ArithmeticBinary': {
      const left = evaluate(state, expression.left, expandText)
      const right = evaluate(state, expression.right, expandText)
      const sign = /^([^=!<>]*)=$/.exec(expression.operator)?.[1]
      if (sign !== undefined) {
        const both = left !== undefined && right !== undefined
        return store(state, expression.left, sign === '' ? right : both ? combine(sign, left, right) : undefined)
      }
      return left === undefined || right === undefined ? undefined : combine(expression.operator, left, right)
    }
    case 'ArithmeticUnary': {
      const operand = evaluate(state, expression.operand, expandText)
      const { operator } = expression
      if (operator === '++' || operator === '--') {
        const next = operand === undefined ? undefined : operand + (operator === '++' ? 1 : -1)
        store(state, expression.operand, next)
        return expression.prefix ? next : operand
      }
      if (operator === '+') return operand
      return operand === undefined || operator !== '-' ? undefined : -operand
    }
    case 'ArithmeticTernary': {
      for (const part of [expression.test, expression.consequent, expression.alternate])
        evaluate(state, part, expandText)
      return undefined
    }
    case 'ArithmeticGroup':
      return evaluate(state, expression.expression, expandText)
    case 'ArithmeticWord':
      return evaluateWord(state, expression, expandText)
    case 'ArithmeticCommandExpansion':
      if (expression.script) state.parts.runScript(subshell(state), expression.script, NO_OUTPUT)
      return undefined
  }
}

/** Sets the variable that an expression names; returns its value. */
function store(state: ShellState, target: ArithmeticExpression, value: number | undefined): number | undefined {
  if (target.type === 'ArithmeticWord' && /^[A-Za-z_]\w*$/.test(target.value))
    assign(state, target.value, [value === undefined ? MARKS.unknown : String(Math.trunc(value))])
  return value
}

function evaluateWord(
  state: ShellState,
  word: ArithmeticExpression & { type: 'ArithmeticWord' },
  expandText: ExpandText,
): number | undefined {
  const text = word.parts
    ? expandText(state, { type: 'Word', text: word.value, value: word.value, pos: 0, end: 0, parts: word.parts })
    : plainText(state, word.value)
  return numberOf(state, text)
}

/** Returns the value of a word that is one variable, such as `$1`; any other word as it is. */
function plainText(state: ShellState, word: string): string {
  const name = /^\$\{?(\w+)\}?$/.exec(word)?.[1]
  if (name === undefined) return word
  const value = /^\d+$/.test(name)
    ? readVariable(state, '@')?.value[Number(name) - 1]
    : readVariable(state, name)?.value[0]
  return value ?? MARKS.unset
}

/** A variable may name another one, and so on. */
function numberOf(state: ShellState, text: string, hops = 0): number | undefined {
  readExpansions(state, text)
  if (/^\d+$/.test(text)) return Number.parseInt(text, text.startsWith('0') ? 8 : 10)
  if (/^0x[\da-f]+$/i.test(text)) return Number(text)
  const based = /^(\d+)#(\w+)$/.exec(text)
  if (based) return Number.parseInt(based[2] ?? '', Math.min(36, Math.max(2, Number(based[1]))))
  const name = /^[A-Za-z_]\w*/.exec(text)?.[0]
  const value = name === undefined ? undefined : readVariable(state, name)?.value[0]
  if (value === undefined) return undefined
  readExpansions(state, value)
  return hops < 8 && isConstant(value) ? numberOf(state, value, hops + 1) : undefined
}

function combine(operator: string, left: number, right: number): number | undefined {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0 ? undefined : Math.trunc(left / right)
    case '%':
      return right === 0 ? undefined : left % right
    case '**':
      return left ** right
    default:
      return undefined
  }
}
