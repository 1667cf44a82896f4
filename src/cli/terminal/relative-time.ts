const STEPS: readonly [seconds: number, name: string][] = [
  [60, 's'],
  [3_600, 'min'],
  [86_400, 'h'],
  [86_400 * 30, 'days'],
]

/** Returns how long ago a time was: `12 min ago`, or the date if it was more than a month ago. Never throws. */
export function relativeTime(iso: string, now: number): string {
  const seconds = Math.round((now - Date.parse(iso)) / 1000)
  if (Number.isNaN(seconds)) return iso
  if (Math.abs(seconds) < 5) return 'just now'
  let unit = 1
  for (const [limit, name] of STEPS) {
    if (Math.abs(seconds) < limit) {
      const count = Math.floor(Math.abs(seconds) / unit)
      const named = count === 1 && name === 'days' ? 'day' : name
      return seconds > 0 ? `${count} ${named} ago` : `in ${count} ${named}`
    }
    unit = limit
  }
  return iso.slice(0, 10)
}
