import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runPlans } from '#server/bots/run-plans.ts'
import type { Sql } from '#server/db/open.ts'
import { keepBook, type KeptBook } from '../../../test/world/kept-book.ts'
import { createRisingWorld, fillSmallBook } from '../../../test/world/small-book.ts'
import type { World } from '../../../test/world/world.ts'
import { BOTS } from './reconcile-bots.ts'
import { POOLS } from './reconcile-pools.ts'
import { reconcile } from './reconcile.ts'

let world: World
let sql: Sql
let book: KeptBook

beforeAll(async () => {
  world = await createRisingWorld({}, { CASH_YIELD_BPS: 400, CASH_YIELD_SOURCE: 'a test' })
  sql = world.context.sql
  await fillSmallBook(world)
  await servePlan()
  book = await keepBook(sql)
})
afterAll(() => world.close())

/** A bot whose plan has added money once. */
async function servePlan(): Promise<void> {
  const user = await world.user()
  await user.deposit('500')
  const { id } = await user.call('createBot', {
    body: {
      name: 'planned',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '100',
    },
  })
  await user.call('setPlan', {
    params: { id },
    body: { amount: '50', every: 'week', starts: 'now' },
  })
  await runPlans(world.context)
  await world.serve()
}

const SLEEVE = "bot_id || ' ' || pool as subject"
const CHANGE = "pool || ' ' || number as subject"
/** The first sleeve that `where` holds for, by its key. */
const sleeve = (where: string) =>
  `(user_id, bot_id, pool) = (select user_id, bot_id, pool from sleeves where ${where} order ` +
  'by bot_id, pool limit 1)'
const change = (where: string) =>
  `(pool, number) = (select pool, number from pool_changes where ${where} order by id limit 1)`
const stay = (where: string) =>
  '(user_id, bot_id, pool, joined) = (select user_id, bot_id, pool, joined from sleeve_stays ' +
  `where ${where} order by bot_id, pool, joined limit 1)`
const bot = (where: string) =>
  `id = (select id from trading_bots where ${where} order by id limit 1)`

