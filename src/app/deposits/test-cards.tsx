import { msg, say, t } from '#words/words.ts'

const CARDS = [
  { number: '4242424242424242', text: msg('Succeeds') },
  { number: '4000002760003184', text: msg('Asks to confirm') },
  { number: '4000000000000002', text: msg('Declined') },
  { number: '4000000000009995', text: msg('Insufficient funds') },
] as const

/** Test cards for paper money: one tap fills the form. */
export function TestCards({ onUse }: { onUse: (number: string) => void }) {
  return (
    <section
      aria-labelledby="test-cards"
      className="rounded-control border-[1.5px] border-dashed border-warn px-4 py-3"
    >
      <h3 id="test-cards" className="text-14 font-semibold text-warn">
        {t('Sandbox: use a test card, never a real one')}
      </h3>
      <div className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(min(100%,6.5rem),1fr))] gap-2">
        {CARDS.map(({ number, text }) => (
          <button
            key={number}
            type="button"
            onClick={() => onUse(number)}
            className={
              'min-h-12 rounded-control border border-control px-2 py-1 text-left text-14 ' +
              'font-medium'
            }
          >
            <span className="block">{say(text)}</span>
            <span className="block text-12 text-ink2">
              {t('ends in {digits}', { digits: number.slice(-4) })}
            </span>
          </button>
        ))}
      </div>
    </section>
  )
}
