import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly title: string
  /** What to do next. */
  readonly children: ReactNode
}

/** Stands where a list has nothing yet. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl">
      <Stack align="flex-start" gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {typeof children === 'string' ? <Text>{children}</Text> : children}
      </Stack>
    </Paper>
  )
}
