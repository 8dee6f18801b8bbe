import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allowTriggers } from './distribute.ts'
import { isDistributed } from './users-tables.ts'
import { examineNodes } from './examine-nodes.ts'
import { planDistribution, type DistributionPlan } from './plan.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Queries } from '#server/db/statement.ts'
import { violates } from '#server/db/connection.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/world/database.ts'

/**
 * The parts of a distributed book that can be tested on a plain PostgreSQL: the plan, and the
 * checks in a shard. `npm run bench -- cluster` shows the rest on Citus.
 */

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

class Undone extends Error {}

/** Rolls back all changes of `work`. */
async function undoing(work: (tx: Queries) => Promise<void>): Promise<void> {
  await expect(
    atomically(database.sql, async (tx) => {
      await work(tx)
      throw new Undone()
    }),
  ).rejects.toThrow(Undone)
}

test('a PostgreSQL without Citus is not distributed, and the reason is given', async () => {
  expect(await isDistributed(database.sql)).toBe(false)
  expect(await examineNodes(database.sql)).toEqual([
    expect.stringMatching(/^This PostgreSQL has no Citus, so its tables cannot be distributed/),
  ])
})

const keysOf = (tx: Queries) => tx<{ key: string }[]>`
  select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as key
    from pg_constraint where contype = 'f' and conparentid = 0 order by 1`

/** The stand-ins for Citus' functions store their calls here. */
const CALLS = `
  create table asked (place serial, what text);
  create function create_reference_table(name text) returns void language sql as $$
  insert into asked (what) values ('copy ' || name::regclass) $$;
  create function create_distributed_table(name text, key text, colocate_with text,
  shard_count integer default null) returns void language sql as $$
    insert into asked (what) select name::regclass || ' by ' || attname || ' with ' || colocate_with
      from pg_attribute where attrelid = name::regclass and attname = key $$;`

