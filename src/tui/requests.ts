import type { Home } from '../app/home.ts'
import type { OpenRequest } from '../core/approval/approval-queue.ts'
import type { OpenInput } from '../core/input/input.ts'
import type { Event } from '../core/session/event.ts'
import { Card } from './card/card.ts'
import type { EditText } from './external.ts'
import type { Screen } from './layers/layer.ts'
import { Question } from './layers/question.ts'

interface RequestParts {
  readonly home: Home
  readonly screen: Screen
  readonly edit: EditText | undefined
  /** True for the session at this terminal and those of its agents. */
  owns(session: string): boolean
  /** Calls the person: the terminal rings. */
  ring(): void
  /** Called when a call was run here because the process that asked is gone. */
  answeredFor(session: string): void
}

/** An approval request or a question that waits, of any session. */
interface WaitingRequest {
  readonly id: string
  readonly text: string
  readonly session: string
  show(): void
}

/** What waits for the person: approvals and questions. Those of this conversation open by themselves, one at a time; the others are counted. */
export class Requests {
  readonly #parts: RequestParts
  readonly #open = new Map<string, OpenRequest>()
  readonly #inputs = new Map<string, OpenInput>()
  readonly #unfollow: () => void
  #card: Card | undefined
  #question: { readonly id: string; readonly layer: Question } | undefined

  constructor(parts: RequestParts) {
    this.#parts = parts
    this.#unfollow = parts.home.approvals.on({
      asked: (open) => this.#asked(open),
      answered: (approval) => this.#answered(approval),
    })
  }

  /** How many requests wait that are not on the screen. */
  get waiting(): number {
    return this.#open.size + this.#inputs.size - (this.#card ? 1 : 0) - (this.#question ? 1 : 0)
  }

  /** True while a request is on the screen. */
  get isShowing(): boolean {
    return this.#card !== undefined || this.#question !== undefined
  }

  /** What waits, the approval requests first, each kind the oldest first. */
  list(): readonly WaitingRequest[] {
    const approvals = [...this.#open.values()].map((open) => ({
      id: open.request.approval,
      text: open.request.summary?.sentence.replaceAll('`', '') ?? open.request.tool,
      session: open.request.session,
      show: () => this.#show(open),
    }))
    const questions = [...this.#inputs.values()].map((input) => ({
      ...{ id: input.input, text: input.question, session: input.session },
      show: () => this.#ask(input),
    }))
    return [...approvals, ...questions]
  }

  /** Shows the oldest request of this conversation, once nothing else is shown. */
  showNext(): void {
    if (this.#card || this.#question) return
    const next = [...this.#open.values()].find(({ request }) => this.#parts.owns(request.session))
    const input = [...this.#inputs.values()].find(({ session }) => this.#parts.owns(session))
    if (next) this.#show(next)
    else if (input) this.#ask(input)
  }

  #show(open: OpenRequest): void {
    if (this.#card) return
    const { home, screen, edit, ring, answeredFor } = this.#parts
    const card = new Card({
      ...{ open, screen, edit, queue: home.approvals },
      ended: (taken) => {
        this.#card = undefined
        this.#open.delete(open.request.approval)
        if (taken?.runs === 'here') answeredFor(open.request.session)
        this.showNext()
      },
    })
    this.#card = card
    ring()
    screen.open(card)
  }

  /** Takes in an event of this conversation. */
  hear(event: Event): void {
    if (event.type === 'input-request') {
      const { input, session, call, question, options, at } = event
      this.#inputs.set(input, { input, session, call, question, askedAt: at, ...(options && { options }) })
      this.showNext()
    } else if (event.type === 'input-answer') this.#inputAnswered(event.input)
    else if (event.type === 'call-end')
      for (const { input, call } of this.#inputs.values()) if (call === event.call) this.#inputAnswered(input)
  }

  /** Reads anew which questions wait, those of other processes too. */
  async refresh(): Promise<void> {
    const open = await this.#parts.home.inputs.list()
    this.#inputs.clear()
    for (const input of open) this.#inputs.set(input.input, input)
    this.showNext()
  }

  close(): void {
    this.#unfollow()
  }

  #asked(open: OpenRequest): void {
    if (open.answer !== null) return
    this.#open.set(open.request.approval, open)
    if (!this.#parts.owns(open.request.session)) this.#parts.ring()
    this.showNext()
    this.#parts.screen.changed()
  }

  #answered(approval: string): void {
    this.#open.delete(approval)
    if (this.#card?.open.request.approval === approval) this.#card.withdraw()
    this.#parts.screen.changed()
  }

  #ask(input: OpenInput): void {
    if (this.#question) return
    const { home, screen, ring } = this.#parts
    const close = () => {
      screen.close(layer)
      this.#question = undefined
    }
    const layer = new Question({
      question: input,
      screen,
      answer: (text) => {
        close()
        this.#inputs.delete(input.input)
        void home.inputs.answer(input.input, text, 'terminal').then((taken) => {
          if (!taken.ok) screen.say(taken.text)
          else this.#parts.answeredFor(input.session)
          this.showNext()
        })
      },
      later: () => {
        close()
        screen.say('The question waits. Answer it later with /approvals.')
      },
    })
    this.#question = { id: input.input, layer }
    ring()
    screen.open(layer)
  }

  #inputAnswered(id: string): void {
    this.#inputs.delete(id)
    if (this.#question?.id !== id) return
    this.#parts.screen.close(this.#question.layer)
    this.#question = undefined
    this.showNext()
  }
}
