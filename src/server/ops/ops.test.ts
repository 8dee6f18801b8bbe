import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { decimalToUnits } from '#core/money/decimal.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { PROBLEMS } from '#contract/problem.ts'
import { checkBook } from '#server/db/check-book.ts'
import type { Sql } from '#server/db/open.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { recordWriter } from '#server/ops/backup/sealed-file.ts'
import { sentenceOfError } from '#server/ops/commands.ts'
import { runCommand } from '#server/ops/run-command.ts'
import { actOnWithdrawal } from '#server/withdrawals/act-on-withdrawal.ts'
import { flipped, putTogether, takeApart } from '../../../test/world/backup-bytes.ts'
import { createTestDatabase, SECRET } from '../../../test/world/database.ts'
import { signUp } from '../../../test/faults/client.ts'
import { cleanUp, processesOf } from '../../../test/faults/processes.ts'
import { signInAs, signInFirst } from '../../../test/world/operators.ts'
import { databaseUrl } from '../../../test/process/postgres.ts'
import {
  launch,
  makeDataDir,
  removeDataDir,
  startServer,
} from '../../../test/process/running-server.ts'
import { createRisingWorld, fillSmallBook } from '../../../test/world/small-book.ts'
import { expectGoesOn } from '../../../test/world/restored-book.ts'
import { SETTINGS, type TestUser, type World } from '../../../test/world/world.ts'
import { pattern } from '../../../test/world/pattern.ts'

const OPERATOR = 'Grace'
const UNKNOWN = '01234567-89ab-7def-8123-456789abcdef'

let world: World
let sql: Sql
let url: string
let ada: TestUser
let folder: string
let token: string

beforeAll(async () => {
  ;[world, folder] = await Promise.all([createRisingWorld(), mkdtemp(join(tmpdir(), 'ops-'))])
  sql = world.context.sql
  ;({ ada } = await fillSmallBook(world))
  ;({ token } = await signInAs(world.context, {
    name: OPERATOR,
    roles: ['support', 'payouts', 'auditor'],
  }))
  const [row] = await sql<{ name: string }[]>`select current_database() as name`
  url = databaseUrl(inject('postgresUrl'), row?.name ?? '')
})

afterAll(async () => {
  await cleanUp()
  await world.close()
  await rm(folder, { recursive: true })
})

type Ended = { code: number | string | null; said: string; complained: string }

/**
 * Runs `npm run ops -- …words` in this process, because a separate one takes half a second to
 * start. A test compares both.
 */
async function ops(
  words: readonly string[],
  env: Record<string, string> = { DATABASE_URL: url },
): Promise<Ended> {
  try {
    const { lines, ok } = await runCommand(words, { ...process.env, ...environment(env) })
    return { code: ok ? 0 : 1, said: lines.join('\n'), complained: '' }
  } catch (error) {
    const complained = sentenceOfError(error)
    if (complained === undefined) throw error
    return { code: 1, said: '', complained }
  }
}

/** Runs a command as operators do, in a process of its own. */
async function opsProcess(
  words: readonly string[],
  env: Record<string, string> = { DATABASE_URL: url },
): Promise<Ended> {
  const run = launch({ program: ['src/server/ops/main.ts', ...words], env: environment(env) })
  const code = await run.ended
  const complained = run.errors()
  return {
    code,
    said: run.output().replace(complained, '').trimEnd(),
    complained: complained.trimEnd(),
  }
}

const environment = (env: Record<string, string>) => ({
  LOG_LEVEL: 'warn',
  MARKET_FEED: 'simulated',
  DATA_DIR: join(folder, 'data'),
  OPERATOR_TOKEN: token,
  SESSION_SECRET: SETTINGS.SESSION_SECRET,
  ...env,
})

/** Expects one readable sentence on stderr, exit code 1, and nothing on stdout. */
async function expectRefused(
  words: readonly string[],
  sentence: string | RegExp,
  env?: Record<string, string>,
): Promise<void> {
  const { code, said, complained } = await ops(words, env)
  expect(complained, `${words.join(' ')}`).toMatch(sentence)
  expect(
    complained.split('\n').filter((line) => /^\s+at /.test(line)),
    'no stack',
  ).toEqual([])
  expect({ code, said }, `${words.join(' ')}`).toEqual({ code: 1, said: '' })
}

async function audited(action: string, subject: string): Promise<object[]> {
  return [
    ...(await sql`select actor, action, details from audit_events where action = ${action}
      and subject = ${subject} order by created_at desc`),
  ]
}