test("the plan shards tables with users' rows by user and keeps their foreign keys", async () => {
  await undoing(async (tx) => {
    await tx.unsafe(CALLS)
    const before = (await keysOf(tx)).map(({ key }) => key)
    const plan: DistributionPlan = await planDistribution(tx, { shards: 32 })
    for (const statement of plan.steps.flatMap(({ statements }) => statements))
      await tx.unsafe(statement)
    const asked = (await tx<{ what: string }[]>`select what from asked order by place`).map(
      ({ what }) => what,
    )
    const tables = await tx<{ name: string }[]>`
      select table_name as name from information_schema.columns where table_schema = 'public'
         and ordinal_position = 1 and column_name = 'user_id'
         and table_name in (select relname from pg_class where relkind = 'r')`
    expect(tables.length).toBeGreaterThan(30)
    expect(asked.filter((what) => what.startsWith('copy '))).toEqual([
      'copy book',
      'copy market_tickers',
      'copy pools',
      'copy strategy_exposures',
    ])
    expect(asked.filter((what) => !what.startsWith('copy ')).toSorted()).toEqual(
      [
        'users by id with none',
        ...tables.map(({ name }) => `${name} by user_id with users`),
      ].toSorted(),
    )
    const after = (await keysOf(tx)).map(({ key }) => key)
    expect(
      before
        .filter((key) => !after.includes(key))
        .map((key) => key.split(' ')[0])
        .toSorted(),
    ).toEqual(plan.lost.map((key) => key.split(':')[0]).toSorted())
    expect(
      plan.lost.filter((key) => !/REFERENCES (pools|pool_changes|payout_batches)\(/.test(key)),
    ).toEqual([])
  })
})

const USER = '01890000-0000-7000-8000-000000000001'
const TRANSFER = '01890000-0000-7000-8000-000000000002'

/**
 * Shards as Citus makes them: copies of the tables with a number in their names, and the same
 * triggers.
 */
async function makeShards(tx: Queries): Promise<void> {
  await allowTriggers(tx)
  const functions = new URL('./shard-functions.sql', import.meta.url)
  await tx.unsafe(`
    create table pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text);
    insert into pg_dist_shard values ('ledger_accounts', 12, '0'), ('ledger_accounts', 13, '9'),
           ('ledger_transfers', 22, '0'), ('ledger_entries', 32, '0');
    create table ledger_accounts_12 (like ledger_accounts including all);
    create table ledger_accounts_13 (like ledger_accounts including all);
    create table ledger_transfers_22 (like ledger_transfers including all);
    create table ledger_entries_32 (like ledger_entries including all);
    ${await readFile(functions, 'utf8')}
    create trigger applied_32 after insert on ledger_entries_32 referencing new table as added
    for each statement execute function ledger_apply_entries();
    create trigger follows_12 after update of balance on ledger_accounts_12
    for each statement execute function ledger_refuse_balance_change();
    create constraint trigger have_entries_22 after insert
    on ledger_transfers_22 deferrable initially deferred
    for each row execute function ledger_require_entries();
    insert into ledger_accounts_12 (user_id, code, asset, may_be_negative)
    values ('${USER}', 'customer:cash', 'USD', false), ('${USER}', 'bank', 'USD', true);
    insert into ledger_transfers_22 (user_id, id, kind, dedup_key, body_hash, event_time)
    values ('${USER}', '${TRANSFER}', 'deposit', 'one', '', now());`)
}

const entries = (cash: bigint, bank: bigint) => `
  insert into ledger_entries_32 (user_id, transfer_id, account_id, asset, amount)
  select user_id, '${TRANSFER}', id, asset, case code when 'bank' then ${bank} else ${cash} end
    from ledger_accounts_12 where code in ('customer:cash', 'bank')`

test("the ledger's checks also run on shards", async () => {
  await undoing(async (tx) => {
    await makeShards(tx)
    await tx.unsafe(entries(7n, -7n))
    expect(await tx`select code, balance from ledger_accounts_12 order by code`).toEqual([
      { code: 'bank', balance: -7n },
      { code: 'customer:cash', balance: 7n },
    ])
    await tx`set constraints all immediate`
  })
})

test.each([
  ['entries that do not sum to zero', 'ledger_entries_balanced', entries(7n, -6n)],
  ['a balance below zero', 'ledger_accounts_no_overdraft', entries(-7n, 7n)],
  [
    'a balance changed by hand',
    'ledger_balance_follows',
    'update ledger_accounts_12 set balance = 5',
  ],
  ['a transfer without entries', 'ledger_transfers_have_entries', 'set constraints all immediate'],
  [
    'a transfer written twice',
    'ledger_entries_once',
    `${entries(7n, -7n)}; delete from ledger_accounts_12 where code = 'bank';
    insert into ledger_accounts_12 (user_id, code, asset, may_be_negative)
    values ('${USER}', 'bots', 'USD', true), ('${USER}', 'payout:clearing', 'USD', true);
    insert into ledger_entries_32 (user_id, transfer_id, account_id, asset, amount)
    select user_id, '${TRANSFER}', id, asset, case code when 'bots' then 1 else -1 end
      from ledger_accounts_12 where code in ('bots', 'payout:clearing')`,
  ],
])('a shard refuses %s', async (_deed, constraint, statement) => {
  const refused = atomically(database.sql, async (tx) => {
    await makeShards(tx)
    await tx.unsafe(statement)
  })
  await expect(refused.catch((error: unknown) => violates(error, constraint))).resolves.toBe(true)
})

test.each([
  [Object.assign(new Error(''), { constraint: 'ledger_accounts_no_overdraft_102014' }), true],
  [
    new Error(
      'new row for relation "ledger_accounts_102014" violates check constraint ' +
        '"ledger_accounts_no_overdraft"',
    ),
    true,
  ],
  [
    new Error(
      'new row for relation "ledger_accounts" violates check constraint "ledger_accounts_dollars"',
    ),
    false,
  ],
])('a refusal of a node is recognized by its constraint: %s', (error, isKnown) => {
  expect(violates(error, 'ledger_accounts_no_overdraft')).toBe(isKnown)
})
