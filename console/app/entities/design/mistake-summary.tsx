import { List } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Notice } from '../notice.tsx'
import { useDesign } from './design-context.ts'

/** Everything that the gateway found wrong; most of it also stands at its input. */
export function MistakeSummary() {
  const { t } = useTranslation('entities')
  const { mistakes } = useDesign()
  if (mistakes.length === 0) return null
  return (
    <Notice kind="loss" title={t('design.mistakes', { count: mistakes.length })}>
      <List size="sm">
        {mistakes.map(({ pointer, detail }) => (
          <List.Item key={pointer + detail}>
            {pointer === '' ? null : <code>{pointer} </code>}
            {detail}
          </List.Item>
        ))}
      </List>
    </Notice>
  )
}
