import { showText } from './marks.ts'
import type { ShellEffect } from './shell-reading.ts'

/** Describes an effect for people: "deletes /home/dev and everything below". Unknown parts are left out. */
export function describeEffect(effect: ShellEffect): string {
  const subject = nameSubject(effect)
  if (effect.kind === 'connects') return `connects to ${subject}`
  if (effect.kind === 'act') return subject === '' ? effect.act : `${effect.act}: ${subject}`
  return effect.fills ? `puts files into ${showText(effect.path)}` : `${effect.kind} ${subject}`
}

/** Names what an effect is about: a path, a host, or a part of the command. Empty if that is known only at run time. */
export function nameSubject(effect: ShellEffect): string {
  if (effect.kind === 'connects')
    return `${showText(effect.host)}${effect.port === '' ? '' : ` port ${showText(effect.port)}`}`
  if (effect.kind === 'act') {
    const subject = showText(effect.subject)
    return subject === '…' ? '' : subject
  }
  return `${showText(effect.path)}${effect.tree ? ' and everything below' : ''}`
}