test("a process prints the command's answer and exits with its code", async () => {
  for (const words of [['operator', 'list'], ['doctor'], [], ['user', 'nobody-at-all']])
    expect([words, await opsProcess(words)]).toEqual([words, await ops(words)])
})

describe('invalid commands', () => {
  test.each([
    [
      ['withdrawals', 'dance'],
      pattern(
        /^"dance" is not understood: use npm run ops -- withdrawals \[list\], /,
        /or npm run ops -- withdrawals review\|/,
      ),
    ],
    [['withdrawals', 'approve'], /^Give the id of the withdrawal, as shown by withdrawals list\.$/],
    [
      ['withdrawals', 'approve', '42'],
      /^Give the id of the withdrawal, as shown by withdrawals list\.$/,
    ],
    [['withdrawals', 'approve', UNKNOWN], PROBLEMS['not-found'].message],
    [
      ['withdrawals', 'approve', UNKNOWN, 'because'],
      /^"because" is not understood: use npm run ops -- withdrawals /,
    ],
    [['user'], /^Give the username: npm run ops -- user NAME$/],
    [['user', 'nobody-at-all'], /^There is no user nobody-at-all\.$/],
    [['backup'], /^Give the file to write: npm run ops -- backup FILE$/],
    [['restore'], /^Give the file to read: npm run ops -- restore FILE$/],
    [
      ['distribute'],
      pattern(
        /^This PostgreSQL has no Citus, so its tables cannot be distributed: /,
        /one database runs the same product\./,
      ),
    ],
    [
      ['distribute', '--shards', 'many'],
      /^Use npm run ops -- distribute \[--shards NUMBER\] \[--yes\]$/,
    ],
  ])('%j', (words, sentence) => expectRefused(words, sentence))

  test('a missing folder or database is an error, not a book in order', async () => {
    await expectRefused(
      ['reconcile'],
      /^There is no database in .*data: set DATA_DIR or DATABASE_URL to the server's\.$/,
      {},
    )
    await expectRefused(['reconcile'], /^The database at 127\.0\.0\.1:1 refuses the connection/, {
      DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c',
    })
    await expectRefused(['reconcile'], /^The setting PORT is not valid/, {
      DATABASE_URL: url,
      PORT: 'abc',
    })
  })
})

test('user shows balances and bots as the user sees them, and leaves an audit event', async () => {
  const { code, said } = await ops(['user', ada.username.toUpperCase()])
  expect(code).toBe(0)
  const { availableBalance } = await ada.call('getUser')
  expect(said).toContain(`cash      ${englishMoneyText({ amount: availableBalance })}`)
  for (const bot of await ada.call('listBots')) expect(said).toContain(`bot ${bot.id}`)
  expect(await audited('user.show', ada.id)).toMatchObject([{ actor: `operator:${OPERATOR}` }])
})

