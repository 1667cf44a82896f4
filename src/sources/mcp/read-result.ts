import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import { type Answer, answer, ToolError } from '../../core/call/result.ts'
import type { Attachment } from '../../core/session/message.ts'

/** The data of a call of an MCP tool. */
export interface McpData {
  /** What the server gave as data of its own. */
  readonly structuredContent?: unknown
  readonly images?: readonly Attachment[]
  readonly audio?: readonly Attachment[]
  readonly resources?: readonly McpResource[]
}

/** A file or another thing that a server has passed on, or named. */
interface McpResource {
  readonly uri: string
  readonly name?: string
  readonly mediaType?: string
  readonly text?: string
  /** Base64. */
  readonly blob?: string
}

/** Turns what a server answered into text for the model and data for programs. Throws ToolError where the server says that the call failed. */
export function readResult(result: CallToolResult): Answer<McpData> {
  const { content = [], structuredContent, isError } = result
  const gathered = gather(content)
  const texts = content.map(textOf).filter((text) => text !== '')
  const text = texts.length > 0 ? texts.join('\n') : showData(structuredContent)
  if (isError) throw new ToolError('EXECUTION_ERROR', text === '' ? 'The server says that the call failed.' : text)
  const data = { ...(structuredContent !== undefined && { structuredContent }), ...gathered }
  return answer(text === '' ? 'Done; the server returned nothing.' : text, data)
}

function showData(data: unknown): string {
  return data === undefined ? '' : JSON.stringify(data, undefined, 2)
}

/** What the model reads of a piece of content. */
function textOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text
  if (block.type === 'image' || block.type === 'audio')
    return `[${block.type}: ${block.mimeType}, ${sizeOf(block.data)}]`
  if (block.type === 'resource_link')
    return `[resource ${block.uri}: ${block.title ?? block.name}${block.description ? `, ${block.description}` : ''}]`
  const { resource } = block
  return 'text' in resource
    ? `[resource ${resource.uri}]\n${resource.text}`
    : `[resource ${resource.uri}: ${resource.mimeType ?? 'binary'}, ${sizeOf(resource.blob)}]`
}

function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
  return bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1_000)} KB`
}

function gather(content: readonly ContentBlock[]): Pick<McpData, 'images' | 'audio' | 'resources'> {
  const media = (type: 'image' | 'audio') =>
    content.flatMap((block, index): Attachment[] =>
      block.type === type
        ? [{ name: `${type}-${index + 1}`, mediaType: block.mimeType, encoding: 'base64', content: block.data }]
        : [],
    )
  const [images, audio, resources] = [media('image'), media('audio'), content.flatMap(resourceOf)]
  return {
    ...(images.length > 0 && { images }),
    ...(audio.length > 0 && { audio }),
    ...(resources.length > 0 && { resources }),
  }
}

function resourceOf(block: ContentBlock): McpResource[] {
  if (block.type === 'resource_link') {
    const { uri, name, mimeType } = block
    return [{ uri, name, ...(mimeType !== undefined && { mediaType: mimeType }) }]
  }
  if (block.type !== 'resource') return []
  const { resource } = block
  const { uri, mimeType } = resource
  const kind = mimeType !== undefined && { mediaType: mimeType }
  return [{ uri, ...kind, ...('text' in resource ? { text: resource.text } : { blob: resource.blob }) }]
}
