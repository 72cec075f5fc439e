import { ActionIcon } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** Where the web front serves the documentation. */
const guidePath = '/docs/guide'

/** Leads to the documentation. */
export function HelpLink() {
  const { t } = useTranslation('shell')
  return (
    <ActionIcon
      title={t('help')}
      component="a"
      href={guidePath}
      target="_blank"
      rel="noreferrer"
      variant="subtle"
      color="gray"
      size="lg"
      visibleFrom="xs"
      aria-label={t('help')}
    >
      <IconHelp size={20} />
    </ActionIcon>
  )
}
