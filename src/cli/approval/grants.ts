import type { Home } from '../../app/home.ts'
import type { Grant } from '../../core/approval/grant.ts'
import { showMoment } from '../../core/terminal/since.ts'
import { hangText, wrapWords } from '../../core/terminal/text-width.ts'
import { chooseById } from '../output/find-id.ts'
import { reportProblem } from '../output/report-problem.ts'
import { type Cli, type CommonOptions, columnsOf, EXIT, paint, paintError } from '../terminal/front-end.ts'

/** Runs `haft approvals grants`: lists every grant with its limits and how often it was used. */
export async function listGrants(cli: Cli, home: Pick<Home, 'approvals'>, { json }: CommonOptions): Promise<number> {
  const grants = await home.approvals.grants()
  if (json) cli.writeJson({ grants })
  else if (grants.length === 0) cli.print(paint('dim', 'No grants.'))
  else for (const grant of grants) cli.print(lineOf(grant))
  return EXIT.ok
}

function lineOf(grant: Grant): string {
  const { id, tool, text, workspace, used } = grant
  const columns = columnsOf(process.stdout)
  const use = `${limitOf(grant)}, used ${used} ${used === 1 ? 'time' : 'times'}, in ${workspace}`
  return [
    ...wrapWords(`${paint('bold', id)}  ${paint('cyan', tool)}  ${paint('reset', text)}`, columns),
    ...hangText('    ', paint('dim', use), columns),
  ].join('\n')
}

function limitOf({ until, times, session, used }: Grant): string {
  const limits = [
    ...(until === undefined ? [] : [`until ${showMoment(until, Date.now())}`]),
    ...(times === undefined ? [] : [`${times - used} of ${times} left`]),
    ...(session === undefined ? [] : [`in session ${session}`]),
  ]
  return limits.join(', ') || 'always'
}

/** Runs `haft approvals grants revoke ID`. */
export async function revokeGrant(
  cli: Cli,
  home: Pick<Home, 'approvals'>,
  { id: given, options }: { id: string; options: CommonOptions },
): Promise<number> {
  const grants = await home.approvals.grants()
  const candidates = grants.filter(({ id }) => id.startsWith(given))
  const known = grants.map(({ id }) => id)
  const found = chooseById(given, { candidates, known, kind: 'grant', listedBy: 'haft approvals grants' })
  if ('problem' in found) return reportProblem(cli, options, found.problem)
  const { id } = found
  const revoked = await home.approvals.revoke(id)
  if (options.json) cli.writeJson({ grant: id, revoked })
  else if (revoked) cli.print(paint('green', `Revoked ${id}.`))
  else cli.printError(paintError('red', `There is no grant ${id}. List grants with: haft approvals grants`))
  return revoked ? EXIT.ok : EXIT.failed
}
