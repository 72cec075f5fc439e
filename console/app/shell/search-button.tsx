import { ActionIcon, Button, Kbd } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLoaded } from '../components/use-loaded.ts'

const load = async () => (await import('./command-palette.tsx')).CommandPalette

/** Opens the command palette, as its keys do. Its code is loaded when it is opened first. */
export function SearchButton() {
  const { t } = useTranslation('shell')
  const { Opened: CommandPalette, open, close } = useLoaded(load)
  useHotkeys([['mod+K', open]], [])
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconSearch size={16} />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        visibleFrom="sm"
        onClick={open}
      >
        {t('search.button')}
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        hiddenFrom="sm"
        aria-label={t('search.button')}
        onClick={open}
      >
        <IconSearch size={20} />
      </ActionIcon>
      {CommandPalette === undefined ? null : <CommandPalette onClose={close} />}
    </>
  )
}
