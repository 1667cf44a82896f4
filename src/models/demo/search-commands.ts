import { type DemoCommand, makeStep } from './command.ts'
import { textParameter } from './parameters.ts'
import { count, linesOf, nameSome, showLines } from './say.ts'
import { pattern, unquote, WORD, WORDS, withoutStop } from './words.ts'

const WEB = pattern(`the (?:web|internet) for (.+)`)
const SEARCH = pattern(`(?:for )?(?:the (?:text|word) )?(${WORDS})(?: in (?:(?:the|folder|file) )*(${WORD}))?`)
const search: DemoCommand = {
  verbs: ['search', 'grep'],
  form: 'search TEXT [in FOLDER]',
  does: 'searches the text of files; "search the web for …" searches the web',
  example: 'search "TODO" in src',
  read(rest) {
    const given = withoutStop(rest)
    const web = WEB.exec(given)?.[1]
    if (web !== undefined) return searchWeb(unquote(web))
    const [, text, folder] = SEARCH.exec(given) ?? []
    if (text === undefined) return undefined
    const words = unquote(text)
    if (words === '') return undefined
    return makeStep(
      'search_text',
      { pattern: words, ...(folder !== undefined && { path: unquote(folder) }) },
      {
        intent: `search for \`${words}\``,
        done: `searched for \`${words}\``,
        report: (content) => describeHits(content, words),
      },
    )
  },
}

/** How many lines of a search are shown. */
const SHOWN_HITS = 10

function describeHits(content: string, words: string): string {
  const lines = linesOf(content)
  const files = lines.filter((line) => !/^(?:\d+[:-] |\[)/.test(line))
  const hits: string[] = []
  let file = ''
  for (const line of lines) {
    if (files.includes(line)) file = line
    else if (/^\d+: /.test(line)) hits.push(`${file}:${line}`)
  }
  if (hits.length === 0) return `Nothing here holds \`${words}\`.`
  const where = `${count(hits.length, 'line')} of ${count(files.length, 'file')}`
  return `\`${words}\` stands in ${where}:${showLines(hits, SHOWN_HITS)}`
}

function searchWeb(query: string) {
  return {
    tools: ['web_search'],
    argumentsFor: textParameter(query, ['query']),
    intent: `search the web for \`${query}\``,
    done: `searched the web for \`${query}\``,
    report: (content: string) => `The web search gave:${showLines(linesOf(content), SHOWN_HITS)}`,
  }
}

const FIND = pattern(
  `(?:(?:me|all|the|files?|folders?|named|called|like|matching) )*(${WORD})(?: in (?:(?:the|folder) )*(${WORD}))?`,
)
const find: DemoCommand = {
  verbs: ['find'],
  form: 'find PATTERN [in FOLDER]',
  does: 'finds files by name; * stands for anything',
  example: 'find *.md in docs',
  read(rest) {
    const [, name, folder] = FIND.exec(withoutStop(rest)) ?? []
    const glob = name === undefined ? '' : unquote(name)
    if (glob === '') return undefined
    return makeStep(
      'find_files',
      { pattern: glob, ...(folder !== undefined && { path: unquote(folder) }) },
      {
        intent: `look for files that match \`${glob}\``,
        done: `looked for \`${glob}\``,
        report: (content) => describeFiles(content, glob),
      },
    )
  },
}

function describeFiles(content: string, glob: string): string {
  const files = linesOf(content).filter((line) => !line.startsWith('[') && line !== 'No files match')
  if (files.length === 0) return `No file matches \`${glob}\`.`
  const names = files.map((line) => line.replace(/ \([^()]*\)$/, ''))
  return `${count(files.length, 'file')} ${files.length === 1 ? 'matches' : 'match'} \`${glob}\`: ${nameSome(names)}.`
}

/** The commands that look for something. */
export const searchCommands: readonly DemoCommand[] = [search, find]
