import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useIsAllowed } from '../api/access.ts'
import { Dialog } from '../components/dialog.tsx'
import { LineDifference } from '../components/line-difference.tsx'
import type { AuditEntry } from './audit-filters.ts'

/** Shows what the change of an entry has changed; nothing if the audit does not know. */
export function ChangesButton({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation('audit')
  const [isOpen, { open, close }] = useDisclosure(false)
  const { record, name, changes } = entry
  if (record === 'entity') return <VersionsLink name={name} />
  const members = Object.entries(changes)
  if (members.length === 0) return null
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={open}
        aria-label={t('changes.of', { record: t(`records.${record}`), name })}
      >
        {t('changes.show')}
      </Button>
      <Dialog
        opened={isOpen}
        onClose={close}
        title={`${t(`records.${record}`)} ${name}`}
        size="lg"
        closeButtonProps={{ 'aria-label': t('changes.close') }}
      >
        <Stack>
          {members.map(([member, { before, after }]) => (
            <div key={member}>
              <Text fw={600} ff="monospace">
                {member}
              </Text>
              {before === undefined && after === undefined ? (
                <Text size="sm">{t('changes.unkept')}</Text>
              ) : (
                <LineDifference label={member} from={before} to={after} />
              )}
            </div>
          ))}
        </Stack>
      </Dialog>
    </>
  )
}

/** Leads to the versions of an entity, for those who may read them. */
function VersionsLink({ name }: { readonly name: string }) {
  const { t } = useTranslation('audit')
  const path = `entities/definition/${encodeURIComponent(name)}/versions`
  if (!useIsAllowed('GET', `/manage/entities/${encodeURIComponent(name)}/versions`)) return null
  return (
    <Button
      component={Link}
      to={`/${path}`}
      variant="subtle"
      size="compact-sm"
      aria-label={t('changes.versionsOf', { name })}
    >
      {t('changes.versions')}
    </Button>
  )
}
