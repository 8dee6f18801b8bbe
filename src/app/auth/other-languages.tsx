import { LANGUAGE_NAMES, LANGUAGES, language, type Language } from '#words/language.ts'

export function OtherLanguages({ choose }: { choose: (next: Language) => void }) {
  const others = LANGUAGES.filter((one) => one !== language())
  return (
    <div className="flex justify-center">
      {others.map((one) => (
        <button
          key={one}
          type="button"
          lang={one}
          onClick={() => choose(one)}
          className="min-h-12 min-w-12 px-2 text-16 text-ink2 underline"
        >
          {LANGUAGE_NAMES[one]}
        </button>
      ))}
    </div>
  )
}
