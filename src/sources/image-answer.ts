/** The largest image that a result carries, in bytes: as base64 it fits into the data of one result. */
const MAX_SHOWN = 1_000_000

/** An image that a tool returned. */
export interface ReturnedImage {
  readonly name: string
  readonly mediaType: string
  /** Base64. */
  readonly content: string
  /** In bytes. */
  readonly size: number
  /** The tool's own words for models that do not see. */
  readonly text?: string | undefined
}

/** The text and data of a result that is an image. One that is too large is named and not carried, and the text says so. */
export function imageAnswer(image: ReturnedImage): { readonly text: string; readonly data: object } {
  const { name, mediaType, content, size, text = `Image ${name} (${mediaType}, ${size} bytes).` } = image
  if (size <= MAX_SHOWN) return { text, data: { image: { name, mediaType, content, encoding: 'base64' } } }
  const reason = `The image is not shown: it has ${size} bytes, and at most ${MAX_SHOWN} are carried.`
  return { text: `${text}\n${reason}`, data: { omitted: true, reason, name, mediaType, size } }
}
