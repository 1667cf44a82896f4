/** Who fell out of the race and why. */
export interface Failed {
  readonly name: string
  readonly reason: string
}

/** What was measured, by contestant, one sample a round. */
export interface Rounds<Sample> {
  readonly samples: ReadonlyMap<string, readonly Sample[]>
  readonly failed: readonly Failed[]
}

/** How long a race is. */
export interface Length {
  readonly rounds: number
  /** Rounds before the first that counts. */
  readonly warm: number
}

/** Measures everybody once a round, round after round, one at a time, so that drift hits all alike. Whoever throws is out. */
export async function interleave<Sample>(
  names: readonly string[],
  { rounds, warm }: Length,
  measure: (name: string) => Sample | Promise<Sample>,
): Promise<Rounds<Sample>> {
  const samples = new Map<string, Sample[]>(names.map((name) => [name, []]))
  const failed: Failed[] = []
  for (let round = -warm; round < rounds; round++) {
    for (const [name, kept] of samples) {
      try {
        const sample = await measure(name)
        if (round >= 0) kept.push(sample)
      } catch (thrown) {
        samples.delete(name)
        failed.push({ name, reason: reasonOf(thrown) })
      }
    }
  }
  return { samples, failed }
}

/** Why something failed, in one short line. */
export function reasonOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return text.replaceAll(/\s+/g, ' ').slice(0, 300)
}
