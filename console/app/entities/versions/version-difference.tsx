import { List, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { QueryContent } from '../../components/query-content.tsx'
import { differenceQuery, versionQuery } from '../entity-queries.ts'
import { describeChange } from './describe-change.ts'
import { type DiffPart, diffLines, shortened } from './line-diff.ts'
import classes from './version-difference.module.css'

interface VersionDifferenceProps {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** What differs between two versions: in sentences, and line by line. */
export function VersionDifference({ name, from, to }: VersionDifferenceProps) {
  const { t } = useTranslation('entities')
  const difference = useQuery(differenceQuery(name, from, to))
  const before = useQuery(versionQuery(name, from))
  const after = useQuery(versionQuery(name, to))
  return (
    <Stack component="section" aria-label={t('versions.difference', { from, to })}>
      <Title order={2} size="h4">
        {t('versions.difference', { from, to })}
      </Title>
      <QueryContent query={difference}>
        {({ changes }) =>
          changes.length === 0 ? (
            <Text>{t('versions.noDifference')}</Text>
          ) : (
            <List>
              {changes.map((change) => {
                const { key, values } = describeChange(change)
                return (
                  <List.Item key={change.pointer + change.kind}>
                    {t(`versions.change.${key}`, values)}
                  </List.Item>
                )
              })}
            </List>
          )
        }
      </QueryContent>
      <QueryContent query={before}>
        {(old) => (
          <QueryContent query={after}>
            {(now) => <LineDifference from={old.definition} to={now.definition} />}
          </QueryContent>
        )}
      </QueryContent>
    </Stack>
  )
}

function LineDifference({ from, to }: { readonly from: unknown; readonly to: unknown }) {
  const { t } = useTranslation('entities')
  const linesOf = (definition: unknown) =>
    definition === null ? [] : JSON.stringify(definition, null, 2).split('\n')
  const parts = shortened(diffLines(linesOf(from), linesOf(to)))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className={classes.lines} tabIndex={0} aria-label={t('versions.lines')}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only shown, and may say the same.
        <DifferenceLine key={index} part={part} />
      ))}
    </section>
  )
}

function DifferenceLine({ part }: { readonly part: DiffPart }) {
  const { t } = useTranslation('entities')
  if ('skipped' in part) {
    return <div className={classes.skipped}>{t('versions.skipped', { count: part.skipped })}</div>
  }
  const { sign, text } = part
  if (sign === ' ') return <div className={classes.line}>{`  ${text}`}</div>
  const Mark = sign === '+' ? 'ins' : 'del'
  return (
    <div className={`${classes.line} ${sign === '+' ? classes.added : classes.removed}`}>
      <Mark className={classes.mark}>{`${sign} ${text}`}</Mark>
    </div>
  )
}
