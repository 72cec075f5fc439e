import { Button, FileButton, Stack, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './edit.module.css'
import { enteredIn, inputProps, type ValueInputProps } from './input-props.ts'

/** Bytes in base64, or those of a file. */
export function BytesInput(props: ValueInputProps) {
  const { field, value, onChange, isReadOnly = false } = props
  const { t } = useTranslation('data')
  return (
    <Stack gap={4} align="stretch">
      <Textarea
        {...inputProps({ ...props, description: `${props.description ?? ''} · ${t('edit.base64')}` })}
        rows={3}
        classNames={{ input: classes.bytes ?? '' }}
        value={value ?? ''}
        onChange={(event) => onChange(enteredIn(event.currentTarget.value, props))}
      />
      {isReadOnly ? null : (
        <FileButton
          onChange={(file) => {
            if (file !== null) void base64Of(file).then(onChange)
          }}
        >
          {(button) => (
            <Button
              {...button}
              size="compact-xs"
              variant="default"
              style={{ alignSelf: 'flex-start' }}
              aria-label={t('edit.fileOf', { field: field.name })}
            >
              {t('edit.file')}
            </Button>
          )}
        </FileButton>
      )}
    </Stack>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  // In pieces, since a call takes only so many arguments.
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000))
  }
  return btoa(text)
}
