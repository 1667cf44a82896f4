import { printableLine } from '../../../src/core/text/printable.ts'
import { useHealth } from '../api/queries.ts'

/** Returns a function that writes `~` for the person's home folder, as shells do. */
export function useShortPath(): (path: string) => string {
  const person = useHealth()?.person
  return (path) => {
    if (person === undefined || person === '/') return path
    if (path === person) return '~'
    return path.startsWith(`${person}/`) ? `~${path.slice(person.length)}` : path
  }
}

/** A path in one line: with `~`, cut in its middle so that its end stays readable, the full path as its title. */
export function ShortPath({ path }: { readonly path: string }) {
  const shown = printableLine(useShortPath()(path))
  const cut = shown.lastIndexOf('/', shown.length - 2)
  return (
    <code className="path" title={printableLine(path)}>
      {cut > 0 && <span className="cut">{shown.slice(0, cut)}</span>}
      <span className="tail">{shown.slice(Math.max(0, cut))}</span>
    </code>
  )
}
