import { readBang } from '../code/read-bang.ts'
import { isGlob, isOpen, MARKS, settled } from '../marks.ts'
import { fillFolder } from '../run/fill-folder.ts'
import { runText } from '../run/run-text.ts'
import { act, NO_OUTPUT, note, type ShellState, wrapped, writeText } from '../shell-state.ts'
import { resolveWord, touchPath } from '../touch-path.ts'
import type { RoleReader } from './role.ts'

/** Commands that name the downloaded file after its address. */
const NAMES_BY_URL = /^(wget|aria2c|axel)$/

/** Roles of words that name other machines, or data sent to them. */
export const NETWORK_ROLES: Readonly<Record<string, RoleReader>> = {
  host: (state, { word, operands }) => recordConnection(state, word, operands[1] ?? ''),
  port: () => undefined,
  'remote-host': (state, { word, name }) => {
    recordConnection(state, word.replace(/^.*@/, ''), name === 'ssh' ? '22' : '')
  },
  url: (state, { word, name, modes }) => {
    if (NAMES_BY_URL.test(name) || modes.has('remote-name')) keepDownload(state, word)
    return recordUrl(state, word)
  },
  dig: (state, { word }) => {
    if (!/^[+-]/.test(word) && !/^(A|AAAA|ANY|MX|TXT|NS|SOA|PTR|CNAME|SRV)$/i.test(word))
      recordConnection(state, word.replace(/^@/, ''), '53')
  },
  send: (state, { word }) => touchPath(state, 'reads', word),
  data: (state, { word }) => {
    const file = /^(?:[\w-]+)?@(.+)$/s.exec(word)?.[1]
    if (file !== undefined) touchPath(state, 'reads', file)
  },
  form: (state, { word }) => {
    const file = /=[@<]([^;]+)/.exec(word)?.[1]
    if (file !== undefined) touchPath(state, 'reads', file.replace(/^"|"$/g, ''))
  },
  /** A file of options. If this command line wrote it, its options are read as if they were arguments. */
  'curl-config': (state, { word, input, name }) => {
    touchPath(state, 'executes', word)
    const text = word === '-' ? input.text : state.files.get(resolveWord(state, word))
    const words = (text ?? '').split('\n').flatMap(optionWords)
    if (words.length > 0) return state.parts.runWords(wrapped(state), [name, ...words], NO_OUTPUT)
    return undefined
  },
  cookie: (state, { word }) => {
    if (!word.includes('=')) touchPath(state, 'reads', word)
  },
  'ftp-command': (state, { word }) => {
    for (const line of word.split(/[\n;]/)) {
      readBang(state, line)
      const sent = /^\s*(?:m?put|reput|append|send)\s+(?:-\w+\s+)*(\S+)/.exec(line)?.[1]
      if (sent !== undefined) touchPath(state, 'reads', sent)
    }
  },
  socket: (state, { word }) => act(state, 'socket', word),
  'wget-command': (state, { word }) => {
    if (!/^(robots|http_proxy|timeout|tries|wait)/.test(word)) act(state, 'config', word)
  },
  reverse: (state, { word }) => act(state, 'reverse-shell', word),
  socat: (state, { word }) => {
    const [kind = '', ...rest] = word.split(':')
    const target = rest.join(':').split(',')[0] ?? ''
    if (/^(exec|system|shell)$/i.test(kind)) {
      act(state, 'reverse-shell', target)
      runText(state, target, NO_OUTPUT)
    } else if (/^(tcp|udp|ssl|openssl|sctp|socks|proxy)/i.test(kind))
      recordConnection(state, target.split(':')[0] ?? '', rest.at(-1) ?? '')
    else if (/^(open|create|gopen|file|pipe|unix)/i.test(kind)) touchPath(state, 'writes', target)
    else act(state, 'network', word)
  },
  'ssh-option': (state, { word }) => {
    const [, key = '', value = ''] = /^(\w+)[\s=]+(.*)$/s.exec(word) ?? []
    if (/^(ProxyCommand|LocalCommand|KnownHostsCommand|PKCS11Provider|SecurityKeyProvider|XAuthLocation)$/i.test(key)) {
      runText(state, value, NO_OUTPUT)
      act(state, 'unknown-command', word)
    } else if (/^(IdentityFile|CertificateFile|UserKnownHostsFile|Include)$/i.test(key))
      touchPath(state, 'reads', value)
  },
  remote: (state, { word, modes }) => {
    if (!recordRemote(state, word)) touchPath(state, 'reads', word, modes.has('tree'))
  },
  'remote-into': (state, { word, modes, operands }) => {
    if (recordRemote(state, word) || modes.has('dry')) return
    touchPath(state, 'writes', word, modes.has('wipe'))
    if (modes.has('wipe')) touchPath(state, 'deletes', word, true)
    for (const source of operands.slice(0, -1)) {
      const name = source.split('/').at(-1) ?? ''
      if (name !== '' && name !== '.') touchPath(state, 'writes', `${word}/${name}`, modes.has('tree'))
      else fillFolder(state, { folder: word, source, tree: true })
    }
  },
  'push-target': (state, { word }) => {
    if (/^(\w[\w+.-]*:\/\/|[\w.-]+@[\w.-]+:|[\w.-]+\.[a-z]{2,}:|ext::)/.test(word)) act(state, 'sends-code', word)
    gitUrl(state, word)
  },
  'git-url': (state, { word }) => gitUrl(state, word),
}

