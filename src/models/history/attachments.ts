import type { ModelMessage, ToolResultMessage } from '../../core/ports/model.ts'
import type { Attachment, Message } from '../../core/session/message.ts'

/** The kinds of images that every provider takes. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** True for what a model that sees can be shown. */
export function isImage({ mediaType, encoding }: Attachment): boolean {
  return encoding === 'base64' && SHOWN.has(mediaType.toLowerCase())
}

/** The text of a message with its attachments in words: texts in full, everything that cannot be shown by its name. */
export function textWithAttachments(
  { content, attachments = [] }: Pick<Message, 'content' | 'attachments'>,
  seesImages: boolean,
): string {
  const words = attachments.filter((one) => !(seesImages && isImage(one))).map(describeAttachment)
  return [content, ...words].filter((text) => text !== '').join('\n\n')
}

/** The images of a message that a model is shown. */
export function shownImages(
  attachments: readonly Attachment[] | undefined,
  seesImages: boolean,
): readonly Attachment[] {
  return seesImages ? (attachments ?? []).filter(isImage) : []
}

function describeAttachment(attachment: Attachment): string {
  const { name, mediaType, content, encoding } = attachment
  if (encoding === undefined) return `Attached file ${name}:\n${content}`
  if (isImage(attachment)) return `[The image ${name} (${mediaType}) is attached, but you cannot see images.]`
  return `[The file ${name} (${mediaType}) is attached, but cannot be shown as text.]`
}

/** The text of a tool's result, with the images that the model is not shown in words. */
export function resultText({ content, images }: ToolResultMessage, seesImages: boolean): string {
  return textWithAttachments({ content, ...(images && { attachments: images }) }, seesImages)
}

/** Puts the images of tool results into a message behind the results of their turn: results of one turn must follow one another. */
export function moveResultImages(messages: readonly ModelMessage[], seesImages: boolean): readonly ModelMessage[] {
  if (!seesImages) return messages
  const moved: ModelMessage[] = []
  let images: Attachment[] = []
  let tools: string[] = []
  const flush = () => {
    if (images.length > 0)
      moved.push({ role: 'user', content: `Images returned by ${tools.join(', ')}:`, attachments: images })
    images = []
    tools = []
  }
  for (const message of messages) {
    if (message.role !== 'tool') flush()
    moved.push(message)
    if (message.role !== 'tool') continue
    const shown = shownImages(message.images, true)
    images.push(...shown)
    if (shown.length > 0 && !tools.includes(message.name)) tools.push(message.name)
  }
  flush()
  return moved
}
