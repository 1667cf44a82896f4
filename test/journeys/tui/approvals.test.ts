import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { haft } from '../../support/built-program.ts'
import { openTui } from '../../support/tui.ts'

const NOTES = { files: { 'notes.txt': 'old\n' } }

test('S2.8 an approval shows sentence, diff, effects and rule; yes runs the call', async () => {
  const tui = await openTui(NOTES)
  tui.send('write notes.txt with new')
  const screen = await tui.card()
  expect(screen).toContain('Change 1 line in notes.txt')
  expect(screen).toContain('-old')
  expect(screen).toContain('+new')
  expect(screen).toMatch(/Undo +possible/)
  expect(screen).toContain('Asked by rule ask_change (defaults)')
  expect(screen).toMatch(/\[y\]es {2}\[n\]o {2}\[r\]eason {2}\[e\]dit/)
  tui.press('y')
  await tui.waitFor(/✓ write_file notes\.txt/)
  expect(readFileSync(join(tui.program.workspace, 'notes.txt'), 'utf8')).toBe('new')
})

test('S2.8 no with a reason: the call does not run, and the model gets the reason', async () => {
  const tui = await openTui(NOTES)
  tui.send('write notes.txt with new')
  await tui.card()
  tui.press('r')
  await tui.waitFor(/reason ›/)
  tui.type('not this file')
  tui.press('Enter')
  await tui.waitFor(/⊘ write_file[\s\S]*Denied by user: not this file/)
  expect(readFileSync(join(tui.program.workspace, 'notes.txt'), 'utf8')).toBe('old\n')
})

test('Esc is no at an approval, and the trace is behind t', async () => {
  const tui = await openTui(NOTES)
  tui.send('write notes.txt with new')
  await tui.card()
  tui.press('t')
  await tui.waitFor(/ask {3}ask_change \(defaults\)/)
  tui.press('Escape')
  await tui.waitFor(/Denied by user/)
})

test('edit changes one field in place, and the block says that it was edited', async () => {
  const tui = await openTui({ files: { 'a.txt': 'a', 'b.txt': 'b' } })
  tui.send('delete a.txt')
  await tui.card()
  tui.press('e')
  await tui.waitFor(/path › a\.txt/)
  tui.press('C-u')
  tui.type('b.txt')
  tui.press('Enter')
  await tui.waitFor(/✓ delete_file b\.txt +\[edited\]/)
  expect(existsSync(join(tui.program.workspace, 'a.txt'))).toBe(true)
  expect(existsSync(join(tui.program.workspace, 'b.txt'))).toBe(false)
})

test('a grant is chosen from a list, and the same call does not ask again', async () => {
  const tui = await openTui({ files: { 'a.txt': 'a' } })
  tui.send('write a.txt with same')
  await tui.card()
  tui.press('a')
  await tui.waitFor(/Approve from now on[\s\S]*> exactly this call/)
  tui.press('Down', 'Enter')
  await tui.waitFor(/For how long[\s\S]*> in this session/)
  tui.press('Enter')
  await tui.waitFor(/✓ write_file a\.txt[\s\S]*is written/)
  tui.send('write a.txt with other')
  await tui.waitFor(/with other[\s\S]*✓ write_file a\.txt/)
  expect(readFileSync(join(tui.program.workspace, 'a.txt'), 'utf8')).toBe('other')
})

test('a dry run shows what a command would do, and applies nothing; the trace can be read after it', async () => {
  const tui = await openTui({ files: { 'build/x': 'x' } })
  tui.send('run rm -rf build; echo gone')
  await tui.card()
  tui.press('d')
  await tui.waitFor(/dry run: nothing was applied[\s\S]*gone/)
  // The rules that decided take its place.
  tui.press('t')
  await tui.waitFor(/ask {3}ask_\w+ \(defaults\)[\s\S]*\[t\]race/)
  tui.press('n')
  await tui.waitFor(/Denied by user/)
  expect(existsSync(join(tui.program.workspace, 'build/x'))).toBe(true)
})

test('in mode review a command that has run is applied or discarded', async () => {
  const tui = await openTui({ args: ['--model', 'demo', '--mode', 'review'] })
  tui.send('run echo one > made.txt')
  expect(await tui.card()).toMatch(/Apply 1 change\?[\s\S]*\+one[\s\S]*\[y\] apply {2}\[n\] discard/)
  tui.press('n')
  await tui.waitFor(/⊘ shell/)
  expect(existsSync(join(tui.program.workspace, 'made.txt'))).toBe(false)
  tui.send('run echo two > made.txt')
  await tui.card()
  tui.press('y')
  await tui.waitFor(/✓ shell echo two/)
  expect(readFileSync(join(tui.program.workspace, 'made.txt'), 'utf8')).toBe('two\n')
})

test('a request that is answered elsewhere leaves the screen, and the call goes on', async () => {
  const tui = await openTui(NOTES)
  tui.send('write notes.txt with new')
  await tui.card()
  const { stdout } = await haft(tui.program, ['approvals', '--json'])
  const { approvals } = JSON.parse(stdout)
  await haft(tui.program, ['approvals', approvals[0].id, 'yes'])
  await tui.waitFor(/✓ write_file notes\.txt/)
  expect(readFileSync(join(tui.program.workspace, 'notes.txt'), 'utf8')).toBe('new')
})

test('a card longer than the screen is approved only once its end was seen', async () => {
  const tui = await openTui({ files: { 'long.txt': 'old\n' } })
  tui.send(`write long.txt with ${Array.from({ length: 60 }, (_, i) => `row${i}`).join('\\n')}`)
  expect(await tui.card()).toContain('66 rows, 40 not seen: y shows the next page')
  tui.press('y')
  await tui.waitFor(/66 rows, 14 not seen: y shows the next page/)
  expect(readFileSync(join(tui.program.workspace, 'long.txt'), 'utf8')).toBe('old\n')
  tui.press('NPage')
  await tui.waitFor(/Asked by rule ask_change/)
  tui.press('y')
  await tui.waitFor(/✓ write_file long\.txt/)
})

test('a person who goes on typing while cards appear answers none of them and loses no letter', async () => {
  const tui = await openTui(NOTES)
  tui.send('write notes.txt with new')
  await tui.typeEvery(60, 'which is why my copy is okay')
  expect(await tui.card()).toMatch(/^> which is why my copy is okay *$/m)
  expect(readFileSync(join(tui.program.workspace, 'notes.txt'), 'utf8')).toBe('old\n')
  tui.press('y')
  await tui.waitFor(/✓ write_file notes\.txt[\s\S]*^> which is why my copy is okay *$/m)
})

test('an editor that is left without saving leads back to the card', async () => {
  const tui = await openTui({ ...NOTES, env: { EDITOR: 'true' } })
  tui.send('write notes.txt with new')
  await tui.card()
  tui.press('e')
  await tui.waitFor(/Nothing was changed\.[\s\S]*\[y\]es/)
  expect(readFileSync(join(tui.program.workspace, 'notes.txt'), 'utf8')).toBe('old\n')
  tui.press('n')
  await tui.waitFor(/Denied by user/)
})
