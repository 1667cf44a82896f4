import { MARKS, showText } from '../marks.ts'
import { runText } from '../run/run-text.ts'
import { act, guessing, NO_OUTPUT, newShell, note, type Output, type ShellState } from '../shell-state.ts'
import { touchPath } from '../touch-path.ts'
import { homePath, readFileCalls, readStarts } from './read-file-calls.ts'

const STRINGS =
  /"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`|%x[{([]([^\])}]*)[\])}]|q[xw]\(([^)]*)\)|q[xw]\{([^}]*)\}|q[xw]\[([^\]]*)\]|q[xw]\/([^/]*)\//g

/** Words of code that start other programs. */
const STARTS =
  /\b(system|exec\w*|popen\d?|spawn\w*|fork|subprocess|child_process|check_output|check_call|Popen|shell_exec|passthru|proc_open|pcntl_\w+|os\.execute|io\.popen|posix_spawn\w*|pty|shell-command\w*|call-process\w*|start-process|do shell script|Runtime|ProcessBuilder|Deno\.(run|Command)|Bun\.spawn\w*|os:cmd|process\.binding|_load|Kernel|IO\.popen|Open3|syscall|ctypes|cffi|dlopen|run_command|startfile|job_?start|termopen|libcall\w*|getoutput|getstatusoutput|run_path|run_module|interact|System\.(cmd|shell)|Sys\.command|callCommand|callProcess|readProcess\w*|rawSystem|run-program|syscmd|esyscmd|readpipe|spec_from_file_location|exec_module|load_source)\b|`|%x|qx|\bsys\.process\b|\bsh\s*\(?\s*""|\.!!?(\s|;|$)|\bBun\.\$/
/** Words that delete, move or change files and machines. */
const CHANGES =
  /\brm\(|\bfile delete\b|\b(rmtree|unlink\w*|remove\w*|rmdir\w*|rmSync|rm_rf?|rm_r|delete\w*|rename\w*|truncate\w*|writeFile\w*|appendFile\w*|createWriteStream|writefile|chmod\w*|chown\w*|symlink\w*|copyFile\w*|cpSync|move|FileUtils|shutil|file_put_contents|fwrite|fputs|kill|setuid|write_text|write_bytes|write_all|utime|extractall|unpack_archive)\b/
/** Files opened to be written, and functions that write them. */
const WRITES =
  /\bopen\b[^;]{0,200}?,\s*["'][wax]b?\+?["']|\bopen\b[^;]{0,200}["']\+?>|\bFile\.(write|open)\b|\bIO\.write\b|\bspew\b|\bspurt\b/
/** Opening a command instead of a file. */
const OPENS_PIPE = /\bopen\b[^;]{0,200}["']\s*(\||-\||\|-)|\bopen\b[^;]{0,200}\|\s*["']/
const HOME_FOLDER = /\b(expanduser|Dir\.home|homedir|Path\.home|HOME|USERPROFILE)\b/
/** Code that runs another file. */
const LOADS_FILE =
  /\b(require|load|do|source|import|include\w*|require_relative|dofile|runpy)\b\s*\(?\s*["']([~/][^"']+)["']/g
/** Folders that modules are loaded from. */
const CODE_FOLDER = /(?:sys\.path|\$LOAD_PATH|\$:|@INC|package\.path|module\.paths)\b[^;]{0,200}?["']([~/][^"']*)/g
/** Forks in a loop, or in forked code. */
const FORKS_ON =
  /\bfork\b[\s\S]{0,2000}\b(fork|while|until|for|loop)\b|\b(while|until|for|loop)\b[\s\S]{0,2000}\bfork\b/
const CONNECTS =
  /\b(socket|urllib\d?|requests|httpx|aiohttp|http|https|fetch|urlopen|XMLHttpRequest|net|dgram|Net::HTTP|LWP|curl_\w+|fsockopen|TCPSocket|open-uri|smtplib|ftplib|paramiko|IO::Socket|axios|undici|websocket\w*|tls)\b/
const HIDES =
  /\b(eval|exec|b64decode|base64|atob|fromCharCode|chr|unhexlify|fromhex|decode|getattr|__import__|marshal|pickle|compile|Function|vm|rot13|unpack|zlib|pack|instance_eval|send|constantize)\b|\\x[0-9a-f]{2}/i
/** Code that creates its own Haft could approve its own calls. */
const LOADS_HAFT = /\b(require|import|from)\s*\(?\s*["'`]haft["'`]/
const RUNS_TEXT = /\b(eval|exec\w*|system|popen|spawn\w*|subprocess|child_process|Function|do)\b|\|\s*"/
const ENVIRONMENT = /\b(environ|process\.env|ENV|getenv|\$ENV)\b/

/** Modules that are named when they are loaded: that alone changes nothing. */
const IMPORTS = /\b(?:import|from)\s+[\w., ]+|\brequire\s*\(?\s*["'](?:node:)?(?:fs|fileutils|fs\/promises)["']\)?/g
/** Forks without end, as far as that is certain. */
const FORK_BOMB = /\bfork\b\W{0,4}(while|until|fork)\b|\b(while|until|for|loop)\b[^;\n]{0,30}\bfork\b/
/** Evaluates what it fetches. */
const RUNS_FETCHED =
  /\b(exec|eval|system|Function|compile)\b\W{1,3}[^;\n]{0,80}\b(urlopen|requests|fetch|curl|get|open|http)\b/

/** Reads code of another language. What calls name themselves is certain; what only words and texts in it suggest is a guess, which asks and never denies. */
export function readCode(state: ShellState, language: string, given: string): undefined {
  // Long runs of blanks would make matching slow.
  const code = given.replace(/([ \t\n])\s+/g, '$1')
  const rest = readFileCalls(state, code)
  const starts = STARTS.test(stripStrings(language, code)) || OPENS_PIPE.test(code)
  const shown = showText(code).slice(0, 120)
  if (LOADS_HAFT.test(code)) act(state, 'haft', shown)
  if (code.includes(MARKS.network)) act(state, 'download-run', shown)
  if (FORKS_ON.test(code)) act(FORK_BOMB.test(code) ? state : guessing(state), 'fork-bomb', shown)
  for (const [, , path = ''] of code.matchAll(LOADS_FILE)) touchPath(state, 'executes', path)
  for (const [, path = ''] of code.matchAll(CODE_FOLDER)) touchPath(guessing(state), 'executes', path)
  if (starts) readStarts(state, language, code)
  const changes = CHANGES.test(rest.replace(IMPORTS, ' ')) || WRITES.test(rest)
  guessTexts(guessing(state), { code, rest, starts })
  const connects = CONNECTS.test(code)
  if (connects && /\b(exec|eval|system|spawn\w*|Function|subprocess|pty|dup2|sh)\b/.test(code))
    act(RUNS_FETCHED.test(code) || /\b(dup2|pty)\b/.test(code) ? state : guessing(state), 'download-run', shown)
  else if (connects) act(state, 'network', shown)
  if (starts || HIDES.test(code)) act(state, 'code-starts', shown)
  else if (changes) act(state, 'code-changes', shown)
  if (ENVIRONMENT.test(code)) act(state, 'environment', shown)
}

interface GuessedCode {
  readonly code: string
  /** The code without the calls that were read for certain. */
  readonly rest: string
  readonly starts: boolean
}

/** Reads every text in code as the path, command or address that it may be. */
function guessTexts(state: ShellState, { code, rest, starts }: GuessedCode): undefined {
  const home = HOME_FOLDER.test(code) ? state.location.home : undefined
  const use = CHANGES.test(rest) ? 'deletes' : WRITES.test(rest) ? 'writes' : undefined
  const connects = CONNECTS.test(code)
  for (const text of textsOf(rest)) {
    if (starts) runText(newShell(state), text.replace(/^\s*[|!]|\|\s*$/g, ''), NO_OUTPUT)
    const path = text.replace(/^\+?(>>?|<)\s*/, '')
    if (/^[~/.$]|^\w[\w.-]*\//.test(path) && !/\s/.test(path)) readPath(state, path, { use, home })
    if (connects) readAddress(state, text)
  }
  if (starts) runJoined(state, code)
}

/** Records that code from the network is evaluated. */
export function noteFedCode(state: ShellState, code: string, input: Output): undefined {
  if (input.text.includes(MARKS.network) && RUNS_TEXT.test(code))
    act(state, 'download-run', showText(code).slice(0, 120))
}

interface CodeUse {
  /** What the code does with paths besides reading them. */
  readonly use: 'deletes' | 'writes' | undefined
  /** The home folder, if the code puts it before paths. */
  readonly home: string | undefined
}

function readPath(state: ShellState, text: string, { use, home }: CodeUse): undefined {
  const path = homePath(state, text)
  const paths = home !== undefined && path === text ? [path, `${home}/${path.replace(/^\//, '')}`] : [path]
  for (const one of paths) {
    if (use !== undefined) touchPath(state, use, one, use === 'deletes')
    touchPath(state, 'reads', one)
  }
}

function readAddress(state: ShellState, text: string): undefined {
  const match = /^\w+:\/\/(?:[^/@]*@)?([^/:?#]+)(?::(\d+))?/.exec(text)
  if (match) note(state, { kind: 'connects', host: match[1] ?? '', port: match[2] ?? '' })
}

/** Reads argument lists: `'rm', ['-rf', '/']` counts as one command. */
function runJoined(state: ShellState, code: string): undefined {
  const texts = textsOf(code)
  for (let from = 0; from < Math.min(texts.length - 1, 12); from++) {
    runText(newShell(state), texts.slice(from, from + 24).join(' '), NO_OUTPUT)
  }
}

function textsOf(code: string): string[] {
  return [...code.matchAll(STRINGS)].map((match) => {
    const text = match.slice(1).find((group) => group !== undefined) ?? ''
    return text
      .replace(/\\x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/\\(["'\\`])/g, '$1')
  })
}

/** Backticks run commands in Perl, Ruby, PHP and possibly in unread scripts; elsewhere they are plain text. */
function stripStrings(language: string, code: string): string {
  const bare = code.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, (text) =>
    /^.(child_process|subprocess|os|pty)/.test(text) ? ` ${text.slice(1, -1)} ` : '""',
  )
  return /^(perl|ruby|php|lua|sh|julia|rails|crystal|program)$/.test(language) ? bare : bare.replaceAll('`', '"')
}
