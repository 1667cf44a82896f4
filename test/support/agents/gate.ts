import { defineTool, objectSchema, string, type Tool } from '../../../src/index.ts'

/** A tool whose calls wait until they are let through. */
export interface Gate {
  readonly tool: Tool
  /** The names of the calls that wait. */
  readonly waiting: ReadonlySet<string>
  open(name: string): void
}

/** Makes a gate; a call that is stopped leaves it. */
export function makeGate(): Gate {
  const waiting = new Map<string, () => void>()
  const tool = defineTool({
    name: 'gate',
    description: 'Waits.',
    input: objectSchema({ name: string('Which one') }),
    effect: 'none',
    execute: ({ name }, { signal }) =>
      new Promise<string>((resolve, reject) => {
        waiting.set(name, () => resolve(`through ${name}`))
        signal.addEventListener(
          'abort',
          () => {
            waiting.delete(name)
            reject(signal.reason)
          },
          { once: true },
        )
      }),
  })
  return {
    tool,
    get waiting() {
      return new Set(waiting.keys())
    },
    open(name) {
      waiting.get(name)?.()
      waiting.delete(name)
    },
  }
}
