/**
 * Every page of the console, opened by its address, and its dialogs: as administrator, as somebody with half of the rights and
 * as somebody with none; on the desktop, light, in English, and on a phone, dark, in Japanese.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, type PageMistakes } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  expectQuiet,
  keepPicture,
} from '../support/console-journey.ts'
import { startConsoleSample } from '../support/console-sample.ts'

/** In English and in Japanese; one text if it is the same in both. */
type Words = readonly [string, string] | string

/** Chooses the words of a language. */
type Say = (words: Words) => string

/** Accounts of the sample: one with all rights, one with half of them, one with none. */
type Account = 'admin' | 'dana' | 'guest'

/** What an account meets: the page, a sentence that its roles do not allow it, or one that there is no such table. */
type Outcome = 'shown' | 'refused' | 'absent'

interface ListedPage {
  /** Below the console. `:film` stands for the id of a film. */
  readonly path: string
  /** Its heading. */
  readonly title: Words
  /** What stands on it when it is complete. */
  readonly shows?: Words
  /** Those that may less; `shown` if it is not said. */
  readonly dana?: Outcome
  readonly guest?: Outcome
  /** Buttons and links that it does not have for those who may only read. */
  readonly lacks?: readonly Words[]
}

interface Dialog {
  readonly name: string
  /** The address of its page, and the heading there. */
  readonly on: string
  readonly title: Words
  /** What stands in it when it is complete. */
  readonly shows: Words
  readonly open: (page: Page, say: Say) => Promise<void>
  /** Those who have it besides the administrator. */
  readonly also?: readonly Account[]
}

const views = [
  { view: 'desktop, light, English', device: 'desktop', colorScheme: 'light', language: 'en' },
  { view: 'phone, dark, Japanese', device: 'phone', colorScheme: 'dark', language: 'ja' },
] as const

const refused: Words = [
  'Your roles do not allow this page',
  'このページはあなたのロールでは許可されていません',
]
const absent: Words = ['It does not exist, or no longer', '存在しないか、削除されています']
/** What is said of a call that the gateway refuses. */
const refusal: Words = ['Your roles do not allow this', 'あなたのロールでは許可されていません']
const loading: Words = ['Loading', '読み込み中']
const areas: Words = ['Areas', '領域']

const create: Words = ['Create', '作成']
const change: Words = ['Change', '変更']
const remove: Words = ['Delete', '削除']
const save: Words = ['Save', '保存']
const showPlan: Words = ['Show the plan', '計画を表示']
const createKey: Words = ['Create a key', 'キーを作成']

