import { Paper, Title } from '@mantine/core'
import { Area, AreaChart, CartesianGrid, Legend, Tooltip, XAxis, YAxis } from 'recharts'
import { useLocale } from '../language/locale.ts'
import { ChartFrame } from './chart-frame.tsx'
import type { ActivityRow } from './figures.ts'

interface Line {
  readonly key: Exclude<keyof ActivityRow, 'at'>
  readonly name: string
  /** A colour of the theme. */
  readonly color: string
}

interface ChartProps {
  readonly title: string
  readonly rows: readonly ActivityRow[]
  readonly lines: readonly Line[]
  readonly isStacked?: boolean
}

const axis = { stroke: 'var(--mantine-color-dimmed)', fontSize: 12, tickLine: false } as const

/** A picture of some figures over time; screen readers get the latest figures in words. */
export function Chart({ title, rows, lines, isStacked = false }: ChartProps) {
  const locale = useLocale()
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  const full = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
  const latest = rows.at(-1)
  const words = lines.map(({ key, name }) => `${name}: ${latest?.[key] ?? '–'}`).join(', ')
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      <ChartFrame label={`${title}. ${words}`}>
        {(width, height) => (
          <AreaChart data={[...rows]} width={width} height={height} accessibilityLayer={false}>
            <CartesianGrid stroke="var(--mantine-color-default-border)" vertical={false} />
            <XAxis
              dataKey="at"
              tickFormatter={(at: string) => time.format(new Date(at))}
              minTickGap={48}
              {...axis}
            />
            <YAxis width={48} allowDecimals axisLine={false} {...axis} />
            <Tooltip
              labelFormatter={(at) => full.format(new Date(String(at)))}
              contentStyle={{
                background: 'var(--mantine-color-body)',
                border: '1px solid var(--mantine-color-default-border)',
                borderRadius: 'var(--mantine-radius-md)',
              }}
            />
            <Legend />
            {lines.map(({ key, name, color }) => (
              <Area
                key={key}
                dataKey={key}
                name={name}
                type="monotone"
                connectNulls
                isAnimationActive={false}
                stroke={`var(--mantine-color-${color}-6)`}
                fill={`var(--mantine-color-${color}-6)`}
                fillOpacity={0.15}
                {...(isStacked ? { stackId: 'all' } : {})}
              />
            ))}
          </AreaChart>
        )}
      </ChartFrame>
    </Paper>
  )
}
