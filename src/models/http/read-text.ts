/** The text of a body, cut off after so many bytes; the connection is closed then. */
export async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    pieces.push(piece)
    length += piece.length
    if (length >= maxBytes) break
  }
  return Buffer.concat(pieces).subarray(0, maxBytes).toString('utf8')
}
