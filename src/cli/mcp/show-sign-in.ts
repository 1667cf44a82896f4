import type { TryOptions } from '../../app/mcp/mcp-servers.ts'
import { mayOpenBrowser, openBrowser } from '../serve/open-browser.ts'
import { hasPerson } from '../terminal/ask-line.ts'
import { type Cli, paintError } from '../terminal/front-end.ts'

/** Lets the person at this terminal sign in to a server with their browser; nobody can where there is no terminal. */
export function signingIn(cli: Cli): Pick<TryOptions, 'show'> {
  if (!hasPerson()) return {}
  return {
    show(page) {
      cli.printError(paintError('bold', 'Sign in with your browser, then come back here:'))
      cli.printError(paintError('reset', page.href))
      if (mayOpenBrowser()) openBrowser(page.href, cli.programs)
    },
  }
}
