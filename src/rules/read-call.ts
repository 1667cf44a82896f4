import type { CallReading } from '../core/rules/rule.ts'
import { resolvePath } from '../core/text/paths.ts'
import { connects, deletes, describeTouch, reads, type Touch, writes } from '../core/tool/touch.ts'
import { needsNetwork } from './network/needs-network.ts'
import { findHosts, usesSsh } from './network/predict-hosts.ts'
import { describeEffect } from './shell/describe-effect.ts'
import { isConstant, showText } from './shell/marks.ts'
import { readShell } from './shell/read-shell.ts'
import type { ShellEffect, ShellLocation, ShellReading } from './shell/shell-reading.ts'

/** The reading of a call for rules, and of its command lines for the default rules. */
export interface OpenedCall {
  readonly reading: CallReading
  readonly lines: ShellReading
}

/** Reads the touches of a call, command lines included. Never throws. */
export function openCall(touches: readonly Touch[], location: ShellLocation): OpenedCall {
  const read = touches.flatMap((touch) => (touch.kind === 'runs' ? [readLine(touch, location)] : []))
  const lines: ShellReading = {
    commands: read.flatMap(({ commands }) => commands),
    effects: read.flatMap(({ effects }) => effects),
  }
  const hosts = findHosts(lines, location)
  const named = lines.effects.flatMap(touchOf)
  const reading: CallReading = {
    touches: [...touches, ...named, ...notNamed(hosts, named)],
    commands: lines.commands,
    acts: lines.effects.flatMap((effect) => (effect.kind === 'act' ? [effect.act] : [])),
    isClear: lines.effects.every(isClear),
    needsNetwork: needsNetwork(lines.effects),
    hosts,
    usesSsh: usesSsh(lines, location),
    words: [...touches.map(describeTouch), ...lines.effects.map(describeEffect)],
  }
  return { reading, lines }
}

function readLine({ command, cwd }: Touch & { kind: 'runs' }, location: ShellLocation): ShellReading {
  return readShell(command, {
    ...location,
    cwd: cwd === undefined ? location.cwd : resolvePath(location.workspace, cwd),
  })
}

function touchOf(effect: ShellEffect): Touch[] {
  if (effect.kind === 'act') return []
  if (effect.kind === 'connects') return [connects(hostText(effect))]
  const path = showText(effect.path)
  if (effect.kind === 'deletes') return [deletes(path)]
  // Whoever writes to a link changes its target.
  return [effect.kind === 'writes' || effect.kind === 'links' ? writes(path) : reads(path)]
}

/** The hosts that were predicted, as touches. */
function notNamed(hosts: readonly string[], named: readonly Touch[]): readonly Touch[] {
  return hosts.filter((host) => !named.some((touch) => touch.kind === 'connects' && touch.host === host)).map(connects)
}

/** Names the port too, unless it is one of the web or that of ssh. */
function hostText({ host, port }: ShellEffect & { kind: 'connects' }): string {
  const isNamed = /^\d+$/.test(port) && !USUAL_PORTS.includes(port) && isConstant(host)
  return `${showText(host)}${isNamed ? `:${port}` : ''}`
}

const USUAL_PORTS: readonly string[] = ['80', '443', '22', '53']
const UNCLEAR_ACTS: readonly string[] = ['unknown', 'unreadable', 'limit', 'hidden']

function isClear(effect: ShellEffect): boolean {
  if (effect.kind === 'act') return !UNCLEAR_ACTS.includes(effect.act)
  return isConstant(effect.kind === 'connects' ? effect.host : effect.path)
}
