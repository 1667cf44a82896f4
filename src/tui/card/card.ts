import type { Key } from 'ink'
import type { Reply } from '../../core/approval/approval.ts'
import type { AcceptedAnswer, ApprovalQueue, OpenRequest } from '../../core/approval/approval-queue.ts'
import { messageOf } from '../../core/call/result.ts'
import { dryRunLines } from '../../core/terminal/request-lines.ts'
import { wrapWords } from '../../core/terminal/text-width.ts'
import type { EditText } from '../external.ts'
import type { Layer, Screen } from '../layers/layer.ts'
import { Notice } from '../layers/notice.ts'
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
  readonly #notice = new Notice()
  #field: { readonly field: TextField; readonly submit: Submit } | undefined
  /** Arguments as they were written last in the editor. */
  #draft: string | undefined
  #extra: ((look: Look) => string[]) | undefined
  #isBusy = false
  #first = 0
  #space = 0
  #wasSeen = false

  constructor(options: CardOptions) {
    this.open = options.open
    this.#options = options
  }

  draw(look: Look): Drawn {
    this.#notice.begin(() => this.#options.screen.changed())
    const { request, askedAt } = this.open
    const inner = insideOf(look)
    const field = this.#field?.field.draw(inner)
    const body = [...requestRows(request, inner), ...(this.#extra?.(inner) ?? [])]
    const footer = field ? [...field.rows, inner.paint('dim', 'enter send  esc back')] : this.#footer(inner)
    this.#space = Math.max(3, look.rows - footer.length - 3)
    this.#first = Math.max(0, Math.min(this.#first, body.length - this.#space))
    const isLong = body.length > this.#space
    if (this.#first + this.#space >= body.length) this.#wasSeen = true
    const seen = body.slice(this.#first, this.#first + this.#space)
    const where = `rows ${this.#first + 1}-${this.#first + seen.length} of ${body.length}, ↑↓ scroll`
    const shown = [...seen, ...(isLong ? [inner.paint('dim', where)] : [])]
    const right = `${request.tool.replace(/^mcp_/, '')} · ${timeSince(askedAt, Date.now())}`
    const rows = framed([...shown, ...footer], { title: '? Waiting for you', right }, look)
    return { rows, cursor: field?.cursor && { x: field.cursor.x + 2, y: field.cursor.y + shown.length + 1 } }
  }

  press(input: string, key: Key): boolean {
    if (!this.#notice.isOver || this.#isBusy) return true
    if (this.#field) return this.#pressField(this.#field, input, key)
    if (key.upArrow) this.#first--
    else if (key.downArrow) this.#first++
    else if (key.pageUp) this.#first -= this.#space
    else if (key.pageDown || input === ' ') this.#first += this.#space
    else if (key.ctrl || key.meta) return false
    else if (key.escape) this.#answer({ approved: false })
    else this.#choose(input.toLowerCase())
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
  #footer({ columns, paint }: Look): string[] {
    if (!this.#notice.isOver) return [paint('dim', 'One moment…')]
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

  #choose(letter: string): void {
    const { request } = this.open
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
  }

  /** A card that is longer than the screen is approved only once its end was seen. */
  #approve(): void {
    if (this.#wasSeen) this.#answer({ approved: true })
    else this.#note('Scroll to the end first: there is more below.')
  }

  #note(text: string): void {
    this.#extra = ({ paint, columns }) => wrapWords(text, columns - 2).map((row) => paint('yellow', row))
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
    else return field.press(input, key)
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
    this.#note('Dry run: nothing will be applied…')
    const result = await this.#options.queue.dryRun(this.open.request.approval, this.#over.signal)
    this.#isBusy = false
    this.#extra = ({ paint, columns }) => dryRunLines(result, { paint, columns, limit: 200 })
    this.#first = Number.MAX_SAFE_INTEGER
    this.#options.screen.changed()
  }

  async #edit(): Promise<void> {
    const { request } = this.open
    const { edit, screen } = this.#options
    const given = request.sent ?? request.arguments
    const field = fieldOf(given)
    if (field) return this.#type(field.name, field.text, (text) => this.#submit(withField(given, field.name, text)))
    const draft = this.#draft ?? JSON.stringify(given, null, edit ? 2 : undefined)
    if (edit === undefined) return this.#type('arguments', draft, (text) => this.#submitJson(text))
    this.#isBusy = true
    const edited = await screen.suspend(() => edit(draft, 'arguments.json'))
    this.#isBusy = false
    if ('problem' in edited) return this.#note(edited.problem)
    this.#draft = edited.text
    await this.#submitJson(edited.text)
  }

  async #submitJson(text: string): Promise<boolean> {
    const read = readArguments(text)
    if ('value' in read) return this.#submit(read.value)
    this.#note(read.problem)
    return false
  }

  /** Approves the call with these arguments once they are checked. Until then no key counts, so that nothing else can be shown or approved meanwhile. Resolves to false where they are refused. */
  async #submit(changed: unknown): Promise<boolean> {
    const { queue, screen } = this.#options
    this.#isBusy = true
    const problem = await queue.check(this.open.request.approval, changed).catch(messageOf)
    this.#isBusy = false
    if (problem === undefined) this.#answer({ approved: true, modifiedArgs: changed })
    else this.#note(problem)
    screen.changed()
    return problem === undefined
  }

  #grant(): void {
    pickGrant(this.#options.screen, this.open.request, (grant) => this.#answer({ approved: true, grant }))
  }

  #answer(reply: Reply): void {
    const { queue, screen } = this.#options
    const { approval, digest } = this.open.request
    this.#isBusy = true
    void queue.answer(approval, reply, { by: 'terminal', digest }).then((taken) => {
      this.#isBusy = false
      if (this.#over.signal.aborted) return
      if (taken.ok) return this.#end(taken)
      if (taken.code === 'CONFLICT') this.withdraw()
      else this.#note(taken.text)
      screen.changed()
    })
  }

  #end(taken: AcceptedAnswer | undefined): void {
    this.#over.abort()
    this.#options.screen.close(this)
    this.#options.ended(taken)
  }
}
