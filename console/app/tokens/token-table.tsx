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
import { shortHash, TokenHash } from './token-hash.tsx'

interface TokenTableProps {
  /** Whose tokens; all without. */
  readonly account?: string
  /** Asks for a token to end; absent where that is not allowed. */
  readonly onEnd?: (token: Token) => void
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
    { key: 'hash', title: t('hash'), show: ({ hash }) => <TokenHash hash={hash} /> },
    {
      key: 'created',
      title: t('created'),
      isExtra: true,
      show: ({ created }) => <Timestamp time={created} />,
    },
    { key: 'expires', title: t('expires'), show: ({ expire }) => <Timestamp time={expire} />, isExtra: true },
    ...(onEnd === undefined ? [] : [endColumn(t('end'), onEnd)]),
  ]
  return (
    <QueryContent query={pages.query}>
      {({ items }) =>
        items.length === 0 ? (
          <Text size="sm">{t('none')}</Text>
        ) : (
          <div>
            <SimpleTable label={t('title')} rows={items} keyOf={({ hash }) => hash} columns={columns} />
            <PageButtons pages={pages} />
          </div>
        )
      }
    </QueryContent>
  )
}

function endColumn(title: string, onEnd: (token: Token) => void): SimpleColumn<Token> {
  return {
    key: 'end',
    title,
    hasHiddenTitle: true,
    show: (token) => (
      <Button
        size="xs"
        variant="default"
        aria-label={`${title}: ${token.username} ${shortHash(token.hash)}`}
        onClick={() => onEnd(token)}
      >
        {title}
      </Button>
    ),
  }
}