describe('withdrawals', () => {
  const request = async (): Promise<string> =>
    (await ada.call('requestWithdrawal', { body: { amount: '10.01' } })).id
  const stateOf = async (id: string) =>
    (await sql<{ state: string }[]>`select state from withdrawal_requests where id = ${id}`)[0]
      ?.state
  const act = async (id: string, ...actions: string[]) => {
    for (const action of actions)
      expect(await ops(['withdrawals', action, id])).toMatchObject({ code: 0, complained: '' })
  }

  test('list names every open withdrawal, without the full account number', async () => {
    const id = await request()
    const open = await sql<{ id: string }[]>`select id from withdrawal_requests
      where state in ('pending', 'in_review', 'approved', 'submitted')`
    const { code, said } = await ops(['withdrawals', 'list'])
    expect(code).toBe(0)
    expect(
      said
        .split('\n')
        .map((line) => line.split(' ')[0])
        .toSorted(),
    ).toEqual(open.map((row) => row.id).toSorted())
    expect(said.split('\n').find((line) => line.startsWith(id))).toMatch(
      new RegExp(`pending +\\$10\\.01  ${ada.username}  First Bank ••6789$`),
    )
    expect(said).not.toContain('000123456789')
  })

  test('an operator reviews and approves a withdrawal, marks it as paid and returned', async () => {
    const id = await request()
    const before = decimalToUnits((await ada.call('getUser')).availableBalance)
    expect(
      await ops(['withdrawals', 'review', id, '--note', 'asked', 'the', 'user']),
    ).toMatchObject({ code: 0, said: `${id} is in_review` })
    expect(await ops(['withdrawals', 'approve', id])).toMatchObject({
      code: 0,
      said: `${id} is approved`,
    })
    await actOnWithdrawal(world.context, { id, action: 'submit', actor: 'system' })
    expect(await ops(['withdrawals', 'mark-paid', id])).toMatchObject({
      code: 0,
      said: `${id} is paid`,
    })
    expect(await ops(['withdrawals', 'mark-returned', id])).toMatchObject({
      code: 0,
      said: `${id} is paid: a second, different operator must mark it too`,
    })
    const second = await signInAs(world.context, { name: 'Linus', roles: ['payouts'] })
    expect(
      await ops(['withdrawals', 'mark-returned', id], {
        DATABASE_URL: url,
        OPERATOR_TOKEN: second.token,
      }),
    ).toMatchObject({ code: 0, said: `${id} is returned` })
    expect(decimalToUnits((await ada.call('getUser')).availableBalance)).toBe(
      before + decimalToUnits('10.01'),
    )
    const details = { from: 'pending', to: 'in_review', note: 'asked the user' }
    expect(await audited('withdrawal.review', id)).toMatchObject([
      { actor: `operator:${OPERATOR}`, details },
    ])
    for (const action of ['approve', 'mark-paid', 'mark-returned.first'])
      expect(await audited(`withdrawal.${action}`, id)).toMatchObject([
        { actor: `operator:${OPERATOR}` },
      ])
    expect(await audited('withdrawal.mark-returned', id)).toMatchObject([
      { actor: 'operator:Linus' },
    ])
  })

  test('rejecting a withdrawal returns the money', async () => {
    const before = await ada.call('getUser')
    const id = await request()
    await act(id, 'reject')
    expect(await stateOf(id)).toBe('rejected')
    expect((await ada.call('getUser')).availableBalance).toBe(before.availableBalance)
  })

  test('an action that the state does not allow is refused and changes nothing', async () => {
    const id = await request()
    const { message } = PROBLEMS['withdrawal-state']
    await Promise.all(
      ['mark-paid', 'mark-failed', 'mark-returned'].map((action) =>
        expectRefused(['withdrawals', action, id], message),
      ),
    )
    expect(await stateOf(id)).toBe('pending')
    await act(id, 'reject')
    const traces = await sql`select from audit_events where subject = ${id}`
    for (const action of ['review', 'approve', 'reject', 'mark-paid'])
      await expectRefused(['withdrawals', action, id], message)
    expect(await stateOf(id)).toBe('rejected')
    expect(await sql`select from audit_events where subject = ${id}`).toHaveLength(traces.length)
    expect(await reconcile(world.context)).toEqual([])
    const refusals = await sql<
      { actor: string; details: object }[]
    >`select actor, details from audit_events where action = 'withdrawals.refused'
      order by created_at desc limit 1`
    expect(refusals.map((row) => ({ ...row }))).toEqual([
      { actor: `operator:${OPERATOR}`, details: { words: `mark-paid ${id}`, reason: message } },
    ])
  })
})

const RESTORED =
  'Restored, and the book is in order.\nPayouts are halted: mark those that were sent after ' +
  'the backup, then run npm run ops -- payouts resume.'

/**
 * Tables of the installation, which differ: the audit trail also has the restore, and the chain of
 * seals starts again.
 */
const NOT_OF_THE_BOOK = [
  'audit_events',
  'schema_migrations',
  'throttles',
  'sessions',
  'operator_sessions',
  'wallet_nonces',
  'book_seals',
  'broken_seal',
]

