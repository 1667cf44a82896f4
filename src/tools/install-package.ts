import { ToolError } from '../core/call/result.ts'
import { answerRun, RUN_OUTPUT } from '../core/call/run-answer.ts'
import { array, boolean, objectSchema, oneOf, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { runs } from '../core/tool/touch.ts'
import { MANAGER_TABLE, MANAGERS, type ManagerName } from './package-managers/managers.ts'
import { openProject } from './project/project-files.ts'

export default defineTool({
  name: 'install_package',
  description:
    'Add packages to the project with its package manager; asks first. Install scripts are off, and the network is open to the registry alone.',
  input: objectSchema({
    packages: array(string('Name, with version if needed', { minLength: 1, maxLength: 300 }), 'Packages', {
      minItems: 1,
      maxItems: 50,
    }),
    manager: optional(oneOf(MANAGERS, 'Default npm')),
    dev: optional(boolean('As a development dependency')),
    scripts: optional(boolean('Let the packages run install scripts, default false')),
    cwd: optional(string('Folder of the project, default the workspace', { minLength: 1, pattern: '^[^\\0]*$' })),
  }),
  output: RUN_OUTPUT,
  effect: 'run',
  approval: true,
  main: 'packages',
  timeout: () => 300,
  touches: (input) => [runs(commandOf(input).join(' '), input.cwd === undefined ? {} : { cwd: input.cwd })],
  prepare(input, { files }) {
    const { packages, manager, cwd = '.', scripts } = input
    packages.forEach(checkPackage)
    const project = openProject(files, cwd)
    const used = MANAGERS.find((name) => MANAGER_TABLE[name].fits(project))
    if (manager === undefined && used !== 'npm') throw unclear(used, cwd)
    if (manager === 'pip' && !project.has('.venv'))
      throw new ToolError(
        'FILE_NOT_FOUND',
        `There is no .venv in ${cwd} to install into. Create one with shell: python3 -m venv .venv`,
      )
    const from = `Install ${packages.map((name) => `\`${name}\``).join(', ')} with ${manager ?? 'npm'}`
    return {
      preview: { kind: 'command', text: commandOf(input).join(' ') },
      summary: scripts ? `${from}, whose install scripts run in the sandbox` : from,
    }
  },
  async execute(input, { run, delta }) {
    const { env = {} } = MANAGER_TABLE[input.manager ?? 'npm']
    return answerRun(
      await run({
        argv: commandOf(input),
        env: input.scripts ? {} : env,
        ...(input.cwd !== undefined && { cwd: input.cwd }),
        output: (_stream, text) => delta(text),
      }),
    )
  },
})

interface InstallInput {
  readonly packages: readonly string[]
  readonly manager?: ManagerName
  readonly dev?: boolean
  readonly scripts?: boolean
  readonly cwd?: string
}

function commandOf({ packages, manager = 'npm', dev = false, scripts = false }: InstallInput): readonly string[] {
  return MANAGER_TABLE[manager].command({ packages: packages.map(checkPackage), dev, scripts })
}

/** Returns the name of a package with its version. Throws ToolError for an option, a path or an address: only packages of the registry are installed. */
function checkPackage(text: string): string {
  const isName =
    /^(?:@[\w.-]+\/)?[A-Za-z0-9_][\w.-]*(?:\/[\w.-]+)*(?:\[[\w,.-]+\])?(?:(?:@|==|>=|<=|~=|!=|<|>)[\w.^~*+-]+)?$/.test(
      text,
    )
  if (isName && !text.includes('..')) return text
  throw new ToolError(
    'INVALID_ARGUMENTS',
    `packages: ${JSON.stringify(text.slice(0, 100))} is not a package name with an optional version, such as zod@4.1.5. Options, paths and addresses are refused.`,
  )
}

function unclear(used: ManagerName | undefined, cwd: string): ToolError {
  const known = used === undefined ? `no package.json was found in ${cwd}` : `the project in ${cwd} uses ${used}`
  return new ToolError('INVALID_ARGUMENTS', `manager: ${known}. Name the manager: ${MANAGERS.join(', ')}.`)
}
