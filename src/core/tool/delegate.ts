/** Something a tool asks the app around it to do. */
export type DelegateEffect =
  | { readonly kind: 'open'; readonly path: string; readonly line?: number; readonly column?: number }
  | { readonly kind: 'show-diff'; readonly path: string; readonly diff: string }
  | { readonly kind: 'close'; readonly path: string }
  | { readonly kind: 'notify'; readonly text: string }

/** What became of it; a tool that hears `done: false` goes on. */
export type DelegateAnswer =
  | { readonly done: true; readonly text?: string }
  | { readonly done: false; readonly reason: string }

/** In whose name the app is asked, and what ends the wait for its answer. */
export interface DelegateAsker {
  readonly workspace: string
  readonly session: string
  readonly call: string
  readonly signal: AbortSignal
}

/** An app that does such things; undefined says that it does not do this one. May throw, which the tool is told. */
export type DelegateHandler = (
  effect: DelegateEffect,
  asker: DelegateAsker,
) => DelegateAnswer | undefined | Promise<DelegateAnswer | undefined>

/** Asks whoever is there; never rejects. */
export type Delegate = (effect: DelegateEffect, asker: DelegateAsker) => Promise<DelegateAnswer>

/** The answer where nobody is there. */
export const NOBODY_THERE: DelegateAnswer = Object.freeze({
  done: false,
  reason: 'there is no app here that could do it',
})
