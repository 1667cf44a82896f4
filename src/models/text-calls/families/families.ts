import { DEEPSEEK } from './deepseek.ts'
import type { Family } from './family.ts'
import { FUNCTIONARY, FUNCTIONARY_V2 } from './functionary.ts'
import { GEMMA } from './gemma.ts'
import { HARMONY, HARMONY_STRIPPED } from './harmony.ts'
import { MISTRAL } from './mistral.ts'
import { REACT } from './react.ts'
import { TAGGED } from './tagged.ts'
import { XML } from './xml.ts'

/** All families whose markup is read. A new family is a line in `tagged.ts`, or a file and a line here. */
export const FAMILIES: readonly Family[] = [
  ...TAGGED,
  XML,
  MISTRAL,
  DEEPSEEK,
  GEMMA,
  HARMONY,
  HARMONY_STRIPPED,
  FUNCTIONARY,
  FUNCTIONARY_V2,
  REACT,
]

/** The family that each opener belongs to. */
export const FAMILY_OF: ReadonlyMap<string, Family> = new Map(
  FAMILIES.flatMap((family) => family.openers.map((opener) => [opener, family] as const)),
)
