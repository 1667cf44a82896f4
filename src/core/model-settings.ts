/** The protocols that a `[models.NAME]` table can choose. */
export const MODEL_PROVIDERS = ['ollama', 'openai', 'anthropic', 'google'] as const
export type ModelProvider = (typeof MODEL_PROVIDERS)[number]

/** What a million tokens cost, in whatever currency the person thinks in. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
}

/** One `[models.NAME]` table of the settings. */
export interface ModelSettings {
  readonly provider: ModelProvider
  /** The name that the server knows the model by. */
  readonly model: string
  readonly baseUrl?: string
  /** The environment variable that holds the key. */
  readonly apiKeyEnv?: string
  /** Tokens of the context window. */
  readonly context?: number
  /** The most tokens of a reply; half of the context window where that is known and this is absent. */
  readonly maxOutput?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly temperature?: number
  readonly price?: ModelPrice
  /** Asks the model to follow the schemas of tools exactly; for the provider `openai`. */
  readonly strict?: boolean
}
