import { say, t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { ChevronDown } from '#app/ui/frame/icons.ts'
import { LandingPart } from './landing-part.tsx'
import { questionsFor } from './landing-questions.ts'

/** Works without scripts: the browser itself opens the answers. */
export function Questions() {
  const book = useConfig().data?.book ?? 'paper'
  return (
    <LandingPart title={t('Questions')}>
      <div className="mt-3 border-t border-hairline">
        {questionsFor(book).map(({ question, answer }) => (
          <details key={question} className="group border-b border-hairline">
            <summary
              className={
                'flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 ' +
                'py-3 text-17 font-semibold'
              }
            >
              {say(question)}
              <ChevronDown
                size={20}
                strokeWidth={1.75}
                aria-hidden="true"
                className="shrink-0 text-ink2 group-open:rotate-180"
              />
            </summary>
            <p className="pb-4 text-16 text-pretty text-ink2">
              {answer.map((passage) => say(passage)).join(' ')}
            </p>
          </details>
        ))}
      </div>
      <Link
        href="/help"
        className="mt-1 inline-flex min-h-12 items-center text-16 font-semibold text-accent underline"
      >
        {t('Ask something else')}
      </Link>
    </LandingPart>
  )
}
