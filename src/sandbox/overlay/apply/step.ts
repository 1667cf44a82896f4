import type { Owner } from '../../owner.ts'

/** One step of applying changes. Each can be repeated. `kept` is the number under which the replaced entry is kept. */
export type Step =
  | { readonly step: 'delete'; readonly path: string; readonly kept: number }
  | { readonly step: 'folder'; readonly path: string; readonly owner: Owner }
  | { readonly step: 'put'; readonly path: string; readonly from: string; readonly kept: number }
  /** Moves a folder that the command made, with all that is in it. */
  | { readonly step: 'tree'; readonly path: string; readonly from: string }
  | { readonly step: 'mode'; readonly path: string; readonly mode: number; readonly before: number | null }
