import { botReturned } from '#core/ledger/movements.ts'
import { post } from '#server/ledger/post.ts'
import { contentOfTransfer, openSeals } from '#server/kernel/seal.ts'
import { paysOut, forced, reconciles, written, type Attempt } from './attempt.ts'
import type { Copy } from './books.ts'
import { depositRows, FORGED, quoted, transferOf, withdrawForged } from './forgeries.ts'
import { pattern } from '../world/pattern.ts'

const NOT_AS_SEALED = pattern(
  /^StartupError: A seal of this book is broken \(/,
  /every row is as it was sealed; .* is not as it was sealed\)/,
)
const VANISHED = pattern(
  /^StartupError: A seal of this book is broken \(/,
  /every sealed row is there; seal 1 of .*: /,
  /it covers \d+ transfers, and \d+ are there\)/,
)

const DEPOSIT = transferOf('deposit:%')
const HOLD = transferOf('withdrawal:%:hold')
const [OLDER, NOBODY] = [
  "'01000000-0000-7000-8000-000000000001'",
  "'01000000-0000-7000-8000-000000000002'",
]

const forgedOf =
  (provider: string) =>
  ({ ada }: Copy) =>
    depositRows({ userId: ada, dollars: 5_000, provider })

/**
 * A forged deposit with a seal that another book, with the same secret, made for exactly its
 * content.
 */
const foreign = (
  deed: string,
  book: (copy: Copy) => { id: string; kind: 'paper' | 'live' },
): Attempt => ({
  deed,
  refused: NOT_AS_SEALED,
  carryOut: async (copy) => {
    const eventTime = new Date('2026-01-01T00:00:00Z')
    const rows = (seal: string) =>
      depositRows({ userId: copy.ada, dollars: 5_000, provider: 'stripe', at: eventTime, seal })
    const content = contentOfTransfer({
      userId: copy.ada,
      id: /'(01900000[^']*)'/.exec(rows(''))?.[1] ?? '',
      kind: 'deposit',
      dedupKey: 'deposit:pi_forged',
      eventTime,
      lines: [
        { code: 'customer:cash', asset: 'USD', pool: '', amount: '500000000000' },
        { code: 'card:clearing', asset: 'USD', pool: '', amount: '-500000000000' },
      ],
    })
    await copy.asSuperuser(
      rows(
        openSeals({ secret: copy.config.SESSION_SECRET, book: book(copy) }).sealOf(
          'transfer',
          content,
        ),
      ),
    )
    return copy.start()
  },
})

const idOf = ({ context }: Copy): string => context.seals.book.id

