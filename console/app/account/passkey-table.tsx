import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type SimpleColumn, SimpleTable } from '../components/simple-table.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import type { Passkey } from './proofs.ts'

interface PasskeyTableProps {
  readonly passkeys: readonly Passkey[]
  /** What can be done with one; absent for nothing. */
  readonly actions?: (passkey: Passkey) => ReactNode
}

/** Passkeys of an account. */
export function PasskeyTable({ passkeys, actions }: PasskeyTableProps) {
  const { t } = useTranslation('account')
  const columns: readonly SimpleColumn<Passkey>[] = [
    {
      key: 'name',
      title: t('passkeys.name'),
      isHeading: true,
      show: ({ name, backed_up: isBackedUp }) => (
        <>
          <Text span inherit style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {isBackedUp ? (
            <Text size="xs" c="dimmed">
              {t('passkeys.backedUp')}
            </Text>
          ) : null}
        </>
      ),
    },
    {
      key: 'created',
      title: t('passkeys.created'),
      isExtra: true,
      show: ({ created }) => <Timestamp time={created} />,
    },
    {
      key: 'used',
      title: t('passkeys.used'),
      show: ({ last_used: used }) => <Timestamp time={used} otherwise={t('passkeys.never')} />,
    },
  ]
  const action: SimpleColumn<Passkey> = {
    key: 'action',
    title: t('passkeys.remove'),
    hasHiddenTitle: true,
    show: (passkey) => actions?.(passkey),
  }
  return (
    <SimpleTable
      label={t('passkeys.title')}
      rows={passkeys}
      keyOf={({ id }) => id}
      columns={actions === undefined ? columns : [...columns, action]}
    />
  )
}
