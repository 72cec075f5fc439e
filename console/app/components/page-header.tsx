import { Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

interface PageHeaderProps {
  readonly title: string
  /** One sentence on what the page is for. */
  readonly description?: ReactNode
  /** Buttons of the page. */
  readonly actions?: ReactNode
}

/** The head of each page. */
export function PageHeader({ title, description, actions }: PageHeaderProps) {
  useDocumentTitle(`${title} · Gatehouse`)
  return (
    <Group justify="space-between" align="flex-start" gap="sm" mb="lg">
      <Stack gap={4} maw="44rem">
        <Title order={1} size="h2">
          {title}
        </Title>
        {description === undefined ? null : (
          <Text c="dimmed" size="sm">
            {description}
          </Text>
        )}
      </Stack>
      {actions === undefined ? null : <Group gap="xs">{actions}</Group>}
    </Group>
  )
}
