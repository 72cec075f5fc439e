import { Badge, Code, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ConditionsLine } from './conditions-line.tsx'
import type { RecordConditions } from './record-conditions.ts'
import { SimpleTable } from './simple-table.tsx'

interface ReadAuthority extends RecordConditions {
  readonly regex: string
  readonly methods: readonly string[]
}

interface AuthorityTableProps {
  readonly label: string
  readonly authorities: readonly ReadAuthority[]
}

/** What a role allows, to read. */
export function AuthorityTable({ label, authorities }: AuthorityTableProps) {
  const { t } = useTranslation('components')
  return (
    <SimpleTable
      label={label}
      rows={authorities.map((authority, index) => ({ ...authority, index }))}
      keyOf={({ index }) => String(index)}
      columns={[
        {
          key: 'regex',
          title: t('authorities.regex'),
          isHeading: true,
          show: ({ regex, ...conditions }) => (
            <>
              <Code style={{ overflowWrap: 'anywhere' }}>{regex}</Code>
              <ConditionsLine conditions={conditions} />
            </>
          ),
        },
        {
          key: 'methods',
          title: t('authorities.methods'),
          show: ({ methods }) => (
            <Group gap={4}>
              {methods.map((method) => (
                <Badge key={method} variant="default" radius="sm">
                  {method}
                </Badge>
              ))}
            </Group>
          ),
        },
      ]}
    />
  )
}
