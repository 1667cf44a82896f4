import { wrapInside } from '../core/terminal/request-lines.ts'
import { styleOfDiff } from '../core/terminal/style.ts'
import { hangText } from '../core/terminal/text-width.ts'
import type { DelegateHandler } from '../core/tool/delegate.ts'
import type { ScreenState } from './screen-state.ts'

interface DelegateParts {
  readonly screen: ScreenState
  /** Opens files, where the person has a program for that. */
  readonly app: DelegateHandler | undefined
  ring(): void
}

/** Makes what does for tools what they ask of the app: shows a notice or a diff, opens a file. */
export function createDelegates({ screen, app, ring }: DelegateParts): DelegateHandler {
  const handle: DelegateHandler = (effect, asker) => {
    const { paint, columns } = screen.look()
    if (effect.kind === 'notify') {
      ring()
      screen.print(hangText('  ', paint('reset', effect.text), columns - 1))
      return { done: true }
    }
    if (effect.kind === 'show-diff') {
      const rows = effect.diff.trimEnd().split('\n')
      screen.print(
        rows.flatMap((line) => wrapInside(line, columns - 4).map((row) => `    ${paint(styleOfDiff(line), row)}`)),
      )
      return { done: true }
    }
    if (effect.kind !== 'open' || app === undefined) return undefined
    return screen.suspend(async () => app(effect, asker))
  }
  return Object.assign(handle, app?.opener && { opener: app.opener })
}
