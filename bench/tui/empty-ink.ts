// The least that an Ink program can be: one line of text, and it waits for keys.
import { render, Text, useInput } from 'ink'
import { createElement } from 'react'

function Empty() {
  useInput(() => undefined)
  return createElement(Text, null, 'ready')
}

render(createElement(Empty), { exitOnCtrlC: false })
