import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { brokenAccounts } from '../../test/broken-accounts.ts'
import { createTestBook } from '../../test/database.ts'
import { readAccount, sealAccount } from './account-seal.ts'

test('accounts without a seal are broken, however many there are', async () => {
  const { sql, drop } = await createTestBook()
  // More than are read at once.
  const ids = Array.from({ length: 1_001 }, () => randomUUID())
  await sql`insert into users (id, username, password, first_name, last_name)
    select id, id::text, '', 'Ada', 'Byron' from unnest(${ids}::uuid[]) as id`
  const [one = '', ...others] = ids
  await sealAccount(sql, one)
  expect(await brokenAccounts(sql)).toEqual(others.toSorted())
  expect(await readAccount(sql, one)).toMatchObject({ username: one })
  await drop()
})
