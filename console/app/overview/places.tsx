import { Group, SimpleGrid, Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useVisibleAreas } from '../shell/visible-areas.ts'
import classes from './places.module.css'

/** The areas in which the account may work. */
export function Places() {
  const { t } = useTranslation(['overview', 'shell'])
  const areas = useVisibleAreas().filter(({ name }) => name !== 'overview')
  return (
    <nav aria-label={t('places')}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }}>
        {areas.map(({ name, path, icon: AreaIcon }) => (
          <UnstyledButton key={name} component={Link} to={`/${path}`} className={classes.place ?? ''}>
            <Group wrap="nowrap" gap="sm">
              <AreaIcon size={22} stroke={1.6} />
              <div>
                <Text fw={600}>{t(`shell:areas.${name}`)}</Text>
                <Text size="sm" c="dimmed">
                  {t(`overview:about.${name}`)}
                </Text>
              </div>
            </Group>
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </nav>
  )
}
