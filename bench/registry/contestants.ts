import { findContestant } from '../lib/contestant.ts'
import { haft } from './haft.ts'
import { libraries } from './libraries.ts'
import { maps } from './maps.ts'
import { mcp } from './mcp.ts'
import { weigh } from './weigh.ts'

/** Everybody in the race. Started as a program with one of their names and a count, this file prints what that many tools cost. */
export const contestants = [...maps, ...haft, ...libraries, ...mcp]

if (import.meta.main) {
  const [, , name, count] = process.argv
  const catalogue = await findContestant(contestants, name).start()
  console.log(JSON.stringify(await weigh(catalogue, Number(count))))
  process.exit(0)
}
