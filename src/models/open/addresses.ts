import { ModelError } from '../../core/ports/model.ts'

/** The environment, handed in by whoever may read it. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where LM Studio listens. */
export const LM_STUDIO_URL = 'http://127.0.0.1:1234/v1'

const OPENAI_URL = 'https://api.openai.com/v1'
const OLLAMA_PORT = '11434'

/** The address of OpenAI, or of the server that OPENAI_BASE_URL names. */
export function openAiUrl(env: Environment): string {
  return env.OPENAI_BASE_URL ? checkOpenAiUrl(env.OPENAI_BASE_URL, 'OPENAI_BASE_URL') : OPENAI_URL
}

/** The address of Ollama: OLLAMA_HOST in any of its forms (`host`, `host:port`, `:port`, a URL), else its usual one. An address to listen on, such as 0.0.0.0, means this machine. */
export function ollamaUrl(env: Environment): string {
  const given = env.OLLAMA_HOST?.trim() ?? ''
  if (given === '') return `http://127.0.0.1:${OLLAMA_PORT}`
  const hasScheme = /^https?:\/\//i.test(given)
  const url = checkUrl(
    hasScheme ? given : `http://${given.startsWith(':') ? `127.0.0.1${given}` : given}`,
    'OLLAMA_HOST',
  )
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1'
  const hasPort = /:\d+$/.test(given.replace(/^https?:\/\//i, '').replace(/\/.*$/, ''))
  if (!hasScheme && !hasPort) url.port = OLLAMA_PORT
  return withoutSlash(url)
}

/** The base URL of an OpenAI-compatible server; a bare host gets the usual `/v1`. Throws ModelError, naming the key, where it is no URL. */
export function checkOpenAiUrl(given: string, key: string): string {
  const url = checkUrl(given, key)
  if (url.pathname === '/') url.pathname = '/v1'
  return withoutSlash(url)
}

/** The base URL of an Ollama server, without the path of one of its interfaces. */
export function checkOllamaUrl(given: string, key: string): string {
  return withoutSlash(checkUrl(given, key)).replace(/\/(api|v1)$/, '')
}

/** A base URL of any other server. */
export function checkBaseUrl(given: string, key: string): string {
  return withoutSlash(checkUrl(given, key))
}

/** True for the address of a server on this machine. */
export function isOnThisMachine(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}

function checkUrl(given: string, key: string): URL {
  const url = URL.parse(given)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new ModelError(`${key} is not the address of a server: ${given}. Write it as http://127.0.0.1:8080/v1.`)
}

function withoutSlash(url: URL): string {
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}
