/** The grammar of each kind of file. */
const GRAMMARS: Readonly<Record<string, string>> = {
  ...{ js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript' },
  ...{ ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'tsx' },
  ...{ py: 'python', pyi: 'python', go: 'go', rs: 'rust', java: 'java', rb: 'ruby', php: 'php', cs: 'c-sharp' },
  ...{
    c: 'cpp',
    h: 'cpp',
    cc: 'cpp',
    cpp: 'cpp',
    cxx: 'cpp',
    hpp: 'cpp',
    hh: 'cpp',
    sh: 'bash',
    bash: 'bash',
    ps1: 'powershell',
  },
}

/** Other files that are searched, by lines. */
const PLAIN =
  /\.(md|mdx|rst|txt|kt|kts|swift|scala|lua|pl|pm|r|jl|ex|exs|erl|hs|clj|dart|vue|svelte|html?|css|scss|less|sql|graphql|proto|toml|ya?ml|ini|cfg|gradle|cmake|tf|m|mm|zig|nim|json)$|(^|\/)(Makefile|Dockerfile|Rakefile|Gemfile)$/i

/** Files that are made by programs: they are large and say nothing. */
const MADE =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|poetry\.lock|uv\.lock|go\.sum)$|\.min\.(js|css)$|\.(map|snap|lock)$/

/** Returns the grammar of a file; an empty text for one that is searched by lines, undefined for one that is not searched. */
export function grammarOf(path: string): string | undefined {
  if (MADE.test(path)) return undefined
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return GRAMMARS[extension] ?? (PLAIN.test(path) ? '' : undefined)
}