const pages: readonly ListedPage[] = [
  { path: '/', title: ['Overview', '概要'], shows: ['Templates', 'テンプレート'] },
  { path: '/data', title: ['Data', 'データ'] },
  {
    path: '/data/film',
    title: 'film',
    shows: 'ACADEMY DINOSAUR',
    guest: 'absent',
    lacks: [
      ['New record', '新しいレコード'],
      ['Import', 'インポート'],
    ],
  },
  { path: '/data/film/:film', title: 'film 1', shows: 'ACADEMY DINOSAUR', guest: 'absent', lacks: [remove] },
  {
    path: '/data/film/:film/edit',
    title: ['Edit a record of film', 'film のレコードを編集'],
    shows: save,
    guest: 'absent',
  },
  {
    path: '/data/Complaint',
    title: 'Complaint',
    shows: 'The disc is scratched',
    dana: 'absent',
    guest: 'absent',
  },
  {
    path: '/data/Complaint/records/new',
    title: ['New record of Complaint', 'Complaint の新しいレコード'],
    shows: create,
    dana: 'absent',
    guest: 'absent',
  },
  {
    path: '/entities',
    title: ['Entities', 'エンティティ'],
    shows: 'language',
    guest: 'refused',
    lacks: [
      ['New entity', '新規エンティティ'],
      ['Upload files', 'アップロード'],
      ['Adopt tables', 'テーブルを取り込む'],
    ],
  },
  { path: '/entities/new', title: ['New entity', '新規エンティティ'], dana: 'refused', guest: 'refused' },
  {
    path: '/entities/upload',
    title: ['Upload definitions', '定義のアップロード'],
    dana: 'refused',
    guest: 'refused',
  },
  {
    path: '/entities/adopt',
    title: ['Adopt tables', 'テーブルの取り込み'],
    shows: 'film_category',
    dana: 'refused',
    guest: 'refused',
  },
  { path: '/entities/diagram', title: ['Diagram', '関係図'] },
  { path: '/entities/diagram?show=list', title: ['Diagram', '関係図'] },
  {
    path: '/entities/definition/Complaint',
    title: 'Complaint',
    shows: 'phone',
    guest: 'refused',
    lacks: [showPlan, remove],
  },
  {
    path: '/entities/definition/Complaint?version=1',
    title: 'Complaint',
    shows: 'phone',
    guest: 'refused',
  },
  {
    path: '/entities/definition/Complaint/versions',
    title: 'Complaint',
    shows: ['Field refund was added (float).', '"refund"'],
    guest: 'refused',
  },
  {
    path: '/entities/definition/film/drift',
    title: 'film',
    shows: ['The table is as its definition says', 'テーブルは定義どおりです'],
    guest: 'refused',
  },
  { path: '/graphql', title: 'GraphQL', shows: 'edges', guest: 'refused' },
  { path: '/apis', title: ['APIs', 'API'], shows: '/apis/films', guest: 'refused' },
  { path: '/apis/published/film', title: ['APIs', 'API'], shows: '/apis/films', guest: 'refused' },
  { path: '/apis/upstream/weather', title: ['APIs', 'API'], shows: '/weather/{rest}', guest: 'refused' },
  {
    path: '/apis/management',
    title: ['APIs', 'API'],
    shows: ['Own account', '自分のアカウント'],
    guest: 'refused',
  },
  {
    path: '/roles',
    title: ['Roles', 'ロール'],
    shows: 'clerk',
    guest: 'refused',
    lacks: [
      ['Create a role', 'ロールを作成'],
      ['Test access', 'アクセスを確認'],
    ],
  },
  { path: '/roles/new', title: ['Create a role', 'ロールを作成'], dana: 'refused', guest: 'refused' },
  { path: '/roles/named/clerk', title: 'clerk', guest: 'refused', lacks: [save, remove] },
  {
    path: '/roles/test?account=robin',
    title: ['Test access', 'アクセスを確認'],
    dana: 'refused',
    guest: 'refused',
  },
  {
    path: '/accounts',
    title: ['Accounts', 'アカウント'],
    shows: 'robin',
    dana: 'refused',
    guest: 'refused',
  },
  {
    path: '/accounts/new',
    title: ['Create an account', 'アカウントを作成'],
    dana: 'refused',
    guest: 'refused',
  },
  {
    path: '/accounts/named/robin',
    title: 'robin',
    shows: 'Lethbridge',
    dana: 'refused',
    guest: 'refused',
  },
  { path: '/tokens', title: ['Tokens', 'トークン'], shows: 'admin', dana: 'refused', guest: 'refused' },
  { path: '/sessions', title: ['Sessions', 'セッション'], shows: 'admin', dana: 'refused', guest: 'refused' },
  { path: '/audit', title: ['Audit', '監査'], shows: 'weather', guest: 'refused' },
  { path: '/templates', title: ['Templates', 'テンプレート'], shows: 'reminder' },
  { path: '/templates/reminder', title: 'reminder', shows: ['Make the file', 'ファイルを作成'] },
  {
    path: '/routes',
    title: ['Routes', 'ルート'],
    shows: 'weather',
    guest: 'refused',
    lacks: [['New route', 'ルートを作成']],
  },
  { path: '/routes/new', title: ['New route', 'ルートを作成'], dana: 'refused', guest: 'refused' },
  {
    path: '/routes/edit/weather',
    title: ['Route weather', 'ルート weather'],
    shows: 'connect',
    guest: 'refused',
    lacks: [save, remove],
  },
  { path: '/status', title: ['Status', 'ステータス'], shows: 'sqlite', guest: 'refused' },
  {
    path: '/configuration',
    title: ['Configuration', '設定'],
    shows: 'data_dir',
    dana: 'refused',
    guest: 'refused',
  },
  { path: '/account', title: ['Your account', 'マイアカウント'], shows: createKey },
  { path: '/nowhere', title: ['There is no such page', 'ページがありません'] },
]

const everyone = ['dana', 'guest'] as const

