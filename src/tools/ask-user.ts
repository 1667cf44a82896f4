import { answer, ToolError } from '../core/call/result.ts'
import { resultOfAnswer } from '../core/input/read-answer.ts'
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
    const result = resultOfAnswer(await input({ ...asked, isResult: true }))
    if (!result.ok) throw new ToolError(result.code, result.text)
    return answer(result.text, result.data)
  },
})
