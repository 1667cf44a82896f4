import { Check, ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useId } from 'react'
import { MODES, type Mode } from '../../../src/core/session/mode.ts'

/** What each mode means, in one line. */
export const MODE_WORDS: Readonly<Record<Mode, string>> = {
  plan: 'looks only; nothing changes',
  ask: 'changing or deleting existing files asks first',
  review: 'commands run on a copy; you approve what they really changed',
  edit: 'what can be undone runs without asking',
  auto: 'nothing asks; blocked calls stay blocked, pushes and sends cannot be undone',
}

export function modeName(mode: Mode): string {
  return mode.charAt(0).toUpperCase() + mode.slice(1)
}

interface Props {
  readonly value: Mode
  readonly onChange: (mode: Mode) => void
  /** True in the message box: a quiet button without a label above. */
  readonly isSmall?: boolean
}

/** Chooses the mode of a session: how much runs without a question. */
export function ModePicker({ value, onChange, isSmall = false }: Props) {
  const id = useId()
  return (
    <div>
      {!isSmall && (
        <span className="lab" id={id}>
          Mode
        </span>
      )}
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          className={`${isSmall ? 'btn bare' : 'pick'}${value === 'auto' ? ' auto' : ''}`}
          title={`${modeName(value)}: ${MODE_WORDS[value]}`}
        >
          <span className="sr">Mode, </span>
          <span className={isSmall ? '' : 'b'}>{modeName(value)}</span>
          {!isSmall && <span className="cut q">{MODE_WORDS[value]}</span>}
          <ChevronDown className="i s" strokeWidth={1.75} aria-hidden="true" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            className="pop wide-pop modes"
            align={isSmall ? 'end' : 'start'}
            sideOffset={4}
            collisionPadding={12}
            aria-label="Mode"
          >
            <DropdownMenu.RadioGroup
              value={value}
              onValueChange={(next) => onChange(MODES.find((mode) => mode === next) ?? 'ask')}
            >
              {MODES.map((mode) => (
                <DropdownMenu.RadioItem key={mode} className="opt" value={mode}>
                  <span className="tick">
                    <DropdownMenu.ItemIndicator asChild>
                      <Check className="i" strokeWidth={1.75} aria-hidden="true" />
                    </DropdownMenu.ItemIndicator>
                  </span>
                  <span className="grow">
                    <span className={`b${mode === 'auto' ? ' bad' : ''}`}>{modeName(mode)}</span>
                    <span className="d">{MODE_WORDS[mode]}</span>
                  </span>
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </div>
  )
}
