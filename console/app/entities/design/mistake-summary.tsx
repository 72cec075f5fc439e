import { Alert, List } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useDesign } from './design-context.ts'

/** Everything that the gateway found wrong; most of it also stands at its input. */
export function MistakeSummary() {
  const { t } = useTranslation('entities')
  const { mistakes } = useDesign()
  if (mistakes.length === 0) return null
  return (
    <Alert
      color="red"
      icon={<IconAlertCircle size={20} />}
      title={t('design.mistakes', { count: mistakes.length })}
    >
      <List size="sm">
        {mistakes.map(({ pointer, detail }) => (
          <List.Item key={pointer + detail}>
            {pointer === '' ? null : <code>{pointer} </code>}
            {detail}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
