import type { GrantOffer } from '../approval/grant.ts'
import type { ValidCall } from '../call/call.ts'
import type { Origin } from '../tool/snapshot.ts'
import type { Effect } from '../tool/tool.ts'
import type { NamedTouch, Touch } from '../tool/touch.ts'

export type Decision = 'allow' | 'ask' | 'deny'

/** Whose rules they are; those of a project nobody has trusted yet count only where they are stricter. */
export type Layer = 'defaults' | 'user' | 'project' | 'grants' | 'untrusted project'

/** The layers, weakest first: a later one that speaks beats an earlier one, but never a deny. */
export const LAYERS: readonly Layer[] = ['defaults', 'user', 'project', 'grants']

/** A rule as data. Every member that is given must match; a rule that matches nothing given matches every call. */
export interface Rule {
  readonly name: string
  readonly decision: Decision
  /** Shown to the model and the person. */
  readonly reason?: string
  /** Tool names: ids, wire names or aliases; `*` at an end matches the rest of an id. */
  readonly tools?: readonly string[]
  readonly origins?: readonly Origin[]
  readonly effects?: readonly Effect[]
  /** Globs, relative to the workspace. An allow needs every touched path to match, an ask or deny needs one. */
  readonly paths?: readonly string[]
  /** Host names; `*.example.com` matches below it. Counted as `paths` are. */
  readonly hosts?: readonly string[]
  /** Parameter → regular expression on its value as text. */
  readonly arguments?: Readonly<Record<string, string>>
  /** Patterns on the tool's main parameter; where that is a command line, on each command of it. Counted as `paths` are. */
  readonly main?: readonly string[]
  /** Patterns on each command a command line would run. Counted as `paths` are. */
  readonly commands?: readonly string[]
  /** Words that each command of a command line must start with, compared one by one; an allow also needs all other words to be known. Counted as `paths` are. */
  readonly prefixes?: readonly (readonly string[])[]
  /** Names of commands where a shell reads them, words or patterns in any text elsewhere. */
  readonly forbidden?: readonly string[]
  /** Calls it speaks of, under its decision, and calls it does not: `write_file {"path":"a"}`. Checked when it is loaded. */
  readonly examples?: Readonly<Partial<Record<Decision | 'not', readonly string[]>>>
  /** For rules given in code: a last condition. Throwing denies. */
  when?(call: ValidCall, touches: readonly Touch[]): boolean
}

/** What one rule said of one call. */
export interface Opinion {
  readonly layer: Layer
  readonly rule: string
  readonly decision: Decision
  readonly reason: string
  /** Where a grant speaks: which. */
  readonly grant?: string
}

/** A decision, who made it, and everything that was said on the way. */
export interface Verdict {
  readonly decision: Decision | 'silent'
  readonly rule: string
  readonly reason: string
  readonly trace: readonly Opinion[]
  readonly grant?: string
}

/** One command of a command line, every quote, variable and wrapper resolved. */
export interface ReadCommand {
  /** The last part of its path. */
  readonly name: string
  readonly argv: readonly string[]
  readonly text: string
  /** True when every word is known: no variable, substitution or glob is left in them. */
  readonly isExact: boolean
}

/** What a call would do, as far as it can be read: command lines are opened. */
export interface CallReading {
  /** The tool's own touches and those of the commands it would run. */
  readonly touches: readonly Touch[]
  readonly commands: readonly ReadCommand[]
  /** What its command lines would do beside touching paths and hosts, each in a word of the default rules. */
  readonly acts: readonly string[]
  /** False where something cannot be told: then nothing that must hold for all of it does. */
  readonly isClear: boolean
  /** True where its command lines cannot work without reaching another machine. */
  readonly needsNetwork: boolean
  /** The same in words for people. */
  readonly words: readonly string[]
}

/** What was read in a call, and every opinion of it in the order of the layers. */
export interface Judgement {
  readonly reading: CallReading
  readonly opinions: readonly Opinion[]
}

/** One change that a command really made, before it is applied. */
export interface RealChange {
  readonly kind: 'writes' | 'deletes'
  /** Relative to the workspace. */
  readonly path: string
  /** True where the workspace held something at the path before the command ran. */
  readonly existed: boolean
}

/** The decision about the changes of one command: the strictest one, and the path it is about. */
export interface ChangeVerdict {
  readonly decision: Decision
  readonly rule: string
  readonly reason: string
  /** The first path that the deciding rule matched; undefined where no rule denies or asks. */
  readonly path?: string
  /** The opinions about that path. */
  readonly trace: readonly Opinion[]
}

/** A call that ran, and the paths that the person who approved it was shown. */
export type RanCall = ValidCall & { readonly approvedPaths?: readonly string[] }

/** Asks the rules. May throw or reject, which denies; a promise only while the reader of command lines is being loaded. */
export interface Judge {
  judge(call: ValidCall, touches: readonly Touch[]): Judgement | Promise<Judgement>
  /** The grants that would fit a call a person is asked about. */
  offer(call: ValidCall, reading: CallReading): Promise<readonly GrantOffer[]>
  /** The deny against a call that also touches this, or undefined: for what a tool reaches without having named it. Needs nothing loaded, so the answer is the same on the first call and on every later one. */
  findDeny(call: ValidCall, touch: NamedTouch): Opinion | undefined
  /** Judges what a command really changed, before it is applied: all denies, ask rules of people and projects on paths, and the default ask about files that other programs trust. Paths that the approval named are not asked about again. Never throws. */
  judgeChanges(call: RanCall, changes: readonly RealChange[]): ChangeVerdict
}

/** A rule in force, whose it is and where it stands. */
export interface RuleInForce {
  readonly layer: Layer
  readonly source: string
  readonly rule: Pick<Rule, 'name' | 'decision' | 'reason' | 'examples'>
}
