import type { Model } from '../../core/ports/model.ts'
import { createWire, headersOf, type WireOptions } from '../create-wire.ts'
import { withToolTarget } from '../with-tool-target.ts'
import { readOllamaMetadata } from './read-metadata.ts'
import { readOllamaReply } from './read-reply.ts'
import { writeOllamaRequest } from './write-request.ts'

/** A model of an Ollama server, by Ollama's own protocol. */
export function openOllama(options: WireOptions): Model {
  const { baseUrl, model } = options
  const headers = headersOf(options)
  const wire = createWire(options, {
    chatUrl: `${baseUrl}/api/chat`,
    headers,
    hint: 'Start Ollama with `ollama serve`, or set base_url or OLLAMA_HOST to where it runs.',
    writeRequest: (request, known) => writeOllamaRequest(request, { options, known }),
    readReply: readOllamaReply,
    readMetadata: () => readOllamaMetadata({ baseUrl, model, headers }),
  })
  return withToolTarget(wire, 'ollama', options.learned)
}
