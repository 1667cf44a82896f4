// Makes the picture of the terminal UI: `node scripts/terminal-picture.ts FILE [COLUMNS]`. A scripted model works on the sample project; the picture shows the card of a command that deletes.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { fillHome, REPLIES } from './pictures/sample-home.ts'
import { startScriptedModel } from './pictures/scripted-model.ts'
import { terminalPage } from './pictures/terminal-html.ts'
import { makeSampleProject } from './sample-project.ts'

const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
]
const MESSAGE = 'The cart adds up wrong when I buy several of one thing. Find out why and fix it.'

const [, , file = 'docs/images/terminal.png', columns = '96'] = process.argv
const folder = mkdtempSync(join(tmpdir(), 'haft-pictures-'))
const home = join(folder, '.haft')
const workspace = makeSampleProject(join(folder, 'shop'), home)
writeFileSync(join(workspace, '.env'), 'TAX=19\n')
const model = await startScriptedModel(REPLIES)
fillHome(home, model.url)

const socket = `haft-picture-${process.pid}`
const tmux = (...args: readonly string[]) =>
  execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' })
const variables = [`HAFT_HOME=${home}`, `HOME=${folder}`, 'LANG=C.UTF-8', 'LC_ALL=C.UTF-8', 'TERM=xterm-256color']
const program = `${process.execPath} ${resolve(import.meta.dirname, '../dist/main.js')}`

/** Waits until the terminal shows this. */
async function shows(what: RegExp): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (what.test(tmux('capture-pane', '-p', '-t', 'haft'))) return
    await pause(100)
  }
  throw new Error(`the terminal never showed ${what}:\n${tmux('capture-pane', '-p', '-t', 'haft')}`)
}

try {
  const size = ['-x', columns, '-y', '46']
  tmux('new-session', '-d', '-s', 'haft', ...size, '-c', workspace, ...variables.flatMap((one) => ['-e', one]), program)
  await shows(/sandbox on/)
  tmux('send-keys', '-t', 'haft', '-l', MESSAGE)
  tmux('send-keys', '-t', 'haft', 'Enter')
  await shows(/Change 1 line[\s\S]*\[y\]es/)
  tmux('send-keys', '-t', 'haft', 'y')
  await shows(/Delete the folder[\s\S]*\[y\]es/)
  const screen = tmux('capture-pane', '-p', '-e', '-t', 'haft').replaceAll(folder, '~')
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: SWITCHES })
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, deviceScaleFactor: 1.5 })
  await page.setContent(terminalPage(screen))
  await page.locator('body').screenshot({ path: file })
  await browser.close()
} finally {
  tmux('kill-server')
  model.close()
  rmSync(folder, { recursive: true, force: true })
}
