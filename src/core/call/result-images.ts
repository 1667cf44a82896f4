import type { Attachment } from '../session/message.ts'
import { isRecord } from '../text/json.ts'
import type { Result } from './result.ts'

/** Returns the images in the data of a result: those of its members `image` and `images`. Empty for a failure. */
export function imagesOf(result: Result): readonly Attachment[] {
  if (!result.ok || !isRecord(result.data)) return []
  const { image, images } = result.data
  return [image, ...(Array.isArray(images) ? images : [])].filter(isImage)
}

function isImage(value: unknown): value is Attachment {
  if (!isRecord(value) || value.encoding !== 'base64') return false
  const { name, mediaType, content } = value
  return (
    typeof name === 'string' &&
    typeof content === 'string' &&
    typeof mediaType === 'string' &&
    mediaType.startsWith('image/')
  )
}