const dialogs: readonly Dialog[] = [
  {
    name: 'search',
    on: '/',
    title: ['Overview', '概要'],
    shows: ['Your account', 'マイアカウント'],
    open: (page) => page.keyboard.press('Control+k'),
    also: everyone,
  },
  {
    name: 'export',
    on: '/data/film',
    title: 'film',
    shows: 'JSON Lines',
    open: (page, say) => press(page, say(['Export', 'エクスポート'])),
    also: ['dana'],
  },
  {
    name: 'import',
    on: '/data/Complaint',
    title: 'Complaint',
    shows: ['Choose a file', 'ファイルを選択'],
    open: (page, say) => press(page, say(['Import', 'インポート'])),
  },
  {
    name: 'the same without the console',
    on: '/data/film',
    title: 'film',
    shows: '/apis/films?first=50',
    open: (page, say) => press(page, say(['Show as', '別の方法で実行'])),
    also: ['dana'],
  },
  {
    name: 'change of many',
    on: '/data/film',
    title: 'film',
    shows: ['Fields to change', '変更するフィールド'],
    async open(page, say) {
      await page.getByRole('checkbox', { name: say(['Select 1', '1 を選択']), exact: true }).click()
      await press(page, say(change))
    },
    also: ['dana'],
  },
  {
    name: 'plan of a change',
    on: '/entities/definition/Complaint?version=1',
    title: 'Complaint',
    shows: ['The gateway refuses this', 'ゲートウェイはこの変更を拒否します'],
    open: (page, say) => press(page, say(showPlan)),
  },
  {
    name: 'adoption',
    on: '/entities/adopt?table=film_category',
    title: ['Adopt tables', 'テーブルの取り込み'],
    shows: ['What is stored', '保存される内容'],
    open: (page, say) => press(page, say(['Show the definitions', '定義を表示'])),
  },
  {
    name: 'operation of an API',
    on: '/apis/published/film',
    title: ['APIs', 'API'],
    shows: 'curl -X GET',
    open: (page) => page.locator('details[id^=get] summary').first().click(),
    also: ['dana'],
  },
  {
    name: 'answer of the tester',
    on: '/roles/test?account=robin',
    title: ['Test access', 'アクセスを確認'],
    shows: ['Allowed', '許可されます'],
    async open(page, say) {
      await page.getByRole('combobox', { name: say(['Path', 'パス']), exact: true }).fill('/apis/films')
      await page.keyboard.press('Escape')
      await press(page, say(['Test', '確認']))
    },
  },
  {
    name: 'change in the audit',
    on: '/audit',
    title: ['Audit', '監査'],
    shows: '"weather"',
    open: (page, say) =>
      page
        .getByRole('button', { name: new RegExp(`^${say(['What changed', '変更内容'])}: .* weather`) })
        .click(),
    also: ['dana'],
  },
  {
    name: 'new token',
    on: '/tokens',
    title: ['Tokens', 'トークン'],
    shows: ['Whoever has the token can act as the account', 'トークンを持つ人は'],
    open: (page, say) => press(page, say(['Create a token', 'トークンを作成'])),
  },
  {
    name: 'deletion of an account',
    on: '/accounts/named/robin',
    title: 'robin',
    shows: ['Type robin to confirm', 'robin'],
    open: (page, say) => press(page, say(remove)),
  },
  {
    name: 'deletion of a route',
    on: '/routes/edit/weather',
    title: ['Route weather', 'ルート weather'],
    shows: ['Clients can no longer call its path.', 'weather'],
    open: (page, say) => press(page, say(remove)),
  },
  {
    name: 'file of a template',
    on: '/templates/reminder',
    title: 'reminder',
    shows: 'reminder.html',
    async open(page, say) {
      const params = page.getByRole('textbox', { name: say(['Params as JSON', 'パラメーター (JSON)']) })
      await params.fill('{"name": "Mary", "films": [{"title": "ALIEN CENTER", "due": "Monday"}]}')
      await press(page, say(['Make the file', 'ファイルを作成']))
    },
    also: everyone,
  },
  {
    name: 'second factor',
    on: '/account',
    title: ['Your account', 'マイアカウント'],
    shows: ['Your password', 'パスワード'],
    open: (page, say) => press(page, say(['Set up', '設定する'])),
    also: everyone,
  },
  {
    name: 'new key',
    on: '/account',
    title: ['Your account', 'マイアカウント'],
    shows: ['Your password', 'パスワード'],
    open: (page, say) => press(page, say(createKey)),
    also: everyone,
  },
]

/** The areas in the navigation, in its order. */
const navigation: Readonly<Record<Account, readonly Words[]>> = {
  admin: [
    ['Overview', '概要'],
    ['Data', 'データ'],
    ['Entities', 'エンティティ'],
    'GraphQL',
    ['APIs', 'API'],
    ['Roles', 'ロール'],
    ['Accounts', 'アカウント'],
    ['Tokens', 'トークン'],
    ['Sessions', 'セッション'],
    ['Audit', '監査'],
    ['Templates', 'テンプレート'],
    ['Routes', 'ルート'],
    ['Status', 'ステータス'],
    ['Configuration', '設定'],
  ],
  dana: [
    ['Overview', '概要'],
    ['Data', 'データ'],
    ['Entities', 'エンティティ'],
    'GraphQL',
    ['APIs', 'API'],
    ['Roles', 'ロール'],
    ['Audit', '監査'],
    ['Templates', 'テンプレート'],
    ['Routes', 'ルート'],
    ['Status', 'ステータス'],
  ],
  guest: [
    ['Overview', '概要'],
    ['Data', 'データ'],
    ['Templates', 'テンプレート'],
  ],
}

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).first().click()
}

