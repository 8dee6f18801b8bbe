import { t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { LandingPart } from './landing-part.tsx'

export function HowItWorks() {
  const isLive = useConfig().data?.book === 'live'
  const steps = [
    isLive
      ? { title: t('Add money'), text: t('You pay by card and can withdraw what no bot uses.') }
      : {
          title: t('Add paper money'),
          text: t('You pay with a test card: it moves no real money.'),
        },
    {
      title: t('Create a bot'),
      text: t('Choose how much risk it takes, its coins and an amount.'),
    },
    {
      title: t('Watch it trade'),
      text: t('Pause it, take money out or close it whenever you like. It can lose money.'),
    },
  ]
  return (
    <LandingPart title={t('How it works')}>
      <ol className="mt-4 grid gap-4">
        {steps.map(({ title, text }, index) => (
          <li key={title} className="flex gap-4">
            <span
              aria-hidden="true"
              className={
                'flex size-8 shrink-0 items-center justify-center rounded-full bg-raised ' +
                'text-16 font-semibold'
              }
            >
              {index + 1}
            </span>
            <div>
              <h3 className="text-17 font-semibold">{title}</h3>
              <p className="text-16 text-pretty text-ink2">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </LandingPart>
  )
}