/** Rows of the ledger of a live book, written by somebody with the database's password. */
export const LEDGER_ATTEMPTS: readonly Attempt[] = [
  written({
    deed: '29: a deposit of the sandbox with its ledger entries and its history',
    rows: forgedOf('sandbox'),
    refused: /^PostgreSQL refuses: book_without_sandbox$/,
  }),
  written({
    deed: 'the same deposit, said to be of the card provider, at the next start',
    rows: forgedOf('stripe'),
    refused: NOT_AS_SEALED,
  }),
  written({
    deed: '29: the same deposit, before reconcile',
    rows: forgedOf('stripe'),
    follows: reconciles,
    refused: pattern(
      /every row is as it was sealed; 01900000-.*: /,
      /transfer deposit:pi_forged is not as it was sealed/,
    ),
  }),
  {
    deed:
      '31: a forged deposit dated back five days, withdrawn, approved and exported for the ' +
      'bank',
    refused: /^A seal of this book is broken \(/,
    carryOut: async (copy) => {
      await withdrawForged(copy, { provider: 'stripe' })
      return copy.payOut()
    },
  },
  written({
    deed: 'a forged deposit with the seal of another transfer',
    rows: (copy) => `${forgedOf('stripe')(copy)} set local session_replication_role = replica;
      update ledger_transfers set seal = (select seal from ledger_transfers where kind = 'deposit'
             and seal <> '${FORGED}') where seal = '${FORGED}';
      set local session_replication_role = origin`,
    refused: NOT_AS_SEALED,
  }),
  forced({
    deed: 'a forged deposit without a seal',
    rows: (copy) =>
      `${forgedOf('stripe')(copy)} update ledger_transfers set seal = null where seal = ` +
      `'${FORGED}'`,
    refused: /transfer deposit:pi_forged has no seal\)/,
  }),
  foreign('the sealed deposit of a paper book with the same secret and id', (copy) => ({
    id: idOf(copy),
    kind: 'paper',
  })),
  foreign('the sealed deposit of another live book with the same secret', () => ({
    id: '01000000-0000-7000-8000-000000000001',
    kind: 'live',
  })),
  forced({
    deed: 'a deposit is multiplied by ten, with its balances, intent and history',
    rows: `
      update ledger_entries set amount = amount * 10 where transfer_id = ${DEPOSIT};
      update ledger_accounts a set balance = (select sum(amount) from ledger_entries e
             where e.user_id = a.user_id and e.account_id = a.id)
       where code in ('customer:cash', 'card:clearing')
         and user_id in (select user_id from payment_intents);
      update payment_intents set amount = amount * 10, received = received * 10; update transactions
         set amount = amount * 10 where type = 'deposit'`,
    refused: NOT_AS_SEALED,
  }),
  forced({
    deed: 'a hold becomes a deposit',
    rows: `update ledger_transfers set kind = 'deposit' where id = ${HOLD}`,
    refused: NOT_AS_SEALED,
  }),
  forced({
    deed: 'a deposit is said to be of another payment',
    rows: "update ledger_transfers set dedup_key = 'deposit:pi_other' where kind = 'deposit'",
    refused: NOT_AS_SEALED,
  }),
  forced({
    deed: 'a deposit is dated back by its time',
    rows:
      "update ledger_transfers set event_time = event_time - interval '5 days' where kind = " +
      "'deposit'",
    refused: NOT_AS_SEALED,
  }),
  forced({
    deed: 'a deposit is dated back by its id',
    rows: `update ledger_entries set transfer_id = ${OLDER} where transfer_id = ${DEPOSIT};
      update ledger_transfers set id = ${OLDER} where kind = 'deposit'`,
    refused: NOT_AS_SEALED,
  }),
  forced({
    deed: 'a deposit is given to another user',
    rows: ({ ada }) =>
      `update ledger_transfers set user_id = ${NOBODY} where user_id = ${quoted(ada)}
        and kind = 'deposit'`,
    refused: NOT_AS_SEALED,
  }),
  forced({
    deed: 'an entry moves to another account',
    rows:
      'update ledger_entries e set account_id = (select id from ledger_accounts a where ' +
      `a.user_id = e.user_id and a.code = 'customer:receivable') where transfer_id = ${HOLD} ` +
      'and amount < 0',
    refused: NOT_AS_SEALED,
  }),
  forced({
    deed: 'an entry is left out',
    rows: `delete from ledger_entries where transfer_id = ${HOLD} and amount < 0`,
    refused: NOT_AS_SEALED,
  }),
  forced({
    deed: 'the hold of a withdrawal vanishes, and its money is cash again',
    rows: `delete from ledger_entries where transfer_id = ${HOLD}; delete from ledger_transfers
      where dedup_key like 'withdrawal:%:hold'`,
    refused: VANISHED,
  }),
  forced({
    deed: 'a transfer is said to be younger than its seal',
    rows:
      'update ledger_transfers set written_in = (select max(until_transaction) + 1000 from ' +
      "book_seals) where dedup_key like 'withdrawal:%:hold'",
    refused: VANISHED,
  }),
  forced({
    deed: 'the whole ledger is emptied',
    rows: 'delete from transactions; delete from ledger_entries; delete from ledger_transfers',
    refused: VANISHED,
  }),
  {
    deed: 'the holdings of a bot are raised, and the product itself pays them out with a seal',
    refused: /^These payouts are not proven: more would leave the book than came in\./,
    carryOut: async (copy) => {
      const movement = botReturned({ userId: copy.ada, amount: 500_000_000_000n, fee: 0n })
      await copy.context.atomically((tx) =>
        post(tx, {
          id: copy.context.newId(),
          dedupKey: 'bot:raised:return',
          movement,
          userId: copy.ada,
          eventTime: new Date(),
        }),
      )
      return paysOut(copy)
    },
  },
]