/** Whether every person opens every page in every view. Otherwise they open half of them in each, and all in one or the other. */
const inEveryView = Number(process.env.TEST_CASES) >= 10_000

describe.runIf(hasBrowser)('every page of the console', () => {
  let journey: ConsoleJourney
  let film: string

  beforeAll(async () => {
    journey = await startConsoleSample()
    const query = '{ film(first: 1) { edges { node { GlobalId } } } }'
    const { data } = (await journey.call('POST', '/graphql', { query })) as FirstFilm
    film = data.film.edges[0]?.node.GlobalId ?? ''
  })
  afterAll(() => journey?.close())

  const all = (['admin', 'dana', 'guest'] as const).flatMap((account, person) =>
    views.map((view, index) => ({ account, turn: (person + index) % 2, ...view })),
  )
  describe.each(all)('for $account on a $view', ({ account, turn, view: _, ...view }) => {
    const inTurn = <Case>(cases: readonly Case[]): readonly Case[] =>
      inEveryView ? cases : cases.filter((_case, index) => index % 2 === turn)
    let page: Page
    let mistakes: PageMistakes
    let before = 0
    const say: Say = (words) => (typeof words === 'string' ? words : words[view.language === 'en' ? 0 : 1])

    beforeAll(async () => {
      ;({ page, mistakes } = await journey.open('/', { account, ...view }))
    })
    afterAll(() => page?.context().close())

    /** Opens a page and waits for its heading. */
    async function open(path: string, heading: Words): Promise<void> {
      before = mistakes.complaints.length
      const address = path.replace(':film', encodeURIComponent(film))
      await page.goto(`${journey.program.frontUrl}/console${address}`)
      await page.getByRole('heading', { level: 1, name: say(heading), exact: true }).waitFor()
    }

    const seen = (words: Words) => page.getByText(say(words)).filter({ visible: true }).first().waitFor()

    /** Expects that the page has what it reads, and that nothing is wrong with it. */
    async function expectWhole(name: string, provoked?: RegExp): Promise<void> {
      const waiting = page.getByRole('status', { name: say(loading) })
      const reading = page.getByRole('status').filter({ hasText: say(loading) })
      await expect.poll(() => waiting.or(reading).count()).toBe(0)
      await keepPicture(page, `${account}-${view.language}${name.replaceAll(/\W+/g, '-')}`)
      await expectAccessible(page)
      expectQuiet({ ...mistakes, complaints: mistakes.complaints.slice(before) }, provoked)
      await expect.poll(() => page.getByText(say(refusal), { exact: true }).count()).toBe(0)
    }

    test('the navigation has what the roles allow', async () => {
      const links = page
        .getByRole('navigation', { name: say(areas), includeHidden: true })
        .getByRole('link', { includeHidden: true })
      await expect.poll(() => links.allTextContents()).toEqual(navigation[account].map(say))
    })

    test.each(inTurn(pages))('$path', async ({ path, title, shows, lacks = [], ...outcomes }) => {
      const outcome = (account === 'admin' ? undefined : outcomes[account]) ?? 'shown'
      if (outcome === 'absent') {
        before = mistakes.complaints.length
        await page.goto(`${journey.program.frontUrl}/console${path}`)
        await page.getByRole('alert').getByText(say(absent)).waitFor()
        return expectWhole(path, /status of 404/)
      }
      await open(path, outcome === 'refused' ? refused : title)
      if (outcome === 'shown' && shows !== undefined) await seen(shows)
      await expectWhole(path)
      if (account === 'admin') return
      for (const name of lacks.map(say)) {
        const button = page.getByRole('button', { name, exact: true })
        expect(await button.or(page.getByRole('link', { name, exact: true })).count(), name).toBe(0)
      }
    })

    const own = dialogs.filter(({ also = [] }) => account === 'admin' || also.includes(account))
    test.each(inTurn(own))('$on: $name', async ({ name, on, title, shows, open: openDialog }) => {
      await open(on, title)
      await openDialog(page, say)
      await seen(shows)
      await expectWhole(` ${name}`, name === 'plan of a change' ? /status of 4/ : undefined)
    })
  })
})

interface FirstFilm {
  readonly data: {
    readonly film: { readonly edges: readonly { readonly node: { readonly GlobalId: string } }[] }
  }
}
