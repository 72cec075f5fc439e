import { useState } from 'react'
import classes from './apis.module.css'
import { filled, type Texts, useApis } from './apis-context.ts'
import { Described } from './described.tsx'
import { type Document, objectSchemas, resolve, type Schema, typeText } from './openapi.ts'

interface FieldsProps {
  readonly document: Document
  readonly schema: Schema
}

/** What a schema describes: the fields of each of its objects, and below each field, on demand, its own. */
export function Fields({ document, schema }: FieldsProps) {
  const { texts } = useApis()
  const objects = objectSchemas(document, schema)
  const found = resolve(document, schema)
  return (
    <>
      <p className={classes.faint}>
        <code>{typeText(schema)}</code>{' '}
        {objects.length === 0 ? <Described text={remarksOf(found, texts)} /> : null}
      </p>
      {objects.map((object) => (
        <FieldList key={JSON.stringify(object)} document={document} schema={object} />
      ))}
    </>
  )
}

function FieldList({ document, schema }: FieldsProps) {
  const { texts } = useApis()
  const { properties = {}, required = [], description } = schema
  return (
    <>
      {description === undefined ? null : (
        <p className={classes.faint}>
          <Described text={description} />
        </p>
      )}
      <dl className={classes.fields}>
        {Object.entries(properties).map(([name, part]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
              {required.includes(name) ? <small> {texts.required}</small> : null}
            </dt>
            <dd>
              <Field document={document} name={name} schema={part} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Field({ document, name, schema }: FieldsProps & { readonly name: string }) {
  const { texts } = useApis()
  const [isOpen, setIsOpen] = useState(false)
  const found = resolve(document, schema)
  return (
    <>
      <code>{typeText(schema)}</code> <Described text={remarksOf(found, texts)} />
      {objectSchemas(document, schema).length === 0 ? null : (
        <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary>{filled(texts.fields, { name })}</summary>
          {isOpen ? <Fields document={document} schema={schema} /> : null}
        </details>
      )}
    </>
  )
}

/** What is to be known of a value besides its type. */
export function remarksOf(schema: Schema, texts: Texts): string {
  const { description, enum: values, default: ownDefault, maxLength, readOnly = false } = schema
  return [
    ...(description === undefined ? [] : [description]),
    ...(values === undefined
      ? []
      : [filled(texts.oneOf, { values: values.map((value) => JSON.stringify(value)).join(', ') })]),
    ...(ownDefault === undefined ? [] : [filled(texts.default, { value: JSON.stringify(ownDefault) })]),
    ...(maxLength === undefined ? [] : [filled(texts.atMost, { count: maxLength.toLocaleString('en') })]),
    ...(readOnly ? [texts.readOnly] : []),
  ].join(' ')
}
