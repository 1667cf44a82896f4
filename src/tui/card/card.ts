import type { Key } from 'ink'
import type { Reply } from '../../core/approval/approval.ts'
import type { AcceptedAnswer, ApprovalQueue, OpenRequest } from '../../core/approval/approval-queue.ts'
import { messageOf } from '../../core/call/result.ts'
import { Pause } from '../../core/terminal/pause.ts'
import { dryRunLines } from '../../core/terminal/request-lines.ts'
import { wrapWords } from '../../core/terminal/text-width.ts'
import { isSameJson } from '../../core/text/json.ts'
import { printable } from '../../core/text/printable.ts'
import type { EditText } from '../external.ts'
import { type Layer, type Screen, WAITS_FOR_PAUSE } from '../layers/layer.ts'
import { TextField } from '../layers/text-field.ts'
import type { Drawn, Look } from '../look.ts'
import { timeSince } from '../session/item-rows.ts'
import { framed, insideOf, requestRows, traceRows } from './card-rows.ts'
import { fieldOf, readArguments, withField } from './edit-arguments.ts'
import { pickGrant } from './pick-grant.ts'

interface CardOptions {
  readonly open: OpenRequest
  readonly queue: ApprovalQueue
  readonly screen: Screen
  /** Opens a text in the person's editor. */
  readonly edit: EditText | undefined
  /** Called when there is an answer, from here or elsewhere, and the card is gone. */
  ended(taken: AcceptedAnswer | undefined): void
}

/** Takes what a person typed. Resolves to false where they have to change it. */
type Submit = (text: string) => Promise<boolean>

/** An approval request that waits for the person at this terminal. */
export class Card implements Layer {
  readonly open: OpenRequest
  readonly #options: CardOptions
  readonly #over = new AbortController()
  readonly pause: Pause
  #field: { readonly field: TextField; readonly submit: Submit } | undefined
  /** Arguments as they were written last in the editor. */
  #draft: string | undefined
  #extra: ((look: Look) => string[]) | undefined
  /** A short message above the keys. */
  #note = ''
  #isBusy = false
  #first = 0
  #space = 0
  /** How many rows of the request were on the screen, from its top on, and in how many columns. */
  #seen = 0
  #columns = 0
  #length = 0

  constructor(options: CardOptions) {
    this.open = options.open
    this.#options = options
    this.pause = new Pause(() => options.screen.changed())
  }

  get takesText(): boolean {
    return this.#field !== undefined && !this.#isBusy
  }

