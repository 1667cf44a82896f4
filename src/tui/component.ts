import { Static, Text, useApp, useCursor, useInput, usePaste, useWindowSize } from 'ink'
import { createElement, Fragment, type ReactElement, useSyncExternalStore } from 'react'
import { handOverTerminal } from './hand-over.ts'
import type { Block } from './screen-state.ts'
import type { Tui } from './tui.ts'

/** Draws the screen with Ink, and passes on what is typed and pasted. */
export function TuiComponent({ tui }: { readonly tui: Tui }): ReactElement {
  const { screen } = tui
  useSyncExternalStore(screen.subscribe, screen.version)
  useWindowSize()
  const { suspendTerminal } = useApp()
  screen.handOver = handOverTerminal(suspendTerminal, process.stdin)
  useInput((input, key) => tui.keys.press(input, key))
  usePaste((text) => screen.paste(text))
  const { setCursorPosition } = useCursor()
  const { rows, cursor } = screen.draw()
  setCursorPosition(cursor && { ...cursor })
  return createElement(
    Fragment,
    null,
    createElement(Static<Block>, { key: screen.generation, items: [...screen.blocks], children: drawBlock }),
    createElement(Text, { wrap: 'truncate' }, rows.join('\n')),
  )
}

function drawBlock({ key, rows }: Block): ReactElement {
  return createElement(Text, { key, wrap: 'wrap' }, rows.map((row) => row || ' ').join('\n'))
}
