import { isUtf8 } from 'node:buffer'
import { fstatSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import type { Attachment } from '../../core/session/message.ts'

/** A prompt that is ready to be sent. */
export interface Prompt {
  readonly text: string
  readonly attachments: readonly Attachment[]
  /** What the person should know: files that were not attached. */
  readonly notes: readonly string[]
}

const IMAGES: Readonly<Record<string, string>> = {
  ...{ '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg' },
  ...{ '.gif': 'image/gif', '.webp': 'image/webp' },
}

/** The largest text and image that are attached, in bytes. */
const MAX_TEXT = 400_000
const MAX_IMAGE = 10_000_000

/** Finds `@file` and `@"a file"` in a prompt and reads the files, relative to a folder. The words stay in the text, so that it still reads as it was written. */
export function attachFiles(text: string, folder: string): Prompt {
  const attachments: Attachment[] = []
  const notes: string[] = []
  for (const [, quoted, plain = ''] of text.matchAll(/(?<=^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g)) {
    const read = readAttachment(quoted ?? plain, folder, quoted === undefined)
    if (typeof read === 'string') notes.push(read)
    else if (!attachments.some(({ name }) => name === read.name)) attachments.push(read)
  }
  return { text, attachments, notes }
}

/** Reads one file; returns why it is not attached otherwise. A stop at the end of a sentence is no part of a name. */
function readAttachment(name: string, folder: string, mayEndSentence: boolean): Attachment | string {
  const path = resolve(folder, name)
  const found = statSync(path, { throwIfNoEntry: false })
  const shorter = name.replace(/[.,;:!?)]+$/, '')
  if (!found && mayEndSentence && shorter !== name && shorter !== '') return readAttachment(shorter, folder, false)
  if (!found) return `@${name} names no file here; it is sent as text.`
  if (!found.isFile()) return `@${name} is not a file; it is sent as text.`
  const mediaType = IMAGES[extname(path).toLowerCase()]
  const limit = mediaType === undefined ? MAX_TEXT : MAX_IMAGE
  if (found.size > limit) return `@${name} has ${found.size} bytes; at most ${limit} are attached.`
  return readContent(path, { name, mediaType })
}

interface Named {
  readonly name: string
  readonly mediaType: string | undefined
}

function readContent(path: string, { name, mediaType }: Named): Attachment | string {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch {
    return `@${name} cannot be read; it is sent as text.`
  }
  if (mediaType !== undefined)
    return { name: basename(name), mediaType, content: bytes.toString('base64'), encoding: 'base64' }
  if (!isUtf8(bytes) || bytes.includes(0)) return `@${name} is neither text nor an image; it is not attached.`
  return { name, mediaType: 'text/plain', content: bytes.toString('utf8') }
}

/** Returns what was piped in; undefined where stdin is a terminal, is closed or is nothing that can be read to its end. */
export async function readPiped(): Promise<string | undefined> {
  if (process.stdin.isTTY || !isPipe()) return undefined
  const text = await readAll(process.stdin)
  return text.trim() === '' ? undefined : text
}

function isPipe(): boolean {
  try {
    const found = fstatSync(0)
    return found.isFIFO() || found.isFile() || found.isSocket()
  } catch {
    return false
  }
}

/** Joins what was typed and what was piped in. */
export function joinPrompt(typed: string, piped: string | undefined): string {
  return [typed.trim(), piped?.trimEnd() ?? ''].filter((part) => part !== '').join('\n\n')
}
