/** Inline code is not longer than this. */
const MAX_CODE = 10_000

/** Says where inline code ends. */
export interface CodeSpans {
  /** Returns the end of the inline code that a run of backticks opens, or undefined when nothing closes it in its paragraph. */
  endOf(start: number, length: number): number | undefined
  /** True while text that has not arrived could still close inline code which opens at a place. */
  mayEnd(start: number): boolean
}

/** Finds inline code as Markdown does: a run of backticks ends at the next run of the same length. Takes linear time for questions in ascending order. */
export function findCodeSpans(text: string): CodeSpans {
  let runs: Map<number, number[]> | undefined
  let blank = -1
  const used = new Map<number, number>()
  const paragraphEnd = (at: number): number | undefined => {
    if (blank < at && blank !== text.length) blank = nextBlankLine(text, at)
    return blank === text.length ? undefined : blank
  }
  return {
    mayEnd: (start) => paragraphEnd(start) === undefined && text.length - start <= MAX_CODE,
    endOf(start, length) {
      runs ??= collectRuns(text)
      const starts = runs.get(length) ?? []
      let index = used.get(length) ?? 0
      while (index < starts.length && (starts[index] ?? 0) <= start) index++
      used.set(length, index)
      const close = starts[index]
      if (close === undefined || close - start > MAX_CODE || close > (paragraphEnd(start) ?? text.length))
        return undefined
      return close + length
    },
  }
}

function collectRuns(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const starts = runs.get(run.length)
    if (starts === undefined) runs.set(run.length, [index])
    else starts.push(index)
  }
  return runs
}

function nextBlankLine(text: string, from: number): number {
  for (let at = text.indexOf('\n', from); at !== -1; ) {
    const next = text.indexOf('\n', at + 1)
    if (next !== -1 && text.slice(at, next).trim() === '') return at
    at = next
  }
  return text.length
}
