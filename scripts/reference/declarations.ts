// Reads the declaration files that the build writes to dist/types. TypeScript 7 has no stable compiler API, but its emitted
// declarations are regular: every statement starts in the first column, and its doc comment stands directly above it.
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** One top-level declaration of a file. */
export interface Declaration {
  readonly name: string
  readonly kind: string
  /** The file, relative to the folder of types. */
  readonly file: string
  readonly isExported: boolean
  /** The text of its doc comment. */
  readonly doc: string
  /** The declaration, without `export` and `declare`. Overloads are joined. */
  readonly text: string
}

/** A name in another file. */
interface Source {
  readonly file: string
  readonly name: string
}

/** One declaration file. */
export interface DeclarationFile {
  readonly declarations: ReadonlyMap<string, Declaration>
  /** Local name of an import -> where it comes from. */
  readonly imports: ReadonlyMap<string, Source>
  /** Exported name of a re-export -> where it comes from; in the order of the file. */
  readonly exports: ReadonlyMap<string, Source>
}

/** Reads declaration files of one folder, each once. */
export class Declarations {
  readonly #folder: string
  readonly #files = new Map<string, DeclarationFile>()

  constructor(folder: string) {
    this.#folder = folder
  }

  file(path: string): DeclarationFile {
    const known = this.#files.get(path)
    if (known) return known
    const text = readFileSync(join(this.#folder, path), 'utf8')
    const read = {
      declarations: readDeclarations(text, path),
      imports: this.#links(text, path, 'import'),
      exports: this.#links(text, path, 'export'),
    }
    this.#files.set(path, read)
    return read
  }

  /** Finds the declaration that a name of a file stands for, through imports and re-exports; undefined for names that the file neither declares nor imports from Haft. */
  resolve(path: string, name: string): Declaration | undefined {
    const { declarations, imports, exports } = this.file(path)
    const link = imports.get(name) ?? exports.get(name)
    return declarations.get(name) ?? (link && this.resolve(link.file, link.name))
  }

  /** Returns the declarations of the types that a declaration mentions. */
  mentionedBy({ file, name, text }: Declaration): Declaration[] {
    const names = new Set([...withoutText(text).matchAll(/(?<![.\w])[A-Z]\w*/g)].map(([found]) => found))
    names.delete(name)
    return [...names].flatMap((one) => this.resolve(file, one) ?? []).filter(({ kind }) => kind !== 'const')
  }

  #links(text: string, path: string, keyword: 'import' | 'export'): Map<string, Source> {
    const statements = text.matchAll(new RegExp(`^${keyword} (?:type )?\\{([^}]*)\\} from '(\\.[^']+)\\.ts'`, 'gm'))
    const links = [...statements].flatMap(([, names = '', target = '']) => {
      const file = relative(this.#folder, join(this.#folder, dirname(path), `${target}.d.ts`))
      return names
        .split(',')
        .map((one) => one.trim().replace(/^type /, ''))
        .filter((one) => one !== '')
        .map((one): [string, Source] => {
          const [name = '', local = name] = one.split(' as ')
          return [local, { file, name }]
        })
    })
    return new Map(links)
  }
}

const START =
  /^(?<prefix>(?:export )?(?:declare )?)(?<kind>(?:abstract )?class|interface|type|function|const) (?<name>\w+)/

function readDeclarations(text: string, file: string): Map<string, Declaration> {
  const found = new Map<string, Declaration>()
  const lines = text.split('\n')
  let doc = ''
  for (let index = 0; index < lines.length; index++) {
    if (lines[index]?.startsWith('/**')) {
      const end = lines.findIndex((line, at) => at >= index && line.includes('*/'))
      doc = readDoc(lines.slice(index, end + 1).join('\n'))
      index = end
      continue
    }
    const { prefix = '', kind = '', name = '' } = START.exec(lines[index] ?? '')?.groups ?? {}
    if (name !== '') {
      const end = findEnd(lines, index)
      const body = lines
        .slice(index, end + 1)
        .join('\n')
        .slice(prefix.length)
      const earlier = found.get(name)
      const isExported = prefix.includes('export')
      found.set(name, {
        ...{ name, kind, file, isExported },
        doc: earlier?.doc || doc,
        text: earlier ? `${earlier.text}\n${body}` : body,
      })
      index = end
    }
    doc = ''
  }
  return found
}

/** Returns the last line of the statement that starts at a line: the first one where all brackets are closed and the statement ends. */
function findEnd(lines: readonly string[], start: number): number {
  for (let end = start; end < lines.length; end++) {
    const code = withoutText(lines.slice(start, end + 1).join('\n')).replaceAll('=>', '')
    const depth = [...code].reduce((sum, one) => sum + ('{(['.includes(one) ? 1 : '})]'.includes(one) ? -1 : 0), 0)
    if (depth === 0 && /[;}]\s*$/.test(code)) return end
  }
  throw new Error(`no end of the statement: ${lines[start]}`)
}

/** Returns code without its comments and the text of its strings. */
function withoutText(code: string): string {
  return code.replaceAll(/\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, '')
}

/** Returns the text of a doc comment, its lines joined. */
export function readDoc(comment: string): string {
  return comment
    .replace(/^\/\*\*/, '')
    .replace(/\*\/$/, '')
    .split('\n')
    .map((line) => line.trim().replace(/^\* ?/, ''))
    .join(' ')
    .trim()
}
