import { answer, ToolError } from '../core/call/result.ts'
import { array, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

export default defineTool({
  name: 'ask_user',
  description: 'Ask the user a question and wait for the answer. Use it only when the answer changes what you do next.',
  input: objectSchema({
    question: string('One question', { minLength: 1, maxLength: 4_000 }),
    options: optional(
      array(string('One answer', { minLength: 1, maxLength: 500 }), 'Answers to choose from', { maxItems: 10 }),
    ),
  }),
  effect: 'none',
  control: true,
  main: 'question',
  async execute(asked, { input }) {
    const given = await input(asked)
    if (!given.answered)
      throw new ToolError(
        'UNAVAILABLE',
        `The user did not answer: ${given.reason}. Decide yourself and say what you assumed.`,
      )
    return answer(given.answer, { answer: given.answer, by: given.by })
  },
})
