import type { Home } from '../../app/home.ts'
import type { OpenInput } from '../../core/input/input.ts'
import { showMoment } from '../../core/terminal/since.ts'
import { hangText, wrapWords } from '../../core/terminal/text-width.ts'
import { chooseById } from '../output/find-id.ts'
import { printFailure, printProse, reportProblem } from '../output/report-problem.ts'
import { resumeRun } from '../run/resume-run.ts'
import { type Cli, type CommonOptions, columnsOf, EXIT, paint } from '../terminal/front-end.ts'

/** Returns the lines of a question that waits: its id, the text, the answers to choose from. */
export function inputLines({ input, question, options = [], session, askedAt }: OpenInput): string[] {
  const columns = columnsOf(process.stdout)
  const choices = options.map((option, index) => paint('reset', `${index + 1}. ${option}`))
  const asked = paint('dim', `asked ${showMoment(askedAt, Date.now())} in session ${session}`)
  return [
    ...wrapWords(`${paint('bold', input)}  ${paint('cyan', 'question')}  ${paint('reset', question)}`, columns),
    ...[...choices, asked].flatMap((text) => hangText('    ', text, columns)),
  ]
}

interface Answering {
  /** The id, or its start. */
  readonly id: string
  readonly answer: string | undefined
  readonly options: CommonOptions
}

/** Answers a question of a model, or shows it if no answer is given. A number chooses one of its options. If the process that asked has died, its run goes on here. Resolves to the exit code. */
export async function answerInput(cli: Cli, home: Home, { id: given, answer, options }: Answering): Promise<number> {
  const open = await home.inputs.list()
  const found = chooseById(given, {
    candidates: open
      .map(({ input, question }) => ({ id: input, text: question }))
      .filter(({ id }) => id.startsWith(given)),
    known: open.map(({ input }) => input),
    ...{ kind: 'question', listedBy: 'haft approvals' },
  })
  if ('problem' in found) return reportProblem(cli, options, found.problem)
  const asked = open.find(({ input }) => input === found.id)
  if (asked === undefined || answer === undefined) {
    if (options.json) cli.writeJson(asked)
    else for (const line of asked ? inputLines(asked) : []) cli.print(line)
    return EXIT.ok
  }
  const text = asked.options?.[Number(answer) - 1] ?? answer
  const taken = await home.inputs.answer(asked.input, text, 'haft approvals')
  if (options.json) cli.writeJson({ input: asked.input, ...taken })
  else if (!taken.ok) printFailure(cli, taken)
  else printProse(cli, `${asked.input}: answered.`)
  if (!taken.ok) return EXIT.failed
  return (await resumeRun(cli, home, { session: asked.session, options })) ?? EXIT.ok
}
