import type { Descriptor } from './descriptor.ts'
import type { FolderCache } from './workspace-root.ts'

/** Creates a cache of one open folder. Its user closes it. */
export function createFolderCache(): FolderCache & Disposable {
  let last: { readonly path: string; readonly descriptor: Descriptor } | undefined
  const clear = () => {
    last?.descriptor[Symbol.dispose]()
    last = undefined
  }
  return {
    get(path, open) {
      if (last?.path !== path) {
        clear()
        last = { path, descriptor: open() }
      }
      const { fd, where } = last.descriptor
      return { fd, where, [Symbol.dispose]: () => undefined }
    },
    clear,
    [Symbol.dispose]: clear,
  }
}
