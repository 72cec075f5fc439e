import { useId } from 'react'
import { takesMany } from './api-call.ts'
import classes from './apis.module.css'
import { useApis } from './apis-context.ts'
import { Described } from './described.tsx'
import { type Parameter, typeText } from './openapi.ts'
import { remarksOf } from './schema-view.tsx'

interface ParameterFieldProps {
  readonly parameter: Parameter
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A parameter with all that is to be known of it, and a place for its value. */
export function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const { texts } = useApis()
  const id = useId()
  const { name, in: place, required = false, description, schema } = parameter
  const remarks = [description, remarksOf(schema, texts), takesMany(parameter) ? texts.oneInLine : '']
  return (
    <div className={classes.parameter}>
      <div>
        <label htmlFor={id}>
          <code>{name}</code> <small>{texts.places[place]}</small>
          {required ? <small> {texts.required}</small> : null}
        </label>
        <p id={`${id}-remarks`}>
          <code>{typeText(schema)}</code> <Described text={remarks.filter(Boolean).join(' ')} />
        </p>
      </div>
      <Input id={id} parameter={parameter} value={value} onChange={onChange} />
    </div>
  )
}

function Input({ id, parameter, value, onChange }: ParameterFieldProps & { readonly id: string }) {
  const { texts } = useApis()
  const { schema, required = false } = parameter
  const own = { id, value, required, 'aria-describedby': `${id}-remarks` }
  if (takesMany(parameter)) {
    const rows = Math.min(6, value.split('\n').length)
    return (
      <textarea {...own} rows={rows} spellCheck={false} onChange={(event) => onChange(event.target.value)} />
    )
  }
  const choices = schema.type === 'boolean' ? [true, false] : schema.enum
  if (choices !== undefined) {
    return (
      <select {...own} onChange={(event) => onChange(event.target.value)}>
        <option value="">{texts.anyValue}</option>
        {choices.map((choice) => (
          <option key={String(choice)}>{String(choice)}</option>
        ))}
      </select>
    )
  }
  return (
    <input
      {...own}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
