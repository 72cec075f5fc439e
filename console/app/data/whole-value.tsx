import { Code, Group, ScrollArea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../components/dialog.tsx'
import { CopyText } from '../components/show-as-button.tsx'
import type { Field } from './tables.ts'

interface WholeValueProps {
  readonly field: Field
  readonly text: string
  readonly onClose: () => void
}

/** The whole of a value that has no place in a row. */
export function WholeValue({ field, text, onClose }: WholeValueProps) {
  const { t } = useTranslation('components')
  return (
    <Dialog
      opened
      onClose={onClose}
      title={field.name}
      size="lg"
      closeButtonProps={{ 'aria-label': t('close') }}
      scrollAreaComponent={ScrollArea.Autosize}
    >
      <Group justify="flex-end" mb="xs">
        <CopyText text={text} />
      </Group>
      <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
    </Dialog>
  )
}
