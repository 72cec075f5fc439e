import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './edit.module.css'
import { useFieldHint } from './field-hint.ts'
import type { FieldInputProps } from './input-props.ts'
import { ValueInput } from './value-input.tsx'

/** Enters a value for a field, whatever its type: a text, null, or nothing, which are told apart. */
export function FieldInput(props: FieldInputProps) {
  const { field, value, onChange, isOptional = false, isReadOnly = false, isInCell = false } = props
  const { t } = useTranslation('data')
  const { label, description, placeholder, isRequired } = useFieldHint(field, value, isOptional)
  const mayClear = isOptional && value !== undefined
  return (
    <div className={isInCell ? classes.cellField : classes.field}>
      <ValueInput
        {...props}
        label={label}
        description={isInCell ? undefined : description}
        placeholder={placeholder}
        isRequired={isRequired}
      />
      {isReadOnly ? null : (
        <Group gap={4} className={classes.actions ?? ''}>
          {field.nullable ? (
            <Button
              size="compact-xs"
              variant={value === null ? 'filled' : 'default'}
              aria-pressed={value === null}
              {...(isInCell ? { 'aria-keyshortcuts': 'Control+Delete', title: 'Ctrl+Delete' } : {})}
              aria-label={t('edit.setNull', { field: field.name })}
              onClick={() => onChange(value === null ? (isOptional ? undefined : '') : null)}
            >
              {t('value.null')}
            </Button>
          ) : null}
          {mayClear ? (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={t('edit.leaveOutField', { field: field.name })}
              onClick={() => onChange(undefined)}
            >
              {t('edit.leaveOut')}
            </Button>
          ) : null}
        </Group>
      )}
    </div>
  )
}
