import { showText } from './marks.ts'
import type { ShellEffect } from './shell-reading.ts'

/** Describes an effect for people: "deletes /home/dev and everything below". Unknown parts are left out. */
export function describeEffect(effect: ShellEffect): string {
  if (effect.kind === 'connects')
    return `connects to ${showText(effect.host)}${effect.port === '' ? '' : ` port ${showText(effect.port)}`}`
  if (effect.kind === 'act') {
    const subject = showText(effect.subject)
    return subject === '…' ? effect.act : `${effect.act}: ${subject}`
  }
  if (effect.fills) return `puts files into ${showText(effect.path)}`
  return `${effect.kind} ${showText(effect.path)}${effect.tree ? ' and everything below' : ''}`
}
