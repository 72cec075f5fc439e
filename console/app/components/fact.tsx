import { Group, Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface FactProps {
  readonly title: string
  readonly detail?: ReactNode
  readonly children: ReactNode
}

/** One figure with its name. */
export function Fact({ title, detail, children }: FactProps) {
  return (
    <Paper withBorder p="md">
      <Stack gap={4}>
        <Text size="sm" c="dimmed">
          {title}
        </Text>
        <Text size="lg" fw={650} component="div">
          {children}
        </Text>
        {detail === undefined ? null : (
          <Group gap={4}>
            <Text size="sm" c="dimmed" component="div">
              {detail}
            </Text>
          </Group>
        )}
      </Stack>
    </Paper>
  )
}