  draw(look: Look): Drawn {
    const { request, askedAt } = this.open
    const inner = insideOf(look)
    const { paint, columns } = inner
    const asked = requestRows(request, inner)
    const body = [...asked, ...(this.#extra?.(inner) ?? [])]
    const field = this.#field?.field.draw(inner)
    const keys = field ? [paint('dim', 'enter send  esc back')] : this.#keyRows(inner)
    const note = this.#note === '' ? [] : wrapWords(printable(this.#note), columns).slice(0, Math.ceil(look.rows / 3))
    const answering = [...note.map((row) => paint('yellow', row)), ...(field?.rows ?? []), ...keys]
    const room = look.rows - answering.length - 2
    const isLong = body.length > room
    this.#space = Math.max(3, isLong ? room - wrapWords(whereIn(body.length, body.length), columns).length : room)
    this.#first = Math.max(0, Math.min(this.#first, body.length - this.#space))
    if (this.#columns !== columns) this.#seen = 0
    this.#columns = columns
    this.#length = asked.length
    if (this.#first <= this.#seen) this.#seen = Math.max(this.#seen, this.#first + this.#space)
    const rows = body.slice(this.#first, this.#first + this.#space)
    const where = `rows ${this.#first + 1}-${this.#first + rows.length} of ${body.length}, ↑↓ scroll`
    const unseen = this.#length - this.#seen
    const place = isLong ? wrapWords(unseen > 0 ? whereIn(body.length, unseen) : where, columns) : []
    const shown = [...rows, ...place.map((row) => paint(unseen > 0 ? 'yellow' : 'dim', row))]
    const right = `${request.tool.replace(/^mcp_/, '')} · ${timeSince(askedAt, Date.now())}`
    const above = shown.length + note.length + 1
    return {
      rows: framed([...shown, ...answering], { title: '? Waiting for you', right }, look),
      cursor: field?.cursor && { x: field.cursor.x + 2, y: field.cursor.y + above },
    }
  }

  press(input: string, key: Key): boolean {
    if (this.#isBusy) return false
    if (this.#field) return this.#pressField(this.#field, input, key)
    if (key.upArrow) this.#first--
    else if (key.downArrow) this.#first++
    else if (key.pageUp) this.#first -= this.#space
    else if (key.pageDown || input === ' ') this.#first += this.#space
    else if (key.ctrl || key.meta) return false
    else if (key.escape) this.#answer({ approved: false })
    else return this.#choose(input.toLowerCase())
    return true
  }

  paste(text: string): void {
    if (!this.#isBusy) this.#field?.field.paste(text)
  }

  /** Takes the card away: somebody else has answered, or the call has ended. */
  withdraw(): void {
    if (this.#over.signal.aborted) return
    this.#end(undefined)
    this.#options.screen.say('Answered elsewhere, or its call has ended. This card can no longer be answered.')
  }

  /** The keys, from when they count. */
  #keyRows({ columns, paint }: Look): string[] {
    if (!this.pause.isOver) return wrapWords(WAITS_FOR_PAUSE, columns).map((row) => paint('dim', row))
    const { hasRun, canDryRun, grants } = this.open.request
    const keys = hasRun
      ? ['[y] apply', '[n] discard', '[r]eason']
      : [
          '[y]es',
          '[n]o',
          '[r]eason',
          '[e]dit',
          ...(grants.length > 0 ? ['[a]lways…'] : []),
          ...(canDryRun ? ['[d]ry run'] : []),
        ]
    const all = [...keys, '[t]race', hasRun ? 'Esc = discard' : 'Esc = no']
    // A no-break space keeps the words of one key on one row.
    const text = all.map((one) => one.replaceAll(' ', '\u00a0')).join('  ')
    return wrapWords(text, columns).map((row) => paint('bold', row.replaceAll('\u00a0', ' ')))
  }

  /** Does what a letter stands for. Returns false for any other, which is no answer. */
  #choose(letter: string): boolean {
    const { request } = this.open
    this.#note = ''
    if (letter === 'y') this.#approve()
    else if (letter === 'n') this.#answer({ approved: false })
    else if (letter === 'r')
      this.#type('reason', '', async (text) => {
        const reason = text.trim()
        this.#answer({ approved: false, ...(reason && { reason }) })
        return true
      })
    else if (letter === 'e' && !request.hasRun) void this.#edit()
    else if (letter === 'a' && request.grants.length > 0) this.#grant()
    else if (letter === 'd' && request.canDryRun) void this.#dryRun()
    else if (letter === 't' || letter === '?') this.#explain()
    else return false
    return true
  }

  #approve(): void {
    if (this.#isRead()) this.#answer({ approved: true })
  }

  /** True once every row was seen. Until then it shows the next page; the last one is held for a pause, so that a key that is held down does not answer. */
  #isRead(): boolean {
    if (this.#seen >= this.#length) return true
    if (this.#seen + this.#space >= this.#length) this.pause.restart()
    this.#first = this.#seen
    return false
  }

  #say(text: string): void {
    this.#note = text
    this.#options.screen.changed()
  }

  readonly #trace = (look: Look): string[] => traceRows(this.open.request, look)

  /** Shows which rules decided, in place of anything else below the request, or hides it again. */
  #explain(): void {
    this.#extra = this.#extra === this.#trace ? undefined : this.#trace
    this.#first = Number.MAX_SAFE_INTEGER
  }

  #type(label: string, text: string, submit: Submit): void {
    this.#field = { field: new TextField(label, text), submit }
  }

  #pressField(
    { field, submit }: { readonly field: TextField; readonly submit: Submit },
    input: string,
    key: Key,
  ): boolean {
    if (key.escape) this.#field = undefined
    else if (key.return) void this.#send(submit, field.text)
    else field.press(input, key)
    return true
  }

  /** Passes on what a field holds. The field stays, with its text, until that is taken. */
  async #send(submit: Submit, text: string): Promise<void> {
    const field = this.#field
    if ((await submit(text)) && this.#field === field) this.#field = undefined
    this.#options.screen.changed()
  }

  async #dryRun(): Promise<void> {
    this.#isBusy = true
    this.#say('Dry run: nothing will be applied…')
    const result = await this.#options.queue.dryRun(this.open.request.approval, this.#over.signal)
    this.#isBusy = false
    this.#extra = ({ paint, columns }) => dryRunLines(result, { paint, columns, limit: 200 })
    this.#first = Number.MAX_SAFE_INTEGER
    this.#say('')
  }

  async #edit(): Promise<void> {
    if (!this.#isRead()) return
    const { edit, screen } = this.#options
    const given = this.#given
    const field = fieldOf(given)
    if (field) return this.#type(field.name, field.text, (text) => this.#submit(withField(given, field.name, text)))
    const draft = this.#draft ?? JSON.stringify(given, null, edit ? 2 : undefined)
    if (edit === undefined) return this.#type('arguments', draft, (text) => this.#submitJson(text))
    this.#isBusy = true
    const edited = await screen.suspend(() => edit(draft, 'arguments.json'))
    this.#isBusy = false
    if ('problem' in edited) return this.#say(edited.problem)
    this.#draft = edited.text
    await this.#submitJson(edited.text)
  }

  /** The arguments that a person edits. */
  get #given(): unknown {
    const { sent, arguments: args } = this.open.request
    return sent ?? args
  }