describe('backup and restore', () => {
  const tables = async (where: Sql): Promise<Record<string, string>> => {
    const rows = await where<
      { name: string }[]
    >`select relname as name from pg_class where relkind = 'r'
      and relnamespace = 'public'::regnamespace`
    const contents: Record<string, string> = {}
    for (const { name } of rows.filter((row) => !NOT_OF_THE_BOOK.includes(row.name))) {
      const [row] = await where<{ hash: string }[]>`
        select count(*) || ' ' || md5(coalesce(string_agg(row, ',' order by row), '')) as hash
          from (select (to_jsonb(t) - 'written_in')::text as row from ${where(name)} t) t`
      contents[name] = row?.hash ?? ''
    }
    return contents
  }

  test('a restored book equals the original, row for row, and reconciles', async () => {
    const file = join(folder, 'book.gz')
    expect(await ops(['backup', file])).toMatchObject({ code: 0, complained: '' })
    const empty = await createTestDatabase()
    const env = { DATABASE_URL: empty.url, DATA_DIR: join(folder, 'restored') }
    try {
      expect(await ops(['restore', file], env)).toEqual({ code: 0, said: RESTORED, complained: '' })
      expect(await tables(empty.sql)).toEqual(await tables(sql))
      expect(await ops(['reconcile'], env)).toMatchObject({ code: 0 })
      expect(await sql`select from sessions`).not.toEqual([])
      expect(await sql`select from operator_sessions`).not.toEqual([])
      expect(
        await empty.sql`select from sessions union all select from operator_sessions union all
          select from wallet_nonces`,
        'a session that ended since the backup stays ended',
      ).toEqual([])
      expect(await ada.ask('getUser')).toMatchObject({ status: 200 })
      await checkBook(empty.sql, { BOOK: 'paper', SESSION_SECRET: SECRET })
      await expectRefused(
        ['restore', file],
        /^This database already has users: restore into an empty one\.$/,
        env,
      )
      await expectGoesOn(world.context, empty.sql)
    } finally {
      await empty.drop()
    }
    expect(await audited('backup', file)).toHaveLength(1)
    expect(await readdir(folder), 'no temporary file is left').not.toContain('book.gz.part')
  })

  test('a backup replaces no file', async () => {
    const file = join(folder, 'kept.gz')
    await writeFile(file, 'an earlier backup')
    await expectRefused(
      ['backup', file],
      /kept\.gz exists already: a backup replaces no file\. Give the name of a new one\.$/,
    )
    expect(await readFile(file, 'utf8')).toBe('an earlier backup')
    expect(await audited('backup', file)).toEqual([])
    expect(await readdir(folder), 'no temporary file is left').not.toContain('kept.gz.part')
  })

  test('a backup opens only with its secret, and can be sealed again under a new one', async () => {
    await ada.addBankAccount()
    const file = join(folder, 'sealed.backup')
    expect(await ops(['backup', file])).toMatchObject({ code: 0, complained: '' })
    const bytes = await readFile(file)
    expect(
      [ada.username, 'Lovelace', '021000021', '$argon2id'].filter((text) => bytes.includes(text)),
    ).toEqual([])
    const empty = await createTestDatabase()
    const env = {
      DATABASE_URL: empty.url,
      DATA_DIR: join(folder, 'sealed-again'),
      SESSION_SECRET: 'y'.repeat(32),
    }
    try {
      const before = await tables(empty.sql)
      await expectRefused(
        ['restore', file],
        pattern(
          /sealed\.backup was encrypted with another SESSION_SECRET: /,
          /set the one that belongs to it\. Nothing was restored\.$/,
        ),
        env,
      )
      expect(
        await tables(empty.sql),
        'no book of the wrong secret, which would refuse the right one',
      ).toEqual(before)
      const restored = await ops(['restore', file], { ...env, PREVIOUS_SESSION_SECRET: SECRET })
      expect(restored).toEqual({ code: 0, said: RESTORED, complained: '' })
      expect(await ops(['reconcile'], env)).toMatchObject({ code: 0 })
      await expectRefused(
        ['reconcile'],
        /^This book was sealed with another secret: set SESSION_SECRET/,
        { ...env, SESSION_SECRET: SECRET },
      )
      const examined = await ops(['doctor'], { ...env, SESSION_SECRET: SECRET })
      expect([examined.code, examined.said]).toEqual([
        1,
        expect.stringMatching(
          pattern(
            /^wrong +bank accounts: they were encrypted with another secret[^]*/,
            /^wrong +seals: this book was sealed with another secret/m,
          ),
        ),
      ])
      const right = await ops(['doctor'], env)
      expect(right.said).toMatch(
        pattern(
          /^ok +bank accounts: the secret decrypts them\n/,
          /ok +seals: whole; the newest is number \d+, kept in /m,
        ),
      )
    } finally {
      await empty.drop()
    }
  })

  test('an altered, truncated or foreign backup is refused with its reason', async () => {
    const file = join(folder, 'whole.backup')
    expect(await ops(['backup', file])).toMatchObject({ code: 0 })
    const bytes = await readFile(file)
    const whole = takeApart(bytes)
    const files: [name: string, content: Buffer | string, sentence: RegExp][] = [
      [
        'half',
        bytes.subarray(0, bytes.length >> 1),
        /half is cut off in line \d+ of [a-z_]+\. Nothing was restored\.$/,
      ],
      [
        'broken',
        putTogether(flipped(whole, 'ledger_entries')),
        /broken was altered in line 1 of ledger_entries\. Nothing was restored\.$/,
      ],
      [
        'plain.txt',
        'good morning',
        /plain\.txt is not a backup of this product\. Nothing was restored\.$/,
      ],
      ['empty', '', /empty is not a backup of this product\. Nothing was restored\.$/],
      [
        'headless',
        putTogether({ ...whole, records: whole.records.slice(1) }),
        /headless was altered in line 1 of \w+\. Nothing was restored\.$/,
      ],
      [
        'strange',
        await backupOf(['header', headed], ['nobodies', '[]']),
        /strange is not a complete backup: nothing was restored\.$/,
      ],
      [
        'not-json',
        await backupOf(['header', headed], ['users', '[']),
        /not-json is not a complete backup: nothing was restored\.$/,
      ],
      [
        'elsewhere',
        await backupOf([
          'header',
          JSON.stringify({ ...(JSON.parse(headed) as object), schema: '0001-other.sql' }),
        ]),
        /^This backup was made by another version/,
      ],
      [
        'short',
        await backupOf(['header', headed], ['manifest', '{"users":{"rows":1,"digest":""}}']),
        /short was altered in users\. Nothing was restored\.$/,
      ],
    ]
    const empty = await createTestDatabase()
    try {
      const before = await tables(empty.sql)
      for (const [name, content] of files) await writeFile(join(folder, name), content)
      for (const [name, , sentence] of files)
        await expectRefused(['restore', join(folder, name)], sentence, { DATABASE_URL: empty.url })
      expect(await tables(empty.sql)).toEqual(before)
    } finally {
      await empty.drop()
    }
  })

  let headed = ''
  beforeAll(async () => {
    const names = await sql<{ name: string }[]>`select name from schema_migrations order by name`
    headed = JSON.stringify({
      schema: names.map(({ name }) => name).join(' '),
      book: { id: UNKNOWN, kind: 'paper' },
      madeAt: '2026-01-01T00:00:00.000Z',
    })
  })

  /** A file with these records, made with the right secret. */
  async function backupOf(...records: [name: string, text: string][]): Promise<Buffer> {
    const parts: Buffer[] = []
    const write = recordWriter(
      new Writable({
        write: (chunk: Buffer, _encoding, done) => (parts.push(Buffer.from(chunk)), done()),
      }),
      SECRET,
    )
    for (const [name, text] of records) await write({ name, text })
    return Buffer.concat(parts)
  }

  test('a path that cannot be written is refused with a message', async () => {
    await expectRefused(
      ['backup', join(folder, 'nowhere', 'book.gz')],
      /book\.gz cannot be used: it does not exist\.$/,
    )
    expect(await audited('backup', join(folder, 'nowhere', 'book.gz'))).toEqual([])
  })
})

