import Form from '@rjsf/core/lib/components/Form.js'
import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  ErrorSchema,
  FieldTemplateProps,
  ObjectFieldTemplateProps,
  RJSFSchema,
  RJSFValidationError,
  UiSchema,
  ValidatorType,
  WidgetProps,
} from '@rjsf/utils'
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { api } from '../../api/api.ts'
import { Problem } from '../../components/problem.tsx'

interface Props {
  readonly tool: string
  readonly workspace: string
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

/** Accepts everything: the server is the judge, and a compiled validator is refused by the content security policy. */
const NO_VALIDATION: ValidatorType = {
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  isValid: () => true,
  rawValidation: () => ({ errors: [] as never[] }),
  toErrorList: (_schema?: ErrorSchema) => [] as RJSFValidationError[],
} as ValidatorType

const UI: UiSchema = { 'ui:submitButtonOptions': { norender: true }, 'ui:options': { label: true } }

const TEMPLATES = {
  FieldTemplate: Field,
  ObjectFieldTemplate: ObjectFields,
  DescriptionFieldTemplate: NoDescription,
  ArrayFieldTemplate: Items,
  ArrayFieldItemTemplate: Item,
}

/** A form made from the schema of a tool. */
export default function ArgumentsForm({ tool, workspace, value, onChange }: Props) {
  const { data, error } = useQuery({
    queryKey: ['tool', workspace, tool],
    queryFn: () => api().getTool({ name: tool, workspace }),
  })
  if (error) return <Problem text={`The form cannot be made: ${error.message} Use JSON.`} />
  if (!data) return <p className="q">Loading the form…</p>
  return (
    <Form
      schema={data.parameters as RJSFSchema}
      uiSchema={UI}
      formData={value}
      validator={NO_VALIDATION}
      noHtml5Validate
      tagName="div"
      templates={TEMPLATES}
      widgets={{ TextWidget: TextField, CheckboxWidget: CheckboxField }}
      onChange={({ formData }) => onChange(formData)}
    />
  )
}

function NoDescription() {
  return null
}

function Items({ items, canAdd, onAddClick, title }: ArrayFieldTemplateProps) {
  return (
    <div className="items">
      {items}
      {canAdd && (
        <button type="button" className="btn" onClick={onAddClick} aria-label={`Add to ${title}`}>
          <Plus className="i s" strokeWidth={1.75} aria-hidden="true" /> Add
        </button>
      )}
    </div>
  )
}

function Item({ children, hasToolbar, buttonsProps, index }: ArrayFieldItemTemplateProps) {
  return (
    <div className="flex item">
      <div className="grow">{children}</div>
      {hasToolbar && buttonsProps.hasRemove && (
        <button
          type="button"
          className="btn bare ico"
          aria-label={`Remove item ${index + 1}`}
          onClick={buttonsProps.onRemoveItem}
        >
          <X className="i s" strokeWidth={1.75} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}

function Field({ id, label, required, description, rawDescription, children, hidden, schema }: FieldTemplateProps) {
  if (hidden) return <div hidden>{children}</div>
  if (schema.type === 'object') return <>{children}</>
  return (
    <div className="fld">
      {schema.type === 'array' && <span className="lab">{label}</span>}
      {schema.type !== 'boolean' && schema.type !== 'array' && (
        <label className="lab" htmlFor={id}>
          {label} {required && <span className="qq">required</span>}
        </label>
      )}
      {children}
      {rawDescription && <p className="help">{rawDescription}</p>}
      {description && !rawDescription && <div className="help">{description}</div>}
    </div>
  )
}

function ObjectFields({ properties }: ObjectFieldTemplateProps) {
  return <div>{properties.map(({ content }) => content)}</div>
}

function TextField({ id, value, onChange, schema, placeholder, disabled, readonly }: WidgetProps) {
  const text = value === undefined || value === null ? '' : String(value)
  const isNumber = schema.type === 'number' || schema.type === 'integer'
  if (isNumber)
    return (
      <input
        id={id}
        className="in"
        type="number"
        value={text}
        disabled={disabled || readonly}
        onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
      />
    )
  return (
    <textarea
      id={id}
      className="in m"
      rows={Math.min(10, Math.max(1, text.split('\n').length))}
      value={text}
      placeholder={placeholder ?? ''}
      disabled={disabled || readonly}
      spellCheck={false}
      onChange={({ target }) => onChange(target.value === '' && value === undefined ? undefined : target.value)}
    />
  )
}

function CheckboxField({ id, value, onChange, label }: WidgetProps) {
  return (
    <div className="flex">
      <input
        id={id}
        type="checkbox"
        className="box"
        checked={value === true}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </div>
  )
}
