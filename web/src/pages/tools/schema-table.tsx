import { useState } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { Shown } from '../../components/shown.tsx'

type Members = Readonly<Record<string, unknown>>

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}
}

/** The parameters of a tool as a table, and on request the JSON Schema itself. */
export function SchemaTable({ schema }: { readonly schema: unknown }) {
  const [isWhole, setWhole] = useState(false)
  const { properties, required } = membersOf(schema)
  const names = Array.isArray(required) ? required : []
  const rows = Object.entries(membersOf(properties))
  return (
    <>
      {rows.length === 0 ? (
        <p className="q">It takes no parameters.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>Name</th>
              <th>Type</th>
              <th>Meaning</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, member]) => {
              const isRequired = names.includes(name)
              const { description } = membersOf(member)
              return (
                <tr key={name}>
                  <td className={`m${isRequired ? ' b' : ''}`}>{name}</td>
                  <td className={`m${isRequired ? '' : ' qq'}`}>
                    {typeOf(member)}
                    {!isRequired && '?'}
                  </td>
                  <td>{typeof description === 'string' && <Shown text={description} />}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <p style={{ marginTop: 8 }}>
        <button type="button" className="linkish" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Hide the JSON Schema' : 'JSON Schema'}
        </button>
      </p>
      {isWhole && <CodeBlock code={JSON.stringify(schema, null, 2)} language="json" />}
    </>
  )
}

function typeOf(schema: unknown): string {
  const { type, enum: values, items, anyOf, const: only } = membersOf(schema)
  if (Array.isArray(values)) return values.length > 4 ? `${values.length} words` : values.map(String).join(' | ')
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(' | ')
  if (type === 'array') return `${typeOf(items)}[]`
  return typeof type === 'string' ? type : Array.isArray(type) ? type.join(' | ') : 'any'
}
