import { Text } from '@mantine/core'
import { useConditionsText } from './conditions-text.ts'
import type { RecordConditions } from './record-conditions.ts'

/** The conditions of an authority in one line, to read; nothing if it has none. */
export function ConditionsLine({ conditions }: { readonly conditions: RecordConditions }) {
  const text = useConditionsText()(conditions)
  if (text === undefined) return null
  return (
    <Text component="span" display="block" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  )
}
