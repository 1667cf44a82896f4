import { insidePath } from '../../../core/text/paths.ts'
import { runText } from '../run/run-text.ts'
import { NO_OUTPUT, newShell, type ShellState } from '../shell-state.ts'
import { everyday, resolveWord, touchPath } from '../touch-path.ts'

/** A quoted text without an expression around it, also inside a function that only makes a path of it. */
const LITERAL = String.raw`(?:(?:os\.path\.|path\.|pathlib\.)?(?:expanduser|abspath|resolve|Path)\(\s*)?[rbu]?(?:"([^"\\\n$]{0,4096})"|'([^'\\\n]{0,4096})'|${'`'}([^${'`'}\\\n$]*)${'`'})\)?(?:\s*,\s*\{?\s*(?:recursive|force|ignore_errors|missing_ok|exist_ok)\s*[:=]\s*\w+[^)]{0,200})?`

/** What a call with one or two paths does with them. */
interface FileCall {
  readonly names: string
  readonly does: 'deletes' | 'wipes' | 'writes' | 'reads' | 'moves' | 'copies'
}

const ONE_PATH: readonly FileCall[] = [
  {
    names: String.raw`os\.remove|os\.unlink|os\.rmdir|(?:\w{1,40}\.)?unlinkSync|unlink|(?:\w{1,40}\.)?rmdirSync|File\.(?:delete|unlink)|FileUtils\.rm(?:_f)?|Deno\.remove(?:Sync)?`,
    does: 'deletes',
  },
  {
    names: String.raw`(?:shutil\.)?rmtree|(?:\w{1,40}\.)?rmSync|call\s+delete|FileUtils\.rm_rf?|FileUtils\.remove_dir|remove_tree`,
    does: 'wipes',
  },
  {
    names: String.raw`writefile\(\[[^\]]{0,400}\],|(?:\w{1,40}\.)?writeFileSync|writeFile|(?:\w{1,40}\.)?appendFileSync|appendFile|createWriteStream|truncateSync|File\.write|IO\.write|file_put_contents|os\.truncate|Deno\.write(?:Text)?File(?:Sync)?|Bun\.write`,
    does: 'writes',
  },
  { names: String.raw`readFileSync|readFile|createReadStream|File\.read|IO\.read|file_get_contents`, does: 'reads' },
]

const TWO_PATHS: readonly FileCall[] = [
  {
    names: String.raw`os\.rename|os\.replace|shutil\.move|renameSync|rename|File\.rename|FileUtils\.mv`,
    does: 'moves',
  },
  {
    names: String.raw`shutil\.copy(?:file|2|tree)?|copyFileSync|copyFile|cpSync|FileUtils\.cp(?:_r)?|copy`,
    does: 'copies',
  },
]

const callOf = ({ names, does }: FileCall, paths: number) => ({
  does,
  pattern: new RegExp(
    String.raw`(?<![\w.])(?:fs\.|fs\.promises\.|require\(["'](?:node:)?fs(?:/promises)?["']\)\.)?(?:${names})\s*\(?\s*${LITERAL}${paths === 2 ? String.raw`\s*,\s*${LITERAL}` : ''}(?=\s*(?:[,;)\n}]|$))`,
    'g',
  ),
})

const CALLS = [...ONE_PATH.map((call) => callOf(call, 1)), ...TWO_PATHS.map((call) => callOf(call, 2))]

