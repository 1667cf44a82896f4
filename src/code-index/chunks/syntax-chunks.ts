import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Language, Node, Parser } from 'web-tree-sitter'
import { type Chunk, chunkLines } from './chunk.ts'

/** Cuts files into functions and classes. */
export interface SyntaxChunker {
  /** Returns the pieces of a file; undefined if its grammar cannot be loaded. */
  chunk(text: string, grammar: string): Promise<readonly Chunk[] | undefined>
}

/** Nodes that are one piece each. */
const DEFINITION =
  /^(async_)?(function|generator_function|method|constructor|class|abstract_class|interface|struct|enum|union|trait|impl|record|type_alias|macro|object|protocol|module|namespace)(_(declaration|definition|item|statement|signature|specifier|spec))?$|^(decorated_definition|type_declaration|singleton_method|function_signature_item|method_spec|internal_module)$/

/** Definitions that hold others, which become pieces of their own. */
const CONTAINER = /class|interface|impl|trait|module|namespace|object|protocol|struct_specifier/

/** Nodes that are looked into for definitions: files, bodies and lists, not expressions, which cost the most and hold few. */
const OPEN =
  /program|module|source_file|translation_unit|export_statement|_body$|_list$|^(block|statement_block|preproc_if|preproc_ifdef|namespace_definition|linkage_specification|template_declaration|php_tag)$/

/** Loads the parser and each grammar at its first use. */
export async function createSyntaxChunker(): Promise<SyntaxChunker> {
  const { Parser: Tree, Language: Grammar } = await import('web-tree-sitter')
  await Tree.init()
  const parser = new Tree()
  const folder = join(dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm')
  const grammars = new Map<string, Promise<Language | undefined>>()
  const load = (name: string): Promise<Language | undefined> => {
    const known = grammars.get(name)
    if (known) return known
    // A grammar that is missing or too new leaves the lines.
    const loading = Grammar.load(join(folder, `tree-sitter-${name}.wasm`)).catch(() => undefined)
    grammars.set(name, loading)
    return loading
  }
  return {
    async chunk(text, grammar) {
      const language = await load(grammar)
      return language && chunkTree(parser, language, text)
    },
  }
}

function chunkTree(parser: Parser, language: Language, text: string): readonly Chunk[] | undefined {
  parser.setLanguage(language)
  const tree = parser.parse(text)
  if (tree === null) return undefined
  try {
    const lines = text.split('\n')
    const chunks: Chunk[] = []
    collect(tree.rootNode, { lines, chunks, depth: 0 })
    return withRest(chunks, lines)
  } finally {
    tree.delete()
  }
}

interface Collecting {
  readonly lines: readonly string[]
  readonly chunks: Chunk[]
  readonly depth: number
}

const MAX_DEPTH = 8

function collect(node: Node, { lines, chunks, depth }: Collecting): void {
  let comment: Node | undefined
  for (const child of node.namedChildren) {
    if (child === null) continue
    if (/comment/.test(child.type)) {
      comment = comment && child.startPosition.row <= comment.endPosition.row + 1 ? comment : child
      continue
    }
    const definition = definitionIn(child)
    if (definition) chunks.push(...piecesOf(child, definition, comment, { lines, chunks, depth }))
    else if (depth < MAX_DEPTH && OPEN.test(child.type)) collect(child, { lines, chunks, depth: depth + 1 })
    comment = undefined
  }
}

/** The definition that a node is or wraps: an export, a decorator, or a name that a function is given to. */
function definitionIn(node: Node): Node | undefined {
  if (DEFINITION.test(node.type)) return node
  if (
    /^(export_statement|lexical_declaration|variable_declaration|expression_statement|ambient_declaration|assignment|public_field_definition|pair)$/.test(
      node.type,
    )
  ) {
    for (const child of node.namedChildren) {
      if (child === null) continue
      if (
        /^(variable_declarator|assignment_expression|assignment|lexical_declaration|variable_declaration)$/.test(
          child.type,
        )
      ) {
        if (/^(arrow_function|function_expression|function|class)$/.test(assignedTo(child)?.type ?? '')) return child
        const inner = definitionIn(child)
        if (inner) return inner
      }
      if (DEFINITION.test(child.type) || child.type === 'arrow_function' || child.type === 'function_expression')
        return child
    }
  }
  return undefined
}

function assignedTo(node: Node): Node | null {
  return node.childForFieldName('value') ?? node.childForFieldName('right')
}

function piecesOf(node: Node, definition: Node, comment: Node | undefined, collecting: Collecting): readonly Chunk[] {
  const { lines, depth } = collecting
  const from = (comment && comment.endPosition.row >= node.startPosition.row - 1 ? comment : node).startPosition.row + 1
  const inner: Chunk[] = []
  if (CONTAINER.test(definition.type) && depth < MAX_DEPTH)
    collect(definition.childForFieldName('body') ?? definition, { lines, chunks: inner, depth: depth + 1 })
  const endLine = node.endPosition.row + 1
  const own = lines.slice(
    node.startPosition.row,
    inner[0] ? Math.max(inner[0].line - 1, node.startPosition.row + 1) : endLine,
  )
  const whole: Chunk = {
    ...{ line: from, endLine, name: nameOf(definition) },
    head: lines[definition.startPosition.row] ?? '',
    comments: lines.slice(from - 1, node.startPosition.row).join('\n'),
    body: own.join('\n'),
  }
  return [whole, ...inner]
}

function nameOf(node: Node): string {
  const named =
    node.childForFieldName('name') ??
    node.childForFieldName('left') ??
    node.childForFieldName('declarator') ??
    node.childForFieldName('type')
  if (named) return (named.text.split(/[({<\n]/)[0] ?? '').trim().slice(0, 200)
  const inner = node.namedChildren.find(
    (child) => child !== null && (DEFINITION.test(child.type) || /declarator|spec|identifier/.test(child.type)),
  )
  return inner ? nameOf(inner) : ''
}

/** Adds the lines that belong to no definition. */
function withRest(chunks: readonly Chunk[], lines: readonly string[]): readonly Chunk[] {
  const outer = chunks.toSorted((a, b) => a.line - b.line)
  const rest: Chunk[] = []
  let next = 1
  for (const { line, endLine } of outer) {
    if (line > next) rest.push(...chunkLines(lines, next, line - 1))
    next = Math.max(next, endLine + 1)
  }
  if (next <= lines.length) rest.push(...chunkLines(lines, next))
  return [...chunks, ...rest]
}
