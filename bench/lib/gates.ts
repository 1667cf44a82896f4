import { makeTable } from './markdown.ts'
import { formatNumber } from './numbers.ts'
import type { Gate } from './topic-shape.ts'

/** True where the number was measured and is not over the limit. */
export function isHeld({ measured, limit }: Gate): boolean {
  return measured !== undefined && measured <= limit
}

/** All gates of a run as a table. */
export function gateTable(gates: readonly Gate[]): string {
  return makeTable(
    ['gate', 'what', 'measured', 'must be', 'reach', ''],
    gates.map((gate) => [
      gate.number,
      gate.what,
      `${formatNumber(gate.measured)} ${gate.unit}`,
      `≤ ${gate.limit}`,
      `≤ ${gate.reach}`,
      isHeld(gate) ? 'PASS' : 'MISS',
    ]),
    2,
  )
}
