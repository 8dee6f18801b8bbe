import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Sql } from '#server/db/open.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/world/database.ts'

/**
 * Every table of users can be sharded by user, so that all rows of a user are in one place. Every
 * unique or foreign key must begin with user_id, or point to a table that is the same in all
 * shards. Values that are unique across all users are in directories.
 */

/**
 * Keyed by a value other than the user. They have no foreign keys, because they may be on another
 * shard than their user.
 */
const DIRECTORIES = ['usernames', 'emails', 'connected_wallets', 'payout_references']

type Rule = {
  table: string
  name: string
  columns: string[]
  target: string | null
  targetColumns: string[] | null
}

async function breachesOf(sql: Sql, directories: readonly string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and (c.relname = 'users' or exists (select from pg_attribute where attrelid = c.oid
           and attname = 'user_id'))`
  const tables = rows.map(({ name }) => name).filter((name) => !directories.includes(name))
  const keyOf = (table: string) => (table === 'users' ? 'id' : 'user_id')
  const [unique, pointing] = await Promise.all([readUnique(sql), readPointing(sql)])
  const first = await readFirstColumns(sql)
  return [
    ...tables
      .filter(
        (table) => !unique.some((rule) => rule.table === table && rule.name.endsWith('_pkey')),
      )
      .map((table) => `${table} has no primary key`),
    ...tables
      .filter((table) => first.get(table) !== keyOf(table))
      .map((table) => `${table} does not begin with ${keyOf(table)}`),
    ...unique
      .filter(({ table, columns }) => tables.includes(table) && columns[0] !== keyOf(table))
      .map(({ name }) => `${name} does not begin with the user`),
    ...pointing
      .filter(({ table, target, columns, targetColumns }) => {
        if (target === null || !tables.includes(target)) return false
        return (
          !tables.includes(table) ||
          columns[0] !== keyOf(table) ||
          targetColumns?.[0] !== keyOf(target)
        )
      })
      .map(({ name }) => `${name} does not point to rows of the same user`),
    ...pointing
      .filter(
        ({ table, target }) => directories.includes(table) || directories.includes(target ?? ''),
      )
      .map(({ name }) => `${name} ties a directory`),
  ].sort()
}

/**
 * Primary keys, unique constraints and unique indexes. An expression in an index counts as a column
 * without a name.
 */
async function readUnique(sql: Sql): Promise<Rule[]> {
  return sql<Rule[]>`
    select t.relname as table, i.relname as name, null as target, null as target_columns,
           array(select coalesce(a.attname::text, '') from unnest(x.indkey::smallint[])
           with ordinality as k (number, place)
                   left join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.number
                  where k.place <= x.indnkeyatts order by k.place) as columns
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where x.indisunique and t.relnamespace = 'public'::regnamespace`
}

async function readPointing(sql: Sql): Promise<Rule[]> {
  return sql<Rule[]>`
    select t.relname as table, c.conname as name, f.relname as target,
           array(select a.attname::text from unnest(c.conkey) with ordinality as k (number, place)
                   join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number
                  order by k.place) as columns,
           array(select a.attname::text from unnest(c.confkey) with ordinality as k (number, place)
                   join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number
                  order by k.place) as target_columns
      from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class f
           on f.oid = c.confrelid
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace`
}

async function readFirstColumns(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql<{ table: string; column: string }[]>`
    select c.relname as table, a.attname as column from pg_class c join pg_attribute a
           on a.attrelid = c.oid and a.attnum = 1
     where c.relnamespace = 'public'::regnamespace`
  return new Map(rows.map(({ table, column }) => [table, column]))
}

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

test('every table of users is keyed by user', async () => {
  expect(await breachesOf(database.sql, DIRECTORIES)).toEqual([])
})

test('the key of a directory is the value that it lists', async () => {
  expect(await breachesOf(database.sql, [])).toEqual(
    expect.arrayContaining(
      ['usernames_pkey', 'emails_pkey', 'connected_wallets_pkey', 'payout_references_pkey'].map(
        (name) => `${name} does not begin with the user`,
      ),
    ),
  )
})

test('a table that breaks these rules is reported with the reason', async () => {
  await database.sql.unsafe(`
    create table plans (id int constraint plans_pkey primary key);
    create table sound (user_id uuid constraint sound_user references users, id uuid,
    plan int constraint sound_plan references plans, constraint sound_pkey primary key (user_id,
    id));
    create table offenders (id uuid constraint offenders_pkey primary key,
    user_id uuid constraint offenders_user references users, address text,
      other uuid constraint offenders_other references users,
      constraint offenders_sound foreign key (user_id, id) references sound);
    create unique index offenders_address on offenders (lower(address), user_id);
    create table keyless (user_id uuid);
    create table pointers (id uuid constraint pointers_pkey primary key,
    owner uuid constraint pointers_owner references users);
    create table addresses (address text constraint addresses_pkey primary key,
    user_id uuid constraint addresses_user references users)`)
  expect(await breachesOf(database.sql, [...DIRECTORIES, 'addresses'])).toEqual([
    'addresses_user does not point to rows of the same user',
    'addresses_user ties a directory',
    'keyless has no primary key',
    'offenders does not begin with user_id',
    'offenders_address does not begin with the user',
    'offenders_other does not point to rows of the same user',
    'offenders_pkey does not begin with the user',
    'pointers_owner does not point to rows of the same user',
  ])
})
