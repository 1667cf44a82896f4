import type { ModelSettings } from '../../core/model-settings.ts'
import type { Model, ModelAbilities } from '../../core/ports/model.ts'
import type { Usage } from '../../core/session/event.ts'

/** A model that can be used, or why it cannot. */
export interface ListedModel {
  /** As `--model` and the settings name it; `PROVIDER:NAME` where a key opens any model of a provider. */
  readonly name: string
  /** A settings file, a server that was found, or the variable that holds a key. */
  readonly from: string
  /** True for the one that is used where nobody names another. */
  readonly isSelected: boolean
  readonly abilities: ModelAbilities
  /** Why it cannot be used now. */
  readonly problem?: string
}

/** A model to be added. */
export interface NewModel {
  readonly name: string
  readonly settings: ModelSettings
  /** Kept in a private file, never in the settings or the log. */
  readonly key?: string
  /** Makes it the one that is used where nobody names another. */
  readonly isDefault?: boolean
}

/** The models of a home. */
export interface Models {
  /** The model that is used where nobody names another: HAFT_MODEL, else that of the settings. */
  selected(): string | undefined
  /** Every model that the settings name or that is found without them, with what each can do; sends no chat. */
  list(): Promise<readonly ListedModel[]>
  /** The names of the models that a server offers, by its metadata. Rejects with ModelError where it does not answer or refuses the key. */
  offered(server: Omit<ModelSettings, 'model'>, key?: string): Promise<readonly string[]>
  /** Opens a model, the selected one where none is named. Its replies are also written to the file `record`, which `replay:FILE` replays. Rejects with ModelError. */
  open(name?: string, options?: { readonly record?: string }): Promise<Model>
  /** Stores a model and its key in Haft's home. Rejects where there is no home or the name is taken by settings.toml. */
  add(model: NewModel): Promise<void>
  /** Sends a short chat and says what came of it; the only part that does so unasked by a session. */
  probe(name?: string): Promise<Probe>
}

/** What a test chat showed. */
export interface Probe {
  readonly model: string
  /** True where the model called the tool it was asked to call. */
  readonly calls: boolean
  readonly text: string
  readonly usage: Usage
  /** What was irregular about the reply. */
  readonly repairs: readonly string[]
  readonly milliseconds: number
}
