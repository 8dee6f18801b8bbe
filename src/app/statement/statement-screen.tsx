import { plainRoutes } from '#contract/plain-routes.ts'
import type { YearStatement } from '#contract/statement.ts'
import { t } from '#words/words.ts'
import { useConfig, useUser } from '#app/api/queries.ts'
import { useVisited } from '#app/api/use-visited.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { DownloadLink } from '#app/ui/buttons/download-link.tsx'
import { Field } from '#app/ui/forms/fields.tsx'
import { WholeSelect } from '#app/ui/forms/whole-select.tsx'
import { useSearchParams } from '#app/ui/frame/address.ts'
import { Loading } from '#app/ui/frame/loading.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { CoinResults } from './coin-results.tsx'
import { TaxExports } from './tax-exports.tsx'

/** The statement of the year in the address, or of the present year. */
export function StatementScreen() {
  const [search, setSearch] = useSearchParams()
  const year = search.get('year') ?? ''
  const statement = useVisited(['getStatement', year], { query: year === '' ? {} : { year } })
  const choose = (next: string) =>
    setSearch(() => new URLSearchParams({ year: next }), { replace: true })
  return (
    <>
      <PageHeader screen="statement" backTo="/history" />
      <div className="px-5">
        <Loading
          query={statement}
          problem={t('Unable to load your statement')}
          className="h-120 w-full"
        />
        {statement.isError && year !== '' && <OtherYears onChoose={choose} />}
      </div>
      {statement.data && !statement.isError && (
        <Statement statement={statement.data} onChoose={choose} />
      )}
    </>
  )
}

type Choosing = { onChoose: (year: string) => void }

/** Offers the years with a statement, because the address may contain any year. */
function OtherYears({ onChoose }: Choosing) {
  const { data } = useVisited(['getStatement', ''], { query: {} })
  return data && <YearField statement={{ ...data, year: '' }} onChoose={onChoose} />
}

type Shown = { statement: YearStatement }

function Statement({ statement, onChoose }: Shown & Choosing) {
  return (
    <>
      <div className="flex flex-col gap-3 px-5 print:hidden">
        <YearField statement={statement} onChoose={onChoose} />
        <div className="flex flex-wrap items-center gap-x-5">
          <Button look="outline" onClick={() => window.print()}>
            {t('Print')}
          </Button>
          <DownloadLink href={`${plainRoutes.year}?year=${statement.year}`}>
            {t('Statement of the year (CSV)')}
          </DownloadLink>
        </div>
      </div>
      <Owner statement={statement} />
      <Changes statement={statement} />
      <CoinResults statement={statement} />
      <Notes />
      <TaxExports />
    </>
  )
}

/**
 * Prints a year; on a simulated market, which has no calendar, its market days. `to` is excluded.
 */
function useYearText(): (year: YearStatement['years'][number]) => string {
  const isSimulated = useConfig().data?.feed.kind === 'simulated'
  const { periodText } = useMarketTime()
  return ({ year, from, to }) => {
    const lastMs = Math.max(Date.parse(from), Date.parse(to) - 1)
    return isSimulated ? periodText(from, new Date(lastMs).toISOString()) : year
  }
}

function YearField({ statement, onChoose }: Shown & Choosing) {
  const yearText = useYearText()
  return (
    <Field label={t('Year')}>
      {(wiring) => (
        <WholeSelect
          {...wiring}
          shown={nameOf(statement, yearText)}
          value={statement.year}
          onChange={(event) => onChoose(event.target.value)}
        >
          {statement.year === '' && (
            <option value="" disabled>
              {t('Year')}
            </option>
          )}
          {statement.years.map((each) => (
            <option key={each.year} value={each.year}>
              {yearText(each)}
            </option>
          ))}
        </WholeSelect>
      )}
    </Field>
  )
}

function nameOf(
  { year, years }: YearStatement,
  yearText: (year: YearStatement['years'][number]) => string,
): string {
  const known = years.find((each) => each.year === year)
  return known ? yearText(known) : year
}

/** The owner and the period, for the printed page. */
function Owner({ statement }: Shown) {
  const user = useUser().data
  const name = nameOf(statement, useYearText())
  return (
    <div className="px-5 pt-6 text-16">
      <p className="font-semibold">{user && `${user.firstName} ${user.lastName}`}</p>
      <p className="text-ink2">
        {user && `@${user.username} · `}
        {statement.isOver ? name : t('{year}, so far', { year: name })}
      </p>
    </div>
  )
}

function Changes({ statement }: Shown) {
  const { momentText } = useMarketTime()
  const [latest] = statement.years
  const change = (amount: string) => (
    <Money amount={amount} sign={amount === '0.00' ? 'auto' : 'always'} />
  )
  return (
    <Section title={t('How your money changed')}>
      <Receipt
        lines={[
          { label: t('Worth at the beginning'), value: <Money amount={statement.opening} /> },
          { label: t('Deposits'), value: change(statement.deposits) },
          statement.refunds !== '0.00' && {
            label: t('Refunds and disputes'),
            value: change(statement.refunds),
          },
          { label: t('Withdrawals'), value: change(statement.withdrawals) },
          { label: t('Realized results'), value: change(statement.realized) },
          { label: t('Interest'), value: change(statement.interest) },
          { label: t('Our fee'), value: change(statement.fees) },
          {
            label: t('Not realized, in bots'),
            value: change(statement.unrealized),
          },
          {
            label:
              statement.isOver || !latest
                ? t('Worth at the end')
                : t('Worth: {moment}', { moment: momentText(latest.to) }),
            value: <Money amount={statement.closing} />,
            isTotal: true,
          },
        ]}
      />
    </Section>
  )
}

function Notes() {
  const isPaper = useConfig().data?.book === 'paper'
  return (
    <div className="grid gap-2 px-5 pt-6 text-14 text-pretty text-ink2">
      <p className="font-semibold text-ink">
        {isPaper
          ? t('This is no tax advice. All of it is paper money: there is nothing to tax.')
          : t('This is no tax advice. Which method applies depends on where you live.')}
      </p>
      <p>
        {t(
          'Years begin and end at midnight UTC, by the time of the market. Purchases of all ' +
            'bots count together here, so results can differ from those of each bot. Worth is ' +
            'after our fee, before the cost of selling. Withdrawals count when they are sent.',
        )}
      </p>
    </div>
  )
}
