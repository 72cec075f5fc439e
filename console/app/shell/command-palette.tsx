import '@mantine/spotlight/styles.layer.css'
import { Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useVisibleAreas } from './visible-areas.ts'

interface CommandPaletteProps {
  readonly onClose: () => void
}

/** Finds pages by their names. It is open as long as it is rendered. */
export function CommandPalette({ onClose }: CommandPaletteProps) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const actions = useVisibleAreas().map(({ name, path, icon: AreaIcon }) => ({
    id: name,
    label: t(`areas.${name}`),
    leftSection: <AreaIcon size={20} stroke={1.6} />,
    onClick: () => void navigate(`/${path}`),
  }))
  return (
    <Spotlight
      forceOpened
      onSpotlightClose={onClose}
      actions={actions}
      shortcut={null}
      nothingFound={t('search.nothing')}
      searchProps={{
        leftSection: <IconSearch size={20} />,
        placeholder: t('search.placeholder'),
        'aria-label': t('search.placeholder'),
      }}
    />
  )
}