  async #submitJson(text: string): Promise<boolean> {
    const read = readArguments(text)
    if ('value' in read) return this.#submit(read.value)
    this.#say(read.problem)
    return false
  }

  /** Approves the call with changed arguments once they are checked. Until then no key counts, so that nothing else can be shown or approved meanwhile. Resolves to false where they are refused. */
  async #submit(changed: unknown): Promise<boolean> {
    if (isSameJson(changed, this.#given)) {
      this.#draft = undefined
      this.#say('Nothing was changed.')
      return true
    }
    const { queue } = this.#options
    this.#isBusy = true
    const problem = await queue.check(this.open.request.approval, changed).catch(messageOf)
    this.#isBusy = false
    if (problem === undefined) this.#answer({ approved: true, modifiedArgs: changed })
    this.#say(problem ?? '')
    return problem === undefined
  }

  #grant(): void {
    if (!this.#isRead()) return
    pickGrant(this.#options.screen, this.open.request, (grant) => this.#answer({ approved: true, grant }))
  }

  #answer(reply: Reply): void {
    const { queue } = this.#options
    const { approval, digest } = this.open.request
    this.#isBusy = true
    void queue.answer(approval, reply, { by: 'terminal', digest }).then((taken) => {
      this.#isBusy = false
      if (this.#over.signal.aborted) return
      if (taken.ok) return this.#end(taken)
      if (taken.code === 'CONFLICT') this.withdraw()
      else this.#say(taken.text)
    })
  }

  #end(taken: AcceptedAnswer | undefined): void {
    this.#over.abort()
    this.#options.screen.close(this)
    this.#options.ended(taken)
  }
}

function whereIn(rows: number, unseen: number): string {
  return `${rows} rows, ${unseen} not seen: y shows the next page`
}
