import { readFileSync, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { ToolError } from '../../../core/call/result.ts'
import { isRecord } from '../../../core/text/json.ts'
import { imageAnswer } from '../../image-answer.ts'
import type { Returned } from '../protocol.ts'

/** The largest image, in bytes. */
const MAX_IMAGE = 20_000_000

const KEYS = ['image', 'imagePath', 'mimeType', 'text', 'name']

const TYPES: Readonly<Record<string, string>> = {
  ...{ '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.gif': 'image/gif' },
  ...{ '.webp': 'image/webp', '.svg': 'image/svg+xml' },
}

/** What is sent of an image: `{image: bytes, mimeType}` or `{imagePath}`, with `text` and `name` where given. Undefined for any other value. Throws where it cannot be sent. */
export function readImage(value: unknown): Returned | undefined {
  if (!isRecord(value) || !Object.keys(value).every((key) => KEYS.includes(key))) return undefined
  const { image, imagePath, text } = value
  if (typeof imagePath !== 'string' && !(image instanceof Uint8Array)) return undefined
  const path = typeof imagePath === 'string' ? imagePath : undefined
  const size = path === undefined ? (image as Uint8Array).length : statSync(path).size
  if (size > MAX_IMAGE)
    throw new ToolError('TOO_LARGE', `The tool ran, but its image is larger than ${MAX_IMAGE} bytes.`)
  const mediaType = value.mimeType ?? TYPES[extname(path ?? '').toLowerCase()]
  if (typeof mediaType !== 'string' || !mediaType.startsWith('image/'))
    throw new ToolError('EXECUTION_ERROR', 'The tool ran, but its image needs a mimeType such as image/png.')
  const bytes = path === undefined ? (image as Uint8Array) : readFileSync(path)
  const name = typeof value.name === 'string' ? value.name : path === undefined ? 'image' : basename(path)
  const content = Buffer.from(bytes).toString('base64')
  return imageAnswer({ name, mediaType, content, size, ...(typeof text === 'string' && { text }) })
}
