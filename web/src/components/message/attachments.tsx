import { Paperclip, X } from 'lucide-react'
import { type ClipboardEvent, type ReactNode, useRef, useState } from 'react'
import type { Attachment } from '../../../../src/core/session/message.ts'

/** The most bytes that one message can carry. */
const LIMIT = 15_000_000

export interface Attachments {
  readonly list: readonly Attachment[]
  readonly problem: string | undefined
  readonly add: (files: Iterable<File>) => Promise<void>
  readonly remove: (index: number) => void
  readonly clear: () => void
  readonly onPaste: (event: ClipboardEvent) => void
}

/** Files and images that go with a message: chosen, or pasted. */
export function useAttachments(): Attachments {
  const [list, setList] = useState<readonly Attachment[]>([])
  const [problem, setProblem] = useState<string>()
  const add = async (files: Iterable<File>) => {
    setProblem(undefined)
    for (const file of files) {
      if (file.size > LIMIT) {
        setProblem(`${file.name} is larger than 15 MB and was not attached.`)
        continue
      }
      const made = await attach(file)
      setList((before) => [...before, made])
    }
  }
  return {
    list,
    problem,
    add,
    remove: (index) => setList((before) => before.filter((_, place) => place !== index)),
    clear: () => setList([]),
    onPaste(event) {
      const files = [...event.clipboardData.files]
      if (files.length === 0) return
      event.preventDefault()
      add(files).catch(() => setProblem('What was pasted could not be read.'))
    },
  }
}

async function attach(file: File): Promise<Attachment> {
  const mediaType = file.type || 'text/plain'
  const isText = /^(text\/|application\/(json|xml|toml|yaml|javascript))/.test(mediaType)
  if (isText) return { name: file.name, mediaType, content: await file.text() }
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (let from = 0; from < bytes.length; from += 32_768)
    binary += String.fromCharCode(...bytes.subarray(from, from + 32_768))
  return { name: file.name || 'pasted', mediaType, content: btoa(binary), encoding: 'base64' }
}

/** The attached files, a button to add more, and a hint. */
export function AttachmentBar({ attachments, hint }: { readonly attachments: Attachments; readonly hint?: ReactNode }) {
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <div className="flex wrap">
      <button type="button" className="btn bare" onClick={() => chooser.current?.click()}>
        <Paperclip className="i s" strokeWidth={1.75} aria-hidden="true" />
        Attach
      </button>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label="Attach files"
        onChange={({ target }) => {
          attachments.add([...(target.files ?? [])]).catch(() => undefined)
          target.value = ''
        }}
      />
      {attachments.list.map(({ name, mediaType }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two attachments may be equal
        <span key={index} className="tag line" title={mediaType}>
          {name}
          <button
            type="button"
            className="linkish"
            aria-label={`Remove ${name}`}
            onClick={() => attachments.remove(index)}
          >
            <X className="i" strokeWidth={1.75} aria-hidden="true" />
          </button>
        </span>
      ))}
      {attachments.problem ? (
        <span className="bad t1" role="alert">
          {attachments.problem}
        </span>
      ) : (
        hint && <span className="help">{hint}</span>
      )}
    </div>
  )
}
