import { AppShell, Burger, Group, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, useLocation } from 'react-router'
import { AccountMenu } from './account-menu.tsx'
import { ColorSchemeButton } from './color-scheme-button.tsx'
import { HelpLink } from './help-link.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { Logo } from './logo.tsx'
import { Navigation } from './navigation.tsx'
import { SearchButton } from './search-button.tsx'
import classes from './shell.module.css'

/** The frame of all pages. */
export function Shell() {
  const { t } = useTranslation('shell')
  const [isOpen, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone a chosen page hides the navigation.
  useEffect(close, [pathname])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a href="#main" className={classes.skip}>
        {t('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="xs" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="md" size="sm" aria-label={t('menu')} />
            <Link to="/" className={classes.home}>
              <Logo />
              <VisuallyHidden>{t('home')}</VisuallyHidden>
            </Link>
          </Group>
          <Group gap={4} wrap="nowrap">
            <SearchButton />
            <HelpLink />
            <LanguageMenu />
            <ColorSchemeButton />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  )
}
