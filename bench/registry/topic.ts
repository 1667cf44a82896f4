import { joinParts } from '../lib/markdown.ts'
import type { Topic } from '../lib/topic-shape.ts'
import { raceImports } from './imports.ts'
import { raceTools } from './many-tools.ts'

const topic: Topic = {
  about:
    'Many tools, each with a schema of its own, defined and said to a model as OpenAI functions; and what an import costs.',
  async run(options) {
    const reports = [await raceTools(1_000, options), await raceTools(10_000, options), await raceImports(options)]
    return {
      markdown: joinParts(...reports.map(({ markdown }) => markdown)),
      gates: reports.flatMap(({ gates }) => gates),
    }
  },
}

export default topic
