import { Command } from 'cmdk'
import type { AnswerOf } from '../../../src/core/api/routes.ts'

interface Props {
  readonly names: readonly string[]
  readonly models: AnswerOf<'listModels'>['models']
  readonly onChoose: (name: string) => void
}

/** The models to choose from, with a search; loaded when the picker is first opened. */
export default function ModelList({ names, models, onChoose }: Props) {
  return (
    <Command label="Models">
      <div className="sb">
        <Command.Input className="in" placeholder="Search models" autoFocus />
      </div>
      <Command.List className="scroll">
        <Command.Empty className="opt q">No model matches.</Command.Empty>
        {names.map((name) => {
          const model = models.find((one) => one.name === name)
          return (
            <Command.Item key={name} className="opt" value={name} onSelect={() => onChoose(name)}>
              <span className="grow">
                <span className="b">{name}</span>
                <span className="d" style={{ display: 'block' }}>
                  {name === 'demo'
                    ? 'No language model: a few plain commands, real calls'
                    : (model?.problem ?? model?.from)}
                </span>
              </span>
            </Command.Item>
          )
        })}
      </Command.List>
    </Command>
  )
}