test('reconcile reports that the book is in order, and names the row after damage', async () => {
  expect(await ops(['reconcile'])).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^The book is in order: \d+ checks, and \d+ seals are whole\.$/),
  })
  const [account] = await sql<{ id: string }[]>`
    select id::text from ledger_accounts where code = 'customer:cash' and user_id = ${ada.id}`
  await sql.unsafe(
    'set session_replication_role = replica; update ledger_accounts set balance = balance + ' +
      `1000000 where id = ${account?.id}; reset session_replication_role`,
  )
  const { code, said } = await ops(['reconcile'])
  expect(code).toBe(1)
  expect(said).toMatch(
    new RegExp(
      `^DIFFERS  every balance is the sum of its entries\\n +${account?.id}: customer:cash ` +
        `holds \\d+ and its entries \\d+ USD$`,
      'm',
    ),
  )
  expect(await audited('reconcile', 'book')).toHaveLength(2)
})

test('the embedded database is used while the server runs, else started and stopped', async () => {
  const server = await startServer({ dataDir: await makeDataDir() })
  const grace = await signUp(server.url, 'grace')
  await grace.deposit('12')
  // The server made its own secret, in its folder.
  const env = { DATA_DIR: server.dataDir, SESSION_SECRET: '', OPERATOR_TOKEN: '' }
  await signInFirst({ DATA_DIR: server.dataDir, SESSION_SECRET: '' })
  expect(await ops(['user', 'grace'], env)).toMatchObject({
    code: 0,
    said: expect.stringContaining('cash      $12.00'),
  })
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  expect(await server.stop()).toBe(0)
  expect(await ops(['user', 'grace'], env)).toMatchObject({
    code: 0,
    said: expect.stringContaining('cash      $12.00'),
  })
  expect((await ops(['doctor'], env)).said).toContain(
    `ok       database: reachable, a paper book in ${server.dataDir}\n`,
  )
  expect(processesOf(server.dataDir)).toEqual([])
  await removeDataDir(server.dataDir)
})