/** A manipulation of the data, and the check that must name the row that its statement returns. */
const DAMAGES: [deed: string, check: string, statement: string][] = [
  [
    'a sleeve is given a unit',
    'the units of a pool are its members’',
    `update sleeves set units = units + 1 where ${sleeve('units > 0')}
      returning pool::text as subject`,
  ],
  [
    'a pool is given money',
    'what a pool holds is in its accounts',
    'update pools set cash = cash + 1 where units > 0 returning id::text as subject',
  ],
  [
    'a pool is given coins',
    'what a pool holds is in its accounts',
    'update pools set base = base + 1 where units > 0 returning id::text as subject',
  ],
  [
    'a bot is given money',
    'what bots hold outside of pools is in the control accounts',
    `update sleeves set cash = cash + 1 where ${sleeve('true')} returning 'USD' as subject`,
  ],
  [
    'a paused bot is given coins',
    'what bots hold outside of pools is in the control accounts',
    `update sleeves set base = base + 1 where ${sleeve("status = 'paused' and base > 0")}
      returning (select split_part(pair, '/', 1) from pools where id = pool) as subject`,
  ],
  [
    'a sleeve in a pool is called out',
    'a sleeve is where its status says',
    `update sleeves set status = 'out' where ${sleeve('units > 0')} returning ${SLEEVE}`,
  ],
  [
    'a sleeve forgets when it joined',
    'a sleeve is where its status says',
    `update sleeves set joined = 0 where ${sleeve('units > 0')} returning ${SLEEVE}`,
  ],
  [
    'a bot gets another level, but not its sleeves',
    'a bot that is not changing holds only pools of its level and pairs',
    `with changed as (update trading_bots set risk_level = 'conservative',
      strategy = 'trend-conservative' where ${bot("risk_level = 'moderate'")} returning user_id, id)
     select s.bot_id || ' ' || s.pool as subject from changed c join sleeves s
            on s.user_id = c.user_id and s.bot_id = c.id`,
  ],
  [
    'a bot loses a pair, but not its sleeve',
    'a bot that is not changing holds only pools of its level and pairs',
    `with changed as (update trading_bots set trading_pairs = trading_pairs[1:1]
      where ${bot("status = 'active' and cardinality(trading_pairs) > 1")} returning user_id, id,
      trading_pairs)
     select s.bot_id || ' ' || s.pool as subject from changed c join sleeves s
            on s.user_id = c.user_id and s.bot_id = c.id
       join pools p on p.id = s.pool where not p.pair = any(c.trading_pairs)`,
  ],
  [
    'a sleeve vanishes',
    'every bot has a sleeve for each of its pairs',
    `delete from sleeves where ${sleeve('true')} returning bot_id as subject`,
  ],
  [
    'a closed bot owns something',
    'a closed bot owns nothing',
    `update sleeves set cash = 1 where ${sleeve("status = 'out'")} returning bot_id as subject`,
  ],
  [
    'a change vanishes',
    'the changes of a pool follow one another',
    `delete from pool_changes where ${change('number = 2')} returning pool::text as subject`,
  ],
  [
    'the last change is said to have left more',
    'a pool is what its last change left',
    'update pool_changes c set base_after = base_after + 1 from pools p where p.id = c.pool ' +
      'and p.changes = c.number and p.units > 0 returning c.pool::text as subject',
  ],
  [
    'a trade is enlarged',
    'nobody gains by others who come or go: what a unit holds never falls by it',
    `update pool_changes set total = total + 1 where ${change("kind = 'trade'")}
      returning ${CHANGE}`,
  ],
  [
    'a lot is said to have taken more',
    'nobody gains by others who come or go: what a unit holds never falls by it',
    `update pool_changes set cash_after = cash_after / 2
      where ${change("kind = 'leave' and units_after > 0")} returning ${CHANGE}`,
  ],
  [
    'a stay is said to have given back fewer units',
    'units that were issued and redeemed are in somebody’s stay',
    `update sleeve_stays set redeemed = redeemed - 1
      where ${stay('redeemed > 0 and joined < left_with')} returning pool || ' ' ||
      left_with as subject`,
  ],
  [
    'a stay begins before the last one ended',
    'the stays of a sleeve do not overlap',
    `update sleeves set joined = joined - 1
      where (user_id, bot_id, pool, joined) in (select user_id, bot_id, pool, left_with
      from sleeve_stays) and units > 0 returning ${SLEEVE}`,
  ],
  [
    'a sleeve is gone and its stays are left',
    'a stay is of a sleeve',
    `delete from sleeves
      where ${sleeve(
        'units = 0 and (user_id, bot_id, pool) in ' +
          '(select user_id, bot_id, pool from sleeve_stays)',
      )} returning ${SLEEVE}`,
  ],
  [
    'a stay is said to have begun with a change that no pool has',
    'a stay begins and ends with changes of its pool',
    `update sleeve_stays set joined = -1 where ${stay('units > 0')} returning ${SLEEVE}`,
  ],
  [
    'a sleeve is said to have joined with a change that no pool has',
    'a stay begins and ends with changes of its pool',
    `update sleeves set joined = 1000000 where ${sleeve('units > 0')} returning ${SLEEVE}`,
  ],
  [
    'a stay ends a second time',
    'the stays of a sleeve do not overlap',
    `insert into sleeve_stays select user_id, bot_id, pool, joined + 1, left_with + 1, units,
      offered, redeemed, paid, paid_base, cash_out, base_out from sleeve_stays
      where ${stay('units > 0 and left_with > joined + 1')} returning ${SLEEVE}`,
  ],
  [
    'a stay is said to have ended with a change that no pool has',
    'a stay begins and ends with changes of its pool',
    `update sleeve_stays set left_with = 1000000 where ${stay('units > 0')} returning ${SLEEVE}`,
  ],
  [
    'a fill is enlarged',
    'the fill of a block is its parties’ changes',
    `update engine_blocks set fill_quantity = fill_quantity + 10 where fill_quantity > 0
      returning id as subject`,
  ],
  [
    'a fill is paid less',
    'the fill of a block is its parties’ changes',
    `update engine_blocks set fill_notional = fill_notional - 10 where fill_quantity > 0
      and side = 'buy' returning id as subject`,
  ],
  [
    'a block changes its pair',
    'every change with an order belongs to a settled block of its pair',
    `with changed as (update engine_blocks set pair = 'ADA/USDT' returning id)
      select c.pool || ' ' || c.number as subject from pool_changes c join changed k
      on k.id = c.block_id`,
  ],
  [
    'a midnight is said to have paid more',
    'the interest of a midnight is what pools received, and what the ledger paid',
    `update cash_yields set amount = amount + 1 where amount > 0
      returning midnight::text as subject`,
  ],
  [
    'interest is called a higher rate',
    'interest is its day of the rate on the cash before it, floored',
    `with changed as (update cash_yields set rate_bps = 1999 returning midnight)
      select c.pool || ' ' || c.number as subject from pool_changes c join changed
      on changed.midnight = c.market_time where c.kind = 'yield'`,
  ],
  [
    'interest is said to have been more than the pool received',
    'nobody gains by others who come or go: what a unit holds never falls by it',
    `update pool_changes set total = total + 1 where ${change("kind = 'yield'")}
      returning ${CHANGE}`,
  ],
  [
    'an investment is raised',
    'what was put into a bot and paid out of it is in the ledger',
    `update trading_bots set invested = invested + 1 where ${bot("name = 'closed'")}
      returning id as subject`,
  ],
  [
    'an investment is lowered',
    'what was put into a bot and paid out of it is in the ledger',
    `update trading_bots set invested = invested - 1 where ${bot("name = 'closed'")}
      returning id as subject`,
  ],
  [
    'an investment of which a part was taken out is raised',
    'what was put into a bot and paid out of it is in the ledger',
    `update trading_bots set invested = invested + 1 where ${bot("name = 'kept'")}
      returning id as subject`,
  ],
  [
    'an investment of which a part was taken out is lowered',
    'what was put into a bot and paid out of it is in the ledger',
    `update trading_bots set invested = invested - 1 where ${bot("name = 'kept'")}
      returning id as subject`,
  ],
  [
    'a take-out is said to have counted for more',
    'what was put into a bot and paid out of it is in the ledger',
    `update transactions
      set metadata = jsonb_build_object('investedPart',
      ((metadata ->> 'investedPart')::bigint + 1)::text) where metadata ? 'investedPart'
      returning bot_id as subject`,
  ],
  [
    'a take-out forgets what it counted for',
    'what was put into a bot and paid out of it is in the ledger',
    `update transactions set metadata = '{}' where metadata ? 'investedPart'
      returning bot_id as subject`,
  ],
  [
    'a stay is said to have brought more',
    'the money of a sleeve is what it was given, paid and got back',
    `update sleeve_stays set cash_out = cash_out + 1 where ${stay('cash_out > 0')}
      returning user_id as subject`,
  ],
  [
    'a stay is said to have cost less',
    'the money of a sleeve is what it was given, paid and got back',
    `update sleeves set paid = paid - 1 where ${sleeve('units > 0 and paid > 0')}
      returning user_id as subject`,
  ],
  [
    'a plan is said to have added more',
    'what a plan has added is in the ledger',
    "update bot_plan_runs set amount = amount + 1 returning bot_id || ' ' || period as subject",
  ],
  [
    'a bot is called stopped and no guard has stopped it',
    'a bot is stopped while a stop of it is open',
    `update trading_bots set status = 'stopped' where ${bot("status = 'active'")}
      returning id as subject`,
  ],
  [
    'a stopped bot has not left its pools',
    'a stopped bot that has sold everything holds nothing but cash',
    `with stopped as (update trading_bots set status = 'stopped', engine_status = 'stopped'
      where ${bot("status = 'active' and is_synced")} returning user_id, id)
     select s.bot_id || ' ' || s.pool as subject from stopped b join sleeves s
            on s.user_id = b.user_id and s.bot_id = b.id`,
  ],
  [
    'a fee is not booked',
    'platform fees equal the fee income',
    `delete from platform_fees returning user_id as subject`,
  ],
  [
    'a fee is a unit too high',
    'a fee is its share of the profit, floored',
    `update platform_fees set fee_amount = fee_amount + 1 returning bot_id || ' ' || id as subject`,
  ],
  [
    'a fee names another trade',
    'a fee names a trade that happened',
    `update platform_fees set trade = bot_id where trade is not null
      returning bot_id || ' ' || id as subject`,
  ],
  [
    'a fee changes its bot',
    'a fee belongs to the return of a bot’s money',
    'update platform_fees f set bot_id = (select id from trading_bots b where b.user_id = ' +
      `f.user_id and b.name = 'paused') where f.fee_amount > 0 returning f.bot_id || ' ' || ` +
      'f.id as subject',
  ],
]

describe('reconcile', () => {
  afterEach(() => book.mend())

  test.each(DAMAGES)('names the row when %s', async (_deed, check, statement) => {
    const subjects = await book.damage(statement)
    expect(subjects.length).toBeGreaterThan(0)
    const named = (await reconcile(world.context))
      .filter((difference) => difference.check === check)
      .map(({ subject }) => subject)
    expect(named).toEqual(expect.arrayContaining(subjects.slice(0, 1)))
    await book.mend()
    expect(await reconcile(world.context)).toEqual([])
  })

  test('each promise about pools has a check, and each was broken here', () => {
    expect(new Set(DAMAGES.map(([, check]) => check))).toEqual(
      new Set([...POOLS, ...BOTS].map(({ name }) => name)),
    )
  })
})
