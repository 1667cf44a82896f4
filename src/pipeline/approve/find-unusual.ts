import type { PreparedCall } from '../../core/call/call.ts'
import type { CallReading } from '../../core/rules/rule.ts'
import { insidePath } from '../../core/text/paths.ts'

const RIGHTS: readonly string[] = ['privilege', 'privilege-bit', 'account']
const NETWORK: readonly string[] = ['network', 'listen', 'publish', 'install', 'download-run']

/** Returns what a person should notice about a call; empty for an ordinary one. */
export function findUnusual({ call, expects }: PreparedCall, reading: CallReading, workspace: string): string[] {
  const { touches, acts, isClear } = reading
  const outside = touches.flatMap((touch) =>
    'path' in touch && !touch.path.startsWith('/dev/') && insidePath(workspace, touch.path) === undefined
      ? [`${touch.kind} ${touch.path}, outside the workspace`]
      : [],
  )
  const written = new Set(
    touches.flatMap((touch) => (touch.kind === 'writes' || touch.kind === 'deletes' ? [touch.path] : [])),
  )
  const replaced = Object.entries(expects).flatMap(([path, seen]) =>
    seen !== null && written.has(path) ? [`changes ${path}, which exists`] : [],
  )
  const hosts = touches.flatMap((touch) => (touch.kind === 'connects' ? [touch.host] : []))
  const connects = hosts.length > 0 || call.entry.tool.effect === 'network' || acts.some((act) => NETWORK.includes(act))
  return [
    ...new Set([
      ...outside,
      ...replaced,
      ...(connects ? [`reaches the network${hosts.length > 0 ? `: ${hosts.join(', ')}` : ''}`] : []),
      ...(acts.some((act) => RIGHTS.includes(act)) ? ['needs more rights than you have given it'] : []),
      ...(isClear ? [] : ['part of what it does is known only when it runs']),
    ]),
  ]
}
