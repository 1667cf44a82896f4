import { Fragment, type ReactNode } from 'react'
import type { LanguageInput } from 'shiki/core'
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

/** The languages that are highlighted, each loaded when it is first met. */
const LANGUAGES: Readonly<Record<string, LanguageInput>> = {
  bash: () => import('@shikijs/langs/bash'),
  c: () => import('@shikijs/langs/c'),
  css: () => import('@shikijs/langs/css'),
  diff: () => import('@shikijs/langs/diff'),
  go: () => import('@shikijs/langs/go'),
  html: () => import('@shikijs/langs/html'),
  java: () => import('@shikijs/langs/java'),
  javascript: () => import('@shikijs/langs/javascript'),
  json: () => import('@shikijs/langs/json'),
  kotlin: () => import('@shikijs/langs/kotlin'),
  markdown: () => import('@shikijs/langs/markdown'),
  php: () => import('@shikijs/langs/php'),
  python: () => import('@shikijs/langs/python'),
  ruby: () => import('@shikijs/langs/ruby'),
  rust: () => import('@shikijs/langs/rust'),
  sql: () => import('@shikijs/langs/sql'),
  swift: () => import('@shikijs/langs/swift'),
  toml: () => import('@shikijs/langs/toml'),
  tsx: () => import('@shikijs/langs/tsx'),
  typescript: () => import('@shikijs/langs/typescript'),
  xml: () => import('@shikijs/langs/xml'),
  yaml: () => import('@shikijs/langs/yaml'),
}

const ALIASES: Readonly<Record<string, string>> = {
  ...{
    sh: 'bash',
    shell: 'bash',
    zsh: 'bash',
    console: 'bash',
    h: 'c',
    cpp: 'c',
    'c++': 'c',
    js: 'javascript',
    jsx: 'tsx',
  },
  ...{
    mjs: 'javascript',
    ts: 'typescript',
    mts: 'typescript',
    md: 'markdown',
    py: 'python',
    rb: 'ruby',
    rs: 'rust',
    yml: 'yaml',
  },
}

/** Colours come from our tokens, so that both themes and any later one work. */
const theme = createCssVariablesTheme({ name: 'haft', variablePrefix: '--shiki-', fontStyle: false })

let highlighter: Promise<HighlighterCore> | undefined

/** Highlights code. Resolves to undefined for a language that is not known. Uses no WebAssembly: the content security policy refuses it. */
export async function highlight(code: string, given: string): Promise<ReactNode> {
  const name = given.toLowerCase()
  const language = ALIASES[name] ?? name
  const load = LANGUAGES[language]
  if (load === undefined) return undefined
  highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  const made = await highlighter
  if (!made.getLoadedLanguages().includes(language)) await made.loadLanguage(load)
  const { tokens } = made.codeToTokens(code, { lang: language, theme: 'haft' })
  return tokens.map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
    <Fragment key={row}>
      {row > 0 && '\n'}
      {line.map(({ content, color, offset }) => (
        <span key={offset} style={color ? { color } : undefined}>
          {content}
        </span>
      ))}
    </Fragment>
  ))
}
