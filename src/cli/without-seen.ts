import { isRecord } from '../core/json.ts'
import type { Success } from '../core/result.ts'

/** A result without what a person has seen of it as it came; whole where that is not certain. */
export function withoutSeen(result: Success, seen: string): Success {
  const said = saidBy(result, seen)
  if (said === '' || !result.text.includes(said)) return result
  return { ...result, text: result.text.replace(said, () => '').trimStart() }
}

/** How a text holds what was seen: as it came, or what came mixed from two streams one after the other. */
function saidBy({ data }: Success, seen: string): string {
  if (!isRecord(data) || typeof data.stdout !== 'string' || typeof data.stderr !== 'string') return seen.trim()
  const { stdout, stderr } = data
  if (stderr.trim() === '' || seen.length !== stdout.length + stderr.length) return seen.trim()
  return `${stdout.trimEnd()}\n[stderr]\n${stderr.trimEnd()}`.trimStart()
}
