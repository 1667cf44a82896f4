const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** Reads a point in time: `90s`, `30m`, `2h`, `7d`, `1w` ago, or a date. Returns undefined for anything else. */
export function readSince(given: string, now: number): number | undefined {
  const ago = /^(\d+(?:\.\d+)?)\s*([smhdw])$/.exec(given.trim())
  if (ago) return now - Number(ago[1]) * UNITS[ago[2] as keyof typeof UNITS]
  const moment = Date.parse(/^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00` : given)
  return Number.isNaN(moment) ? undefined : moment
}

/** Formats a time in local time, `2026-11-15 20:10:11`; without the date if it is today. */
export function showMoment(at: number, now: number): string {
  const pad = (value: number) => String(value).padStart(2, '0')
  const moment = new Date(at)
  const day = `${moment.getFullYear()}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}`
  const time = `${pad(moment.getHours())}:${pad(moment.getMinutes())}:${pad(moment.getSeconds())}`
  return new Date(now).toDateString() === moment.toDateString() ? time : `${day} ${time}`
}

/** Formats a duration: `0.4 ms`, `12 ms`, `3.1 s`, `4 min`. */
export function showDuration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  return milliseconds < 120_000 ? `${(milliseconds / 1_000).toFixed(1)} s` : `${Math.round(milliseconds / 60_000)} min`
}
