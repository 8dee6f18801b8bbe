import type { ReactNode } from 'react'
import type { TradeFigures } from '#contract/bots.ts'
import type { Transaction, TransactionReceipt } from '#contract/transactions.ts'
import { LIVE_WITHDRAWAL_HOLD_HOURS } from '#core/withdrawals/hold-reason.ts'
import { msg, say, t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { useTransactionReceipt } from '#app/api/receipt-query.ts'
import { CopyButton } from '#app/ui/buttons/copy-button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { Link } from '#app/ui/frame/link.tsx'
import { Loading } from '#app/ui/frame/loading.tsx'
import { StatusBadge } from '#app/ui/frame/status-badge.tsx'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { Change, FigureText, Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { sendingLines } from '#app/ui/money/sending-lines.ts'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { PartLines } from './part-lines.tsx'
import { TradeLines, TradeSummary, tradeSum, type TradeSum } from './trade-lines.tsx'
import { TradePicture } from './trade-picture.tsx'
import { useMarketTime } from '#app/market/market-time.ts'
import { ShareDoor } from '#app/market/share-door.tsx'
import { WaitingPairs } from '#app/market/waiting-pairs.tsx'
import { PaperStamp } from '#app/shell/brand.tsx'
import { useRowTimes } from './use-row-times.ts'

type Props = { id: string; open: boolean; onClose: () => void; children?: ReactNode }

/** A receipt, which is refetched while it is open: a pending withdrawal becomes completed. */
export function ReceiptSheet({ id, open, onClose, children }: Props) {
  const receipt = useTransactionReceipt(id)
  const { momentOf } = useRowTimes()
  const transaction = receipt.data?.transaction
  return (
    <Sheet
      loads
      open={open}
      onClose={onClose}
      title={transaction?.description ?? t('Receipt')}
      description={transaction ? momentOf(transaction) : ''}
    >
      {/* A next step makes it taller. A toast is below it from the start. */}
      <div className={children === undefined ? 'min-h-96' : 'min-h-144'}>
        <Loading
          query={receipt}
          problem={t('Unable to load the receipt')}
          className="h-96 w-full"
        />
        {receipt.data && <Content receipt={receipt.data} />}
        {receipt.data && children}
      </div>
    </Sheet>
  )
}

function Content({ receipt }: { receipt: TransactionReceipt }) {
  const { transaction, trade, lines, picture } = receipt
  const moved = movedIn(lines)
  const sum = trade && tradeSum({ trade, moved, exact: false })
  return (
    <>
      {sum ? (
        <TradeHero {...sum} />
      ) : (
        <Money
          size="hero"
          amount={transaction.amount}
          sign="always"
          className={transaction.status === 'failed' ? 'line-through' : ''}
        />
      )}
      <div className="mt-1 mb-3 flex flex-wrap items-center justify-between gap-x-3">
        <p role="status">
          <StatusBadge status={transaction.status} />
        </p>
        <PaperStamp />
      </div>
      <Terms transaction={transaction} />
      <WaitingPairs pairs={receipt.waitingPairs} />
      {trade && (
        <p className="mb-2 text-16 text-pretty">
          <FigureText>{trade.reason}</FigureText>
        </p>
      )}
      {trade && picture && <TradePicture trade={trade} picture={picture} />}
      {trade && <TradeSummary trade={trade} moved={moved} />}
      <Exact {...receipt} />
      {trade && sum && <ShareTrade trade={trade} amount={sum.result ?? sum.total} />}
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <span className="text-14 text-ink2">
          {t('Reference')} {shortReference(receipt.reference)}
        </span>
        <CopyButton name="reference" text={receipt.reference} className="-mr-2" />
      </div>
      {transaction.bot && <BotLink bot={transaction.bot} />}
    </>
  )
}

function Exact({ trade, part, lines, paymentIntentId }: TransactionReceipt) {
  return (
    <Disclosure
      summary={t('Exact figures and ledger lines')}
      className="mt-3 border-b border-hairline"
    >
      <div className="pb-4">
        {trade && <TradeLines trade={trade} moved={movedIn(lines)} />}
        {part && trade ? (
          <PartLines part={part} trade={trade} lines={lines} />
        ) : (
          <LedgerLines lines={lines} />
        )}
        {paymentIntentId !== null && (
          <div className="mt-5">
            <Receipt lines={[{ label: t('Payment'), value: paymentIntentId }]} />
          </div>
        )}
      </div>
    </Disclosure>
  )
}

function ShareTrade({ trade, amount }: { trade: TradeFigures; amount: string }) {
  const { momentText } = useMarketTime()
  const moments = momentText(trade.marketTime)
  return <ShareDoor shared={{ kind: 'trade', trade, amount, moments }} />
}

/** The money of a trade as booked. */
const movedIn = (lines: TransactionReceipt['lines']): string => lines[0]?.amount ?? '0'

function BotLink({ bot }: { bot: NonNullable<Transaction['bot']> }) {
  return (
    <Link
      href={`/history?bot=${bot.id}`}
      className="inline-flex min-h-12 items-center text-16 font-semibold text-accent"
    >
      {t('All transactions of {bot}', { bot: bot.name })}
    </Link>
  )
}

function Terms({
  transaction: { type, status, sendsAfter, createdAt },
}: {
  transaction: Transaction
}) {
  const { momentText } = useDates()
  if (type !== 'deposit' && type !== 'withdrawal') return null
  const isOnItsWay = type === 'withdrawal' && (status === 'pending' || status === 'processing')
  return (
    <>
      <Receipt
        lines={[
          ...(isOnItsWay
            ? sendingLines({
                sendsAfterMs: sendsAfter === null ? null : Date.parse(sendsAfter),
                requestedMs: Date.parse(createdAt),
                momentText,
              })
            : []),
          { label: t('Fee'), value: <Money amount="0.00" /> },
        ]}
      />
      {type === 'withdrawal' && <HoldOfRealMoney />}
    </>
  )
}

/**
 * Explains that withdrawals of real money wait, unlike paper money here, which shows each step at
 * once.
 */
function HoldOfRealMoney() {
  const config = useConfig().data
  if (config?.book !== 'paper' || config.withdrawalHoldHours > 0) return null
  return (
    <p className="mt-2 text-14 text-ink2">
      {t('With real money, a withdrawal would wait {hours} hours after a change.', {
        hours: LIVE_WITHDRAWAL_HOLD_HOURS,
      })}
    </p>
  )
}

/** The last figure of the sum below: the result of a sale, the price of a purchase. */
function TradeHero({ result, total }: Pick<TradeSum, 'result' | 'total'>) {
  if (result === null)
    return (
      <div>
        <p className="text-14 text-ink2">{t('Paid by the bot')}</p>
        <Money size="hero" amount={total} />
      </div>
    )
  return (
    <p>
      <span className="block text-14 text-ink2">{t('Realized result')}</span>
      <Change
        amount={result}
        className="text-[min(2.875rem,12vw)] leading-[1.05] font-semibold tracking-[-0.02em]"
      />
    </p>
  )
}

const shortReference = (reference: string): string => `${reference.slice(0, 13)}…`

/**
 * The booked amounts by account. They sum to zero, because money that leaves one account arrives on
 * another.
 */
function LedgerLines({ lines }: { lines: TransactionReceipt['lines'] }) {
  if (lines.length === 0) return null
  const dollars = lines.filter(({ asset }) => asset === 'USD')
  return (
    <>
      <Receipt
        lines={[
          ...lines.map(({ account, asset, amount }) => ({
            label: lineName({ account, amount }),
            value: (
              <Money
                amount={amount}
                asset={asset}
                sign="always"
                precision={isWholeCents(amount) ? 'cents' : 'exact'}
              />
            ),
          })),
          dollars.length > 1 && {
            label: t('Sum of the dollar lines'),
            value: <Money amount={sumOf(...dollars.map(({ amount }) => amount))} />,
            isTotal: true,
          },
        ]}
      />
    </>
  )
}

const isWholeCents = (amount: string): boolean => /^-?\d+(\.\d\d0*)?$/.test(amount)

type Way = { from: string; to: string }

const NAMES: Record<string, Way> = {
  'customer:cash': { from: msg('From your cash'), to: msg('To your cash') },
  'customer:hold': {
    from: msg('From money held for withdrawals'),
    to: msg('To money held for withdrawals'),
  },
  'customer:receivable': { from: msg('Added to what you owe'), to: msg('Paid off what you owe') },
  bots: { from: msg('From your bots'), to: msg('To your bots') },
  venue: { from: msg('From the trading venue'), to: msg('To the trading venue') },
  'card:clearing': { from: msg('From the card provider'), to: msg('To the card provider') },
  'payout:clearing': {
    from: msg('From payouts in transit'),
    to: msg('To payouts in transit'),
  },
  bank: { from: msg('From your bank'), to: msg('To your bank') },
  'fees:income': { from: msg('From our fee'), to: msg('To our fee') },
  rounding: { from: msg('From rounding'), to: msg('To rounding') },
}

/**
 * Names the account that a ledger line takes money from or adds it to: 'To your bots'. An account
 * without a name here keeps its ledger name.
 */
export function lineName({ account, amount }: { account: string; amount: string }): string {
  const isFrom = amount.startsWith('-')
  const name = NAMES[account]
  if (name) return say(isFrom ? name.from : name.to)
  return t(isFrom ? 'From {account}' : 'To {account}', { account })
}