/** `open` of Python and Ruby: with a mode that writes, or without one. */
const OPEN = new RegExp(
  String.raw`(?<![\w.])(?:io\.|File\.)?open\s*\(?\s*${LITERAL}(?:\s*,\s*(?:mode\s*=\s*)?["']([rwaxbt+]+)["'])?(?=\s*(?:[,;)\n}]|$))`,
  'g',
)
/** `open` of Perl: a handle, then the mode and the path. */
const PERL_OPEN =
  /\bopen\s*\(?\s*(?:my\s+)?[$\w]{1,64}\s*,\s*(?:["'](\+?[<>]{1,2})[^"',]*["']\s*,\s*["']([^"'\n$]+)["']|["'](\+?[<>]{1,2})\s*([^"'\n$|]+)["'])/g
/** Methods of a path object of Python. */
const PATH_METHOD =
  /\b(?:pathlib\.)?Path\(\s*[rbu]?(?:"([^"\\\n]*)"|'([^'\\\n]*)')\s*\)\.(write_text|write_bytes|unlink|rmdir|read_text|read_bytes|touch|mkdir)\s*\(/g

/** Reads the calls that certainly use the paths written in them; returns the code without those calls. */
export function readFileCalls(state: ShellState, code: string): string {
  let rest = code
  for (const { does, pattern } of CALLS)
    rest = rest.replace(pattern, (_, ...groups) => {
      const [first = '', second = ''] = groups.slice(0, 6).filter((group) => typeof group === 'string')
      useFiles(state, does, [first, second])
      return ' '
    })
  rest = rest.replace(PERL_OPEN, (_, mode, path, shortMode, shortPath) => {
    useFiles(state, String(mode ?? shortMode).includes('>') ? 'writes' : 'reads', [String(path ?? shortPath).trim()])
    return ' '
  })
  rest = rest.replace(OPEN, (_, double, single, template, mode) => {
    const isWrite = typeof mode === 'string' && /[wax+]/.test(mode)
    useFiles(state, isWrite ? 'writes' : 'reads', [String(double ?? single ?? template)])
    return ' '
  })
  return rest.replace(PATH_METHOD, (_, double, single, method) => {
    const path = String(double ?? single)
    if (method === 'touch' || method === 'mkdir') touchPath(everyday(state), 'writes', path)
    else useFiles(state, /^write/.test(method) ? 'writes' : /^read/.test(method) ? 'reads' : 'deletes', [path])
    return ' ('
  })
}

function useFiles(state: ShellState, does: FileCall['does'], paths: readonly string[]): void {
  const [path = '', target = ''] = paths.map((one) => homePath(state, one))
  if (/^(\w+:\/\/|[|])|\|\s*$/.test(path)) return
  if (does === 'reads' || does === 'writes' || does === 'deletes') touchPath(state, does, path)
  else if (does === 'wipes') touchPath(state, 'deletes', path, true)
  else {
    const stays = insidePath(state.location.workspace, resolveWord(state, target)) !== undefined
    if (does === 'moves') touchPath(stays ? everyday(state) : state, 'deletes', path)
    else touchPath(state, 'reads', path)
    touchPath(state, 'writes', target)
  }
}

/** Replaces the notations of the home folder at the start of a path. */
export function homePath(state: ShellState, text: string): string {
  return text.replace(/^(~|\$HOME|\$ENV\{["']?HOME["']?\}|#\{Dir\.home\})(?=\/|$)/, state.location.home)
}

const STARTED = String.raw`(?:exec|Deno)\.Command|os\.system|os\.popen|subprocess\.(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput)|execSync|execFileSync|execFile|spawnSync|spawn|exec\w*|system|popen|shell_exec|passthru|os\.execute|io\.popen|Open3\.\w+|os:cmd|callCommand|callProcess|rawSystem|readProcess\w*|(?:\w{1,40}\.){0,4}Process|System\.(?:shell|cmd)|shell-command\w*|do shell script|(?:commands\.)?get(?:status)?output|readpipe|Sys\.command|\bsh`
/** A start of a program whose command line is written in the call, as text or as a list. */
const START = new RegExp(
  String.raw`(?<!\w)(?:${STARTED})(?:\s*\(\s*|\s+)(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)')?(?:[\s,{]*(?:args:\s*)?\[([^\]]{0,2000})\]|((?:\s*,\s*(?:"[^"]{0,400}"|'[^']{0,400}')){1,40}))?`,
  'g',
)
const SCALA_START = /"((?:\\.|[^"\\])*)"\.!/g
const TCL_START = /\b(?:spawn|exec)\s+([^;\n\]]+)/g
const BACKTICKS = /`([^`]*)`|%x[{([]([^\])}]*)[\])}]|\bqx[({[/]([^)}\]/]*)[)}\]/]/g
const WORD = /"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'/g

/** Reads the command lines that the code certainly starts. */
export function readStarts(state: ShellState, language: string, code: string): void {
  for (const [, double, single, bracketed, followed] of code.matchAll(START)) {
    const list = bracketed ?? followed
    const text = (double ?? single ?? '').replace(/\\(["'\\])/g, '$1')
    const words = [...(list ?? '').matchAll(WORD)].map(([, a, b]) => quoted(a ?? b ?? ''))
    if (words.length === 0 && text !== '') runText(newShell(state), text, NO_OUTPUT)
    else if (words.length > 0) {
      const isRepeated = text === '' || words[0] === quoted(text)
      runText(newShell(state), (isRepeated ? words : [text, ...words]).join(' '), NO_OUTPUT)
    }
  }
  for (const [, text = ''] of code.matchAll(/^(tclsh|wish|expect)$/.test(language) ? TCL_START : SCALA_START))
    runText(newShell(state), text, NO_OUTPUT)
  if (!/^(perl|ruby|php|julia|bun|rails|rake|crystal)$/.test(language)) return
  for (const [, ...texts] of code.matchAll(BACKTICKS))
    runText(newShell(state), texts.find((text) => text !== undefined) ?? '', NO_OUTPUT)
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
