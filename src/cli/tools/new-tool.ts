import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '../../app/host.ts'
import { reasonOf } from '../../core/call/result.ts'
import { printProse, reportProblem } from '../output/report-problem.ts'
import { type Cli, EXIT, homeFolder, paint } from '../terminal/front-end.ts'
import { exampleCall } from './example-call.ts'
import { shortPath, shortPlace } from './short-path.ts'
import { type StarterLanguage, starterFile } from './starter-files.ts'

/** What is to be made, and how it is reported. */
export interface NewTool {
  readonly name: string
  readonly language: StarterLanguage
  readonly json?: boolean
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** Writes a starter file for a tool into the user's folder, loads it and says how to try it. Never replaces a file. Returns the exit code. */
export async function makeNewTool(cli: Cli, host: Host, { name, language, json = false }: NewTool): Promise<number> {
  const fail = (code: 'INVALID_ARGUMENTS' | 'CONFLICT' | 'PERMISSION_DENIED', text: string) =>
    reportProblem(cli, { json }, { code, text })
  if (!NAME.test(name))
    return fail(
      'INVALID_ARGUMENTS',
      `${JSON.stringify(name)} cannot be the name of a tool file. Start with a letter; use letters, digits, _ and -.`,
    )
  const taken = host.registry.snapshot().find(name)
  if (taken)
    return fail(
      'CONFLICT',
      `There is a tool ${name} already, ${taken.origin === 'built-in' ? 'built in' : `from ${shortPlace(taken)}`}. Choose another name.`,
    )
  const folder = join(homeFolder(), 'tools')
  const path = join(folder, `${name}.${language === 'python' ? 'py' : 'ts'}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(path, starterFile(name, language), { flag: 'wx', mode: 0o600 })
  } catch (thrown) {
    const isThere = thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST'
    if (isThere) return fail('CONFLICT', `${shortPath(path)} already exists and was not changed.`)
    return fail('PERMISSION_DENIED', `${shortPath(path)} could not be written: ${reasonOf(thrown)}.`)
  }
  await host.refreshTools()
  report(cli, host, { name, path, json })
  return EXIT.ok
}

function report(
  cli: Cli,
  { registry }: Host,
  { name, path, json }: { name: string; path: string; json: boolean },
): void {
  const snapshot = registry.snapshot()
  const entry = snapshot.find(name)
  if (json) {
    cli.writeJson({ ok: true, name, path, isLoaded: entry !== undefined })
    return
  }
  cli.print(`${paint('green', 'Made')} ${paint('bold', shortPath(path))}`)
  if (entry) {
    printProse(cli, 'It works as it is; try it, then change it. A running Haft picks every change up by itself.')
    cli.print(`  ${paint('cyan', exampleCall(name, entry.parameters))}`)
    return
  }
  const why = snapshot.skipped.find(({ source }) => source === path)?.reason
  printProse(
    cli,
    why === undefined
      ? 'It is not loaded. haft tools lists what is, and what was skipped.'
      : `It is not loaded: ${why}.`,
  )
}
