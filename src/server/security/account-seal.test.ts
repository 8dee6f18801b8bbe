import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { brokenAccounts } from '../../../test/world/broken-accounts.ts'
import { createTestBook } from '../../../test/world/database.ts'
import { readAccount, sealAccount } from './account-seal.ts'

test('accounts without a seal are broken, however many there are', async () => {
  const { drop, ...book } = await createTestBook()
  const { sql } = book
  // More accounts than one batch reads.
  const ids = Array.from({ length: 1_001 }, () => randomUUID())
  await sql`insert into users (id, username, password, first_name, last_name)
    select id, id::text, '', 'Ada', 'Byron' from unnest(${ids}::uuid[]) as id`
  const [one = '', ...others] = ids
  await sealAccount(book, one)
  expect(await brokenAccounts(book)).toEqual(others.toSorted())
  expect(await readAccount(book, one)).toMatchObject({ username: one })
  await drop()
})
