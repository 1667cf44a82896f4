import { RadioGroup } from 'radix-ui'
import { MODES, type Mode } from '../../../src/core/session/mode.ts'

/** What each mode means, in one line. */
export const MODE_WORDS: Readonly<Record<Mode, string>> = {
  plan: 'looks only; nothing changes',
  ask: 'changing or deleting existing files asks first',
  review: 'commands run on a copy; you approve what they really changed',
  edit: 'what can be undone runs without asking',
  auto: 'nothing asks; blocked calls stay blocked',
}

/** Chooses the mode of a session. */
export function ModePicker({ value, onChange }: { readonly value: Mode; readonly onChange: (mode: Mode) => void }) {
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
      <legend className="lab">Mode</legend>
      <RadioGroup.Root
        className="modes"
        aria-label="Mode"
        value={value}
        onValueChange={(next) => onChange(MODES.find((mode) => mode === next) ?? 'ask')}
      >
        {MODES.map((mode) => (
          <label key={mode} className={`radio mode-${mode}`} htmlFor={`mode-${mode}`}>
            <RadioGroup.Item className="rd" value={mode} id={`mode-${mode}`} />
            <span>
              <span className="b">{mode.charAt(0).toUpperCase() + mode.slice(1)}</span>{' '}
              <span className="q">{MODE_WORDS[mode]}</span>
            </span>
          </label>
        ))}
      </RadioGroup.Root>
    </fieldset>
  )
}
