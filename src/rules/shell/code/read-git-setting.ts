import { runChosen, runText } from '../run/run-text.ts'
import { act, NO_OUTPUT, newShell, type ShellState } from '../shell-state.ts'

/** Git settings by the meaning of their value; the first match counts. */
const GIT_SETTINGS: readonly (readonly [RegExp, 'shell' | 'injects' | 'harmless'])[] = [
  [
    /^(core\.(pager|editor|fsmonitor|sshcommand|gitproxy|askpass|alternaterefscommand)|sequence\.editor|pager\..+|diff\.external|diff\..+\.(command|textconv)|(diff|merge)tool\..+\.(cmd|path)|merge\..+\.driver|filter\..+\.(clean|smudge|process)|gpg(\..+)?\.program|interactive\.difffilter|uploadpack\.packobjectshook|sendemail\..*cmd|(browser|man|tar|guitool|web)\..+|trailer\..+\.(command|cmd)|remote\..+\.(uploadpack|receivepack)|imap\.tunnel|difftool\..+|credential(\..+)?\.helper|alias\..+|submodule\..+\.update|help\.browser)$/i,
    'shell',
  ],
  [
    /^(core\.(hookspath|attributesfile|excludesfile|worktree|gitdir)|include(if)?\..+|init\.templatedir|protocol\..+|url\..+|remote\..+|http\..*(proxy|sslverify|cookiefile).*|safe\..+|submodule\..+|transfer\..+|receive\..+|uploadpack\..+|extensions\..+|credential.*)$/i,
    'injects',
  ],
]

/** Reads what a git setting would run; `core.pager=cat` is harmless, a shell command is not. */
export function readGitSetting(state: ShellState, key: string, value: string): undefined {
  const kind = GIT_SETTINGS.find(([pattern]) => pattern.test(key))?.[1]
  if (kind === 'injects') act(state, 'injects', `git ${key}=${value}`)
  if (kind !== 'shell' || /^(true|false|)$/i.test(value)) return
  const text = /^alias\./i.test(key) && !value.startsWith('!') ? `git ${value}` : value.replace(/^!/, '')
  if (/^credential/i.test(key) && !/[\s/!]/.test(value)) return
  if (/^alias\./i.test(key)) runText(newShell(state), text, NO_OUTPUT)
  else runChosen(newShell(state), text, `git ${key}=${value}`)
}
