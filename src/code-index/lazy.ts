import type { CodeSearch } from '../core/ports/developer/code-search.ts'
import type { CodeIndexOptions } from './code-index.ts'

/** The index of a workspace, loaded at the first query. */
export function createLazyCodeIndex(options: CodeIndexOptions): CodeSearch {
  let opening: Promise<CodeSearch> | undefined
  return {
    async search(query) {
      opening ??= import('./code-index.ts').then(({ createCodeIndex }) => createCodeIndex(options))
      return (await opening).search(query)
    },
    close: () => void opening?.then((index) => index.close()),
  }
}
