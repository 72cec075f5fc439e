import { Box, NavLink, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NavLink as RouterLink, useLocation } from 'react-router'
import type { Area, AreaGroup } from './areas.ts'
import classes from './shell.module.css'
import { useVisibleAreas } from './visible-areas.ts'

const groups = ['home', 'data', 'access', 'operation'] as const satisfies readonly AreaGroup[]

/** The areas, in groups. */
export function Navigation() {
  const { t } = useTranslation('shell')
  const visible = useVisibleAreas()
  return (
    <Box component="nav" aria-label={t('navigation')} p="xs" className={classes.navigation ?? ''}>
      {groups.map((group) => {
        const members = visible.filter((area) => area.group === group)
        if (members.length === 0) return null
        return (
          <section key={group} aria-label={t(`groups.${group}`)}>
            {group === 'home' ? null : (
              <Text size="xs" fw={600} c="dimmed" px="sm" pt="md" pb={4}>
                {t(`groups.${group}`)}
              </Text>
            )}
            {members.map((area) => (
              <AreaLink key={area.name} area={area} />
            ))}
          </section>
        )
      })}
    </Box>
  )
}

function AreaLink({ area: { name, path, icon: AreaIcon } }: { readonly area: Area }) {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  const isActive = path === '' ? pathname === '/' : `${pathname}/`.startsWith(`/${path}/`)
  return (
    <NavLink
      component={RouterLink}
      to={`/${path}`}
      active={isActive}
      label={t(`areas.${name}`)}
      leftSection={<AreaIcon size={18} stroke={1.6} />}
      py={7}
      className={classes.area ?? ''}
    />
  )
}
