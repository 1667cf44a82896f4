import { useEffect, useRef } from 'react'

/** Keys by name (`y`, `shift+n`, `mod+k`, `escape`) and what they do. A handler that returns false leaves the key to others. */
export type KeyHandlers = Readonly<Record<string, (() => unknown) | undefined>>

let pressedAt = Number.NEGATIVE_INFINITY
addEventListener(
  'keydown',
  ({ isTrusted }) => {
    // A key that a script makes is not a person who types.
    if (isTrusted) pressedAt = performance.now()
  },
  { capture: true, passive: true },
)

/** Returns for how long the person has pressed no key, in milliseconds. */
export function quietSince(): number {
  return performance.now() - pressedAt
}

/** Handles keys while it is active. Keys without Ctrl or ⌘ are left to text fields, except Escape. */
export function useKeys(isActive: boolean, handlers: KeyHandlers): void {
  const current = useRef(handlers)
  current.current = handlers
  useEffect(() => {
    if (!isActive) return
    const handle = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const name = nameOf(event)
      const handler = current.current[name]
      if (handler === undefined) return
      if (isTyping(event.target) && !name.startsWith('mod+') && name !== 'escape') return
      if (handler() !== false) event.preventDefault()
    }
    addEventListener('keydown', handle)
    return () => removeEventListener('keydown', handle)
  }, [isActive])
}

function nameOf({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string {
  const base = key.toLowerCase()
  const shift = shiftKey && base.length === 1 && base !== base.toUpperCase() ? 'shift+' : ''
  return `${ctrlKey || metaKey ? 'mod+' : ''}${altKey ? 'alt+' : ''}${shift}${base}`
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)) &&
    !(target instanceof HTMLInputElement && ['checkbox', 'radio', 'button'].includes(target.type))
  )
}
