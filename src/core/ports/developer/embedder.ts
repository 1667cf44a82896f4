/** A model that turns texts into vectors: texts of similar meaning get similar ones. */
export interface Embedder {
  /** Names the model; vectors of different models cannot be compared. */
  readonly id: string
  /** Returns one vector for each text. Rejects where the server does not answer. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>
}
