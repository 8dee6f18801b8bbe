import { msg, say, t } from '#words/words.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { Section } from '#app/ui/frame/section.tsx'

const NOTES: readonly (readonly [name: string, text: string])[] = [
  [
    msg('Gap'),
    msg(
      'The result here less that of the backtest, in basis points (bps) of the value at the start: 100 bps are 1%. Below 0, bots did worse here than their backtest.',
    ),
  ],
  [msg('Fee'), msg('The trading fee that the backtest assumes, less the one that was paid.')],
  [
    msg('Spread'),
    msg(
      'Orders filled at better or worse prices than the backtest assumes, against the price of the market at that moment.',
    ),
  ],
  [
    msg('Delay'),
    msg(
      'The price moved between the beginning of the hour, when the backtest trades, and the moment of the fill. Also the first purchase, which follows the first money in the middle of an hour.',
    ),
  ],
  [
    msg('Missed'),
    msg(
      'Orders that were not filled, filled in part or in another hour, for instance while trading was halted, and the amounts that follow from them.',
    ),
  ],
  [
    msg('Interest on cash'),
    msg(
      'Interest that idle cash really received, less what the backtest assumes at the same rates. It stands there only where there is some.',
    ),
  ],
]

/** The meaning of the figures, at the end of the page. */
export function RecordNotes({ isPaper }: { isPaper: boolean }) {
  return (
    <Section title={t('How to read it')}>
      <dl className="max-w-page text-14 text-ink2">
        {NOTES.map(([name, text]) => (
          <div key={name} className="pt-2">
            <dt className="font-semibold text-ink">{say(name)}</dt>
            <dd className="text-pretty">{say(text)}</dd>
          </div>
        ))}
      </dl>
      <div className="max-w-page text-14 text-pretty text-ink2 *:pt-3">
        {isPaper && (
          <p>
            {t(
              'This is paper money: orders are filled by the rules that the backtest assumes, so there is next to no gap. At an exchange there is one.',
            )}
          </p>
        )}
        <p>
          {t(
            'A strategy is the mean of its pairs, day by day, in equal parts, of those that bots used that day. Nothing that was published changes when a bot joins or leaves. Times without any bot are flat. The record keeps strategies and pairs that nobody uses any more.',
          )}
        </p>
        <p>
          {t(
            'A bot has its own result: it pays for its own entry and exit, and our fee on its profit. Past results do not tell the future. You can lose money.',
          )}
        </p>
        <p>
          <Link
            href="/evidence"
            className="inline-flex min-h-12 items-center text-16 font-semibold text-accent underline"
          >
            {t('See the evidence')}
          </Link>
        </p>
      </div>
    </Section>
  )
}
