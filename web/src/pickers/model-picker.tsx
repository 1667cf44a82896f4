import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { lazy, Suspense, useState } from 'react'
import type { useModels } from '../api/queries.ts'

const ModelList = lazy(() => import('./model-list.tsx'))

interface Props {
  readonly models: ReturnType<typeof useModels>
  readonly value: string | undefined
  readonly onChange: (model: string) => void
  readonly isSmall?: boolean
}

/** Chooses a model from those that were found; `demo` is always there. */
export function ModelPicker({ models, value, onChange, isSmall = false }: Props) {
  const [isOpen, setOpen] = useState(false)
  const usable = (models?.models ?? []).filter(({ name }) => !name.endsWith(':NAME'))
  const names = [...new Set([...usable.map(({ name }) => name), 'demo'])]
  const chosen = usable.find(({ name }) => name === value)
  return (
    <div>
      {!isSmall && <span className="lab">Model</span>}
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger className={isSmall ? 'btn bare' : 'pick'} aria-label={`Model, ${value ?? 'none'}`}>
          <span className="cut">{value ?? '…'}</span>
          {!isSmall && (
            <span className="qq t1">
              {chosen?.abilities.context ? `${Math.round(chosen.abilities.context / 1024)}k` : ''}
            </span>
          )}
          <ChevronDown className="i s" strokeWidth={1.75} aria-hidden="true" />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            className="pop wide-pop"
            align="start"
            sideOffset={4}
            collisionPadding={12}
            aria-label="Models"
          >
            <Suspense fallback={<p className="opt q">Loading…</p>}>
              <ModelList
                names={names}
                models={usable}
                onChoose={(name) => {
                  onChange(name)
                  setOpen(false)
                }}
              />
            </Suspense>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </div>
  )
}
