import { auditCommand } from '#server/security/audit.ts'
import { sealBook } from '#server/ledger/seal-book.ts'
import { sealAll, uncovered } from '../world/seal-all.ts'
import { forced, reconciles, type Attempt } from './attempt.ts'
import type { Copy } from './books.ts'
import { FORGED, quoted } from './forgeries.ts'
import { pattern } from '../world/pattern.ts'

/** Makes a second seal, over another audit event. */
async function sealAgain({ context }: Copy): Promise<void> {
  await auditCommand(context, { action: 'reconcile', subject: 'book' })
  await sealAll(context)
}

/**
 * Like `sealAgain`, by an installation that has never seen the book. The book's own installation
 * refuses to seal a chain that ends before its kept head.
 */
async function sealElsewhere({ context }: Copy): Promise<void> {
  await auditCommand(context, { action: 'reconcile', subject: 'book' })
  while ((await uncovered(context.sql)) > 0)
    await sealBook(context, { now: context.now(), seen: undefined })
}

/** Changes a chain of two seals. */
const ofTwo = ({ carryOut, ...attempt }: Attempt): Attempt => ({
  ...attempt,
  carryOut: async (copy) => {
    await sealAgain(copy)
    return carryOut(copy)
  },
})

const APPROVAL = "action = 'withdrawal.approve'"

/** The chain of seals and the audit trail. */
export const CHAIN_ATTEMPTS: readonly Attempt[] = [
  forced({
    deed: 'the chain of seals is emptied',
    rows: 'delete from book_seals',
    refused: pattern(
      /the chain of seals is whole; seal 1: /,
      /this installation has seen it, and the chain ends at seal 0\)/,
    ),
  }),
  ofTwo(
    forced({
      deed: 'the newest seal and all rows that it covers vanish, as in an older copy of the disk',
      rows:
        'delete from book_seals where number = 2; delete from audit_events where action = ' +
        "'reconcile'",
      refused: pattern(
        /the chain of seals is whole; seal 2: /,
        /this installation has seen it, and the chain ends at seal 1\)/,
      ),
    }),
  ),
  ofTwo(
    forced({
      deed: 'a seal in the middle is left out',
      rows: 'delete from book_seals where number = 1',
      refused: /the chain of seals is whole; seal 2: seal 1 is missing\)/,
    }),
  ),
  ofTwo(
    forced({
      deed: 'two seals become one',
      rows:
        'delete from book_seals where number = 1; update book_seals set number = 1, previous ' +
        "= ''",
      refused: /the chain of seals is whole; seal 1: it was changed, or made by somebody else\)/,
    }),
  ),
  {
    deed: 'a seal from a state that was set back takes the place of the one with its number',
    refused: /the chain of seals is whole; seal 3: it does not follow the seal before it\)/,
    carryOut: async (copy) => {
      await sealAgain(copy)
      await copy.pastTriggers(
        'create table set_back as select * from book_seals where number = 2; delete from ' +
          'book_seals where number = 2',
      )
      await sealElsewhere(copy)
      await sealElsewhere(copy)
      await copy.pastTriggers(
        'delete from book_seals where number = 2; insert into book_seals select * from set_back',
      )
      return copy.start()
    },
  },
  forced({
    deed: 'a seal covers one transfer fewer than it did',
    rows: 'update book_seals set transfers = transfers - 1',
    refused: /the chain of seals is whole; seal 1: it was changed, or made by somebody else\)/,
  }),
  forced({
    deed: 'a seal of somebody else is added',
    rows: `
      insert into book_seals (number, previous, until_transaction, transfers, events, sealed_at,
             seal)
      select 2, seal, until_transaction + 1, 0, '{}', now(), '${FORGED}' from book_seals`,
    refused: /seal 2: it was changed, or made by somebody else\)/,
  }),
  forced({
    deed: 'an audit event vanishes',
    rows: `delete from audit_events where ${APPROVAL}`,
    refused: /it covers \d+ audit events, and \d+ are there\)/,
  }),
  forced({
    deed: 'an audit event vanishes, before reconcile, which names it',
    rows: `delete from audit_events where ${APPROVAL}`,
    follows: reconciles,
    refused:
      /every sealed row is there; [0-9a-f-]{36}: the audit event is in seal 1, and it is gone/,
  }),
  forced({
    deed: 'an audit event names another operator, before reconcile, which names it',
    rows: `update audit_events set actor = 'operator:Mallory' where ${APPROVAL}`,
    follows: reconciles,
    refused: pattern(
      /every row is as it was sealed; [0-9a-f-]{36}: /,
      /audit event withdrawal.approve is not as it was sealed/,
    ),
  }),
  forced({
    deed: 'an audit event loses its seal',
    rows: `update audit_events set seal = null where ${APPROVAL}`,
    refused: /audit event withdrawal.approve has no seal\)/,
  }),
  forced({
    deed: 'the details of an audit event are changed',
    rows: `update audit_events set details = '{"from":"paid"}' where ${APPROVAL}`,
    refused: /is not as it was sealed\)/,
  }),
  forced({
    deed: 'an approval is added to the audit trail',
    rows: ({ withdrawal }) => `
      insert into audit_events (id, actor, action, subject, details, seal)
      values ('01900000-0000-7000-8000-00000000000a', 'operator:Linus', 'withdrawal.approve',
             ${quoted(withdrawal)}, '{}', '${FORGED}')`,
    refused: /is not as it was sealed\)/,
  }),
  {
    deed: 'a start with another secret, under which every row could be sealed again',
    refused: /^StartupError: This book was sealed with another secret: set SESSION_SECRET/,
    carryOut: (copy) => copy.start({ SESSION_SECRET: 'm'.repeat(32) }),
  },
]
