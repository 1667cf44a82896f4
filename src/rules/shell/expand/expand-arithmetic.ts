import type { ArithmeticExpression, Word } from 'unbash'
import { isConstant, MARKS } from '../marks.ts'
import { NO_OUTPUT, readVariable, type ShellState, subshell } from '../shell-state.ts'
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
      return left === undefined || right === undefined ? undefined : combine(expression.operator, left, right)
    }
    case 'ArithmeticUnary': {
      const operand = evaluate(state, expression.operand, expandText)
      return operand === undefined || expression.operator !== '-' ? undefined : -operand
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

function evaluateWord(
  state: ShellState,
  word: ArithmeticExpression & { type: 'ArithmeticWord' },
  expandText: ExpandText,
): number | undefined {
  const text = word.parts
    ? expandText(state, { type: 'Word', text: word.value, value: word.value, pos: 0, end: 0, parts: word.parts })
    : word.value
  return numberOf(state, text)
}

function numberOf(state: ShellState, text: string): number | undefined {
  readExpansions(state, text)
  if (/^\d+$/.test(text)) return Number.parseInt(text, text.startsWith('0') ? 8 : 10)
  if (/^0x[\da-f]+$/i.test(text)) return Number(text)
  const based = /^(\d+)#(\w+)$/.exec(text)
  if (based) return Number.parseInt(based[2] ?? '', Math.min(36, Math.max(2, Number(based[1]))))
  const name = /^[A-Za-z_]\w*/.exec(text)?.[0]
  const value = name === undefined ? undefined : readVariable(state, name)?.value[0]
  if (value === undefined) return undefined
  readExpansions(state, value)
  return isConstant(value) && /^\d+$/.test(value) ? Number(value) : undefined
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
