import type { ModelSettings } from '../../core/model-settings.ts'
import type { Model, ModelAbilities } from '../../core/ports/model.ts'
import type { TargetName } from '../../core/schema-targets/target.ts'
import type { Usage } from '../../core/session/event.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'

/** A model that can be used, or why it cannot. */
export interface ListedModel {
  /** As `--model` and the settings name it; `PROVIDER:NAME` where a key opens any model of a provider. */
  readonly name: string
  /** A settings file, a server that was found, or the variable that holds a key. */
  readonly from: string
  /** True for the one that is used where nobody names another. */
  readonly isSelected: boolean
  /** True if it was added by a command or a page, and can be removed by one. */
  readonly isManaged: boolean
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

/** How a model is opened. */
export interface ModelOpenOptions {
  /** Its replies are also written to this file, which `replay:FILE` replays. */
  readonly record?: string
  /** Leaves the requests out of the recording, so that its replay fits any request. */
  readonly repliesOnly?: boolean
}

/** The model of a session, and what the person is told about the choice. */
export interface ChosenModel {
  readonly name: string
  readonly note?: string
}

/** The models of a home. */
export interface Models {
  /** The model that is used where nobody names another: HAFT_MODEL, else that of the settings. */
  selected(): string | undefined
  /** The models that the settings describe, by name. */
  settled(): Readonly<Record<string, ModelSettings>>
  /** Chooses the model of a session: the named one, else that of the settings, else the first that is found and can be used, else demo. */
  choose(named?: string): Promise<ChosenModel>
  /** Every model that the settings name or that is found without them, with what each can do; sends no chat. */
  list(): Promise<readonly ListedModel[]>
  /** The names of the models that a server offers, by its metadata. Rejects with ModelError where it does not answer or refuses the key. */
  offered(server: Omit<ModelSettings, 'model'>, key?: string): Promise<readonly string[]>
  /** Opens a model, the selected one where none is named. Rejects with ModelError. */
  open(name?: string, options?: ModelOpenOptions): Promise<Model>
  /** The form in which a model, the selected one where none is named, is sent tools; undefined for one that takes them as they are. Rejects with ModelError. */
  toolTarget(name?: string): Promise<TargetName | undefined>
  /** Stores a model and its key in Haft's home. Rejects where there is no home or the name is taken by settings.toml. */
  add(model: NewModel): Promise<void>
  /** Removes a model that `add` stored, and its key; false if there is none of that name. */
  remove(name: string): Promise<boolean>
  /** Sends a short chat with the tools of a run, those of the snapshot, and says what came of it; the only part that does so unasked by a session. */
  probe(name?: string, snapshot?: Snapshot): Promise<Probe>
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
