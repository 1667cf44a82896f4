import type { GrantOffer } from '../approval/grant.ts'
import type { ValidCall } from '../call/call.ts'
import type { KnownPaths, PathKind } from '../ports/path-lookup.ts'
import type { Mode } from '../session/mode.ts'
import type { Origin, RegisteredTool } from '../tool/snapshot.ts'
import type { Effect } from '../tool/tool.ts'
import type { NamedTouch, Touch } from '../tool/touch.ts'

export type Decision = 'allow' | 'ask' | 'deny'

/** Where a rule comes from. Rules of a project that is not trusted count only if they are stricter. */
export type Layer = 'defaults' | 'user' | 'project' | 'grants' | 'untrusted project'

/** The layers, weakest first. A decision of a later layer overrides an earlier one, but never a deny. */
export const LAYERS: readonly Layer[] = ['defaults', 'user', 'project', 'grants']

/** A rule as data. Every given condition must match; a rule without conditions matches every call. */
export interface Rule {
  readonly name: string
  readonly decision: Decision
  /** Shown to the model and the person. */
  readonly reason?: string
  /** Tool names: ids, wire names or aliases. A `*` at the end matches any rest of an id. */
  readonly tools?: readonly string[]
  readonly origins?: readonly Origin[]
  readonly effects?: readonly Effect[]
  /** Globs of paths that a call reads, relative to the workspace; with `writes` and `deletes` one condition, counted as `paths` are. An allow that names one of the three must cover everything that the call changes, deletes or connects to, and all it reads outside the workspace. */
  readonly reads?: readonly string[]
  /** Globs of paths that a call changes or creates; an ask or deny also matches what it deletes. */
  readonly writes?: readonly string[]
  /** Globs of paths that a call deletes or moves away. */
  readonly deletes?: readonly string[]
  /** Globs of paths that a call reads, writes or deletes. An allow needs every touched path to match, an ask or deny needs one. */
  readonly paths?: readonly string[]
  /** Host names; `*.example.com` matches subdomains. Every or one must match, as for `paths`. */
  readonly hosts?: readonly string[]
  /** Parameter name → regular expression on its value as text. */
  readonly arguments?: Readonly<Record<string, string>>
  /** Patterns on the tool's main parameter; if that is a command line, on each of its commands. Every or one must match, as for `paths`. */
  readonly main?: readonly string[]
  /** Patterns on each command that a command line would run. Every or one must match, as for `paths`. */
  readonly commands?: readonly string[]
  /** Words that each command of a command line must start with, compared word by word. An allow rule also requires that all other words are known. Every or one must match, as for `paths`. */
  readonly prefixes?: readonly (readonly string[])[]
  /** Names of commands in command lines; words or patterns in any other text. */
  readonly forbidden?: readonly string[]
  /** Calls that the rule matches, listed under its decision, and under `not` calls that it does not match: `write_file {"path":"a"}`. Checked when the rule is loaded. */
  readonly examples?: Readonly<Partial<Record<Decision | 'not', readonly string[]>>>
  /** An additional condition, for rules given in code. A condition that throws denies. */
  when?(call: ValidCall, touches: readonly Touch[]): boolean
}

/** The decision of one rule about one call. */
export interface Opinion {
  readonly layer: Layer
  readonly rule: string
  readonly decision: Decision
  readonly reason: string
  /** The id of the grant, if the decision comes from one. */
  readonly grant?: string
}

/** A decision, the rule that made it, and the decisions of all rules that matched. */
export interface Verdict {
  readonly decision: Decision | 'silent'
  readonly rule: string
  readonly reason: string
  readonly trace: readonly Opinion[]
  readonly grant?: string
}

/** One command of a command line, with quotes, variables and wrappers resolved. */
export interface ReadCommand {
  /** The last part of its path. */
  readonly name: string
  readonly argv: readonly string[]
  readonly text: string
  /** True if every word is known: no variable, substitution or glob is left. */
  readonly isExact: boolean
}

/** What a call would do, as far as it can be read beforehand. Command lines are parsed. */
export interface CallReading {
  /** What the tool and the commands it would run touch. */
  readonly touches: readonly Touch[]
  readonly commands: readonly ReadCommand[]
  /** What its command lines would do in addition to touching paths and hosts, as keywords of the default rules. */
  readonly acts: readonly string[]
  /** False if a part cannot be read. A condition that must match every part then does not match. */
  readonly isClear: boolean
  /** True if its command lines cannot work without the network. */
  readonly needsNetwork: boolean
  /** The hosts that its command lines would reach over HTTP, named or predicted; undefined for a call without command lines. */
  readonly hosts?: readonly string[]
  /** True if its command lines use ssh, which no proxy carries. */
  readonly usesSsh?: boolean
  /** The effects as text for people. */
  readonly words: readonly string[]
}

/** What was read in a call, and the decisions of all rules that matched, in the order of the layers. */
export interface Judgement {
  readonly reading: CallReading
  readonly opinions: readonly Opinion[]
  /** What the judge learned about existence: path, relative to the workspace → what lies there. */
  readonly learned?: Readonly<Record<string, PathKind>>
  /** True where the mode allows the call although the tool, or its effect, would ask. */
  readonly isAllowedByMode?: boolean
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

/** Evaluates the rules. If it throws or rejects, the call is denied. Returns a promise only while the parser of command lines is being loaded. */
export interface Judge {
  /** With `known`, nothing is looked up: that is what exists. */
  judge(call: ValidCall, touches: readonly Touch[], known?: KnownPaths): Judgement | Promise<Judgement>
  /** The grants that can be offered for a call that needs approval. */
  offer(call: ValidCall, reading: CallReading): Promise<readonly GrantOffer[]>
  /** Returns the deny for a call that also touches this, or undefined. For what a tool reaches without having declared it. Loads nothing, so the answer is the same on the first call and on every later one. */
  findDeny(call: ValidCall, touch: NamedTouch): Opinion | undefined
  /** True where a rule that names hosts lets a running call connect to this one; no deny is looked for. */
  allowsHost(call: ValidCall, host: string): boolean
  /** True where rules that name hosts may let calls of a tool connect to some. */
  namesHosts(entry: RegisteredTool): boolean
  /** Judges what a command really changed, before it is applied: all denies, ask rules of people and projects on paths, and the default ask about files that other programs trust. Paths that the approval named are not asked about again. What lies inside a repository's `.git` is judged only by rules of people and projects: the apply step guards it. Never throws. */
  judgeChanges(call: RanCall, changes: readonly RealChange[]): ChangeVerdict
}

/** Tells which rules look at the text of arguments, beside what a call touches. */
export interface ArgumentRules {
  /** Returns the name of a rule of a person or project that looks at one of these arguments of a tool; undefined when none does. */
  findRuleOn(entry: RegisteredTool, names: readonly string[]): string | undefined
}

/** An active rule, with its layer and the file it comes from. */
export interface RuleInForce {
  readonly layer: Layer
  readonly source: string
  readonly rule: Pick<Rule, 'name' | 'decision' | 'reason' | 'examples'>
  /** What its examples suppose to exist; when left out, what does. */
  readonly supposes?: KnownPaths
  /** The mode whose rule it is. */
  readonly mode?: Mode
  /** True where the mode in force answers its ask with yes. */
  readonly isAnswered?: boolean
}
