/** Returns the time that a job took: `42 s`, `2:10`, `1:05:00`. */
export function showTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000)
  const two = (number: number) => String(number).padStart(2, '0')
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}
