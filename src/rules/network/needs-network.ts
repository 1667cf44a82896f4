import { isConstant } from '../shell/marks.ts'
import type { ShellEffect } from '../shell/shell-reading.ts'

const THIS_MACHINE = /^(localhost|.*\.localhost|127\.[\d.]+|0\.0\.0\.0|\[?::1\]?)$/i

/** Subjects that are published over the network, unlike a local server or a staged file. */
const SENT_AWAY = /\b(push|publish|upload|deploy|release|send-email)\b/

/** True when a command line clearly cannot work without the network. */
export function needsNetwork(effects: readonly ShellEffect[]): boolean {
  const hosts = effects.flatMap((effect) =>
    effect.kind === 'connects' && isConstant(effect.host) ? [effect.host] : [],
  )
  if (hosts.some((host) => !THIS_MACHINE.test(host))) return true
  const isLocal = hosts.length > 0
  return effects.some((effect) => {
    if (effect.kind !== 'act') return false
    if (effect.act === 'network') return !isLocal
    if (effect.act === 'install') return !effect.subject.startsWith('make ')
    return effect.act === 'publish' && SENT_AWAY.test(effect.subject)
  })
}
