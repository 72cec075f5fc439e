import { useTranslation } from 'react-i18next'
import { type DiffPart, diffLines, shortened } from './line-diff.ts'
import classes from './line-difference.module.css'

interface LineDifferenceProps {
  /** What it is the difference of, for screen readers. */
  readonly label: string
  /** A JSON value; absent for nothing. */
  readonly from?: unknown
  readonly to?: unknown
}

/** What differs between two JSON values, line by line. */
export function LineDifference({ label, from, to }: LineDifferenceProps) {
  const parts = shortened(diffLines(linesOf(from), linesOf(to)))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className={classes.lines} tabIndex={0} aria-label={label}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only shown, and may say the same.
        <DifferenceLine key={index} part={part} />
      ))}
    </section>
  )
}

function linesOf(value: unknown): readonly string[] {
  return value === undefined ? [] : JSON.stringify(value, null, 2).split('\n')
}

function DifferenceLine({ part }: { readonly part: DiffPart }) {
  const { t } = useTranslation('components')
  if ('skipped' in part) {
    return <div className={classes.skipped}>{t('equalLines', { count: part.skipped })}</div>
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