/** Records a downloaded file, named after the last part of its address. */
function keepDownload(state: ShellState, url: string): undefined {
  const file = /^(?:\w+:\/\/)?[^/]+\/(?:.*\/)?([^/?#]+)/.exec(url)?.[1]
  if (file !== undefined) writeText(state, resolveWord(state, file), MARKS.network)
}

/** Splits one line of a file of options, `url = "x"` or `--url x`, into words. */
function optionWords(line: string): readonly string[] {
  const [, name = '', value = ''] = /^\s*([^\s=:#]+)[\s=:]*(.*?)\s*$/.exec(line) ?? []
  if (name === '') return []
  const option = name.startsWith('-') ? name : `--${name}`
  return value === '' ? [option] : [option, value.replace(/^"(.*)"$/s, '$1')]
}

function gitUrl(state: ShellState, word: string): undefined {
  const helper = /^([\w-]+)::(.*)$/s.exec(settled(word))
  if (helper) {
    act(state, 'unknown-command', word)
    runText(state, (helper[2] ?? '').replace(/%[SsGVu ]/g, ' '), NO_OUTPUT)
  } else if (/^\w[\w+.-]*:\/\//.test(word)) recordUrl(state, word)
}

/** Records a connection for `user@host:path` and `rsync://host/…`; returns false for local paths. */
function recordRemote(state: ShellState, word: string): boolean {
  const match = /^(?:rsync:\/\/)?(?:[^/@:]+@)?([^/:@]+)::?(.*)$/s.exec(word)
  if (!match || word.startsWith('/') || word.startsWith('.')) return false
  recordConnection(state, match[1] ?? '', '22')
  return true
}

/** Ports of schemes; all others are taken for http. */
const PORTS: Readonly<Record<string, string>> = { https: '443', ssh: '22', 'git+ssh': '22' }

/** Records a connection to the host that an address names. */
function recordUrl(state: ShellState, word: string): undefined {
  if (/^file:/i.test(word)) {
    touchPath(state, 'reads', word.replace(/^file:(\/\/)?(localhost)?/i, ''))
    return
  }
  const match = /^(?:(\w[\w+.-]*):\/\/)?(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?/.exec(settled(word))
  // An address in a variable shows no host, but the command still connects to it.
  recordConnection(state, match?.[2] || word, match?.[3] ?? PORTS[match?.[1]?.toLowerCase() ?? ''] ?? '80')
  if (isOpen(word) || word.includes(MARKS.star)) act(state, 'sends-unknown', word)
}

function recordConnection(state: ShellState, host: string, port: string): undefined {
  if (host === '') return
  note(state, { kind: 'connects', host: settled(host), port: settled(port) })
  if (isOpen(host) || isGlob(host)) act(state, 'sends-unknown', host)
}
