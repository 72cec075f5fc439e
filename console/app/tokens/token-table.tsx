import { Anchor, Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { accountPath } from '../accounts/account-path.ts'
import { useIsAllowed } from '../api/access.ts'
import { PageButtons, usePages } from '../components/pages.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { type SimpleColumn, SimpleTable } from '../components/simple-table.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { readTokens, type Token, tokensKey } from './token-calls.ts'

interface TokenTableProps {
  /** Whose tokens; all without. */
  readonly account?: string
  /** Asks for the tokens of an account to end; absent where that is not allowed. */
  readonly onEnd?: (account: string) => void
}

/** Tokens that have not ended, oldest first. */
export function TokenTable({ account, onEnd }: TokenTableProps) {
  const { t } = useTranslation('tokens')
  const pages = usePages({
    queryKey: [...tokensKey, account],
    read: (after) => readTokens(account, after),
  })
  const mayOpen = useIsAllowed('GET', '/manage/accounts')
  const columns: readonly SimpleColumn<Token>[] = [
    {
      key: 'account',
      title: t('account'),
      isHeading: true,
      show: ({ username }) =>
        mayOpen && account === undefined ? (
          <Anchor component={Link} to={accountPath(username)} style={{ overflowWrap: 'anywhere' }}>
            {username}
          </Anchor>
        ) : (
          username
        ),
    },
    { key: 'created', title: t('created'), show: ({ created }) => <Timestamp time={created} /> },
    { key: 'expires', title: t('expires'), show: ({ expire }) => <Timestamp time={expire} />, isExtra: true },
    ...(onEnd === undefined || account !== undefined ? [] : [endColumn(t('end'), onEnd)]),
  ]
  return (
    <QueryContent query={pages.query}>
      {({ items }) =>
        items.length === 0 ? (
          <Text size="sm">{t('none')}</Text>
        ) : (
          <div>
            <SimpleTable
              label={t('title')}
              rows={items.map((token, index) => ({ ...token, index }))}
              keyOf={({ index }) => String(index)}
              columns={columns}
            />
            <PageButtons pages={pages} />
          </div>
        )
      }
    </QueryContent>
  )
}

function endColumn(title: string, onEnd: (account: string) => void): SimpleColumn<Token> {
  return {
    key: 'end',
    title,
    hasHiddenTitle: true,
    show: ({ username }) => (
      <Button
        size="xs"
        variant="default"
        aria-label={`${title}: ${username}`}
        onClick={() => onEnd(username)}
      >
        {title}
      </Button>
    ),
  }
}
