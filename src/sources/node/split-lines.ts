/** Gathers pieces of text and hands over each line as soon as its end is there, without looking at any piece twice. */
export function splitLines(onLine: (line: string) => void): (text: string) => void {
  let pieces: string[] = []
  return (text) => {
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      pieces.push(text.slice(from, end))
      const line = pieces.join('')
      pieces = []
      from = end + 1
      if (line !== '') onLine(line)
    }
    if (from < text.length) pieces.push(text.slice(from))
  }
}
