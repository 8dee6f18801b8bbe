import { accountTopicOf, asksAboutSomebodyElse } from './account-question.ts'
import { asksForAdvice } from './advice.ts'
import { ENGLISH_SPEECH } from './english-speech.ts'
import { plainText } from './plain-text.ts'
import type { Tongue } from './tongue.ts'
import { isJoining, isSpelled, RELATED, termOf, termsOf } from './words.ts'

export const ENGLISH: Tongue = {
  manner: 'in plain English',
  threshold: 0.45,
  far: 0.06,
  greeting:
    /^(?:hi|hello|hey|hey there|hi there|hello there|good (?:morning|afternoon|evening)|yo|greetings)[!. ]*$/i,
  thanks:
    /^(?:thanks|thank you|thx|ty|cheers|great|perfect|awesome|ok thanks|got it)(?: (?:a lot|so much|very much|!))*[!. ]*$/i,
  vocabulary: {
    plainText,
    termsOf,
    termOf,
    isSpelled,
    isJoining,
    related: RELATED,
    shortestTypo: 4,
  },
  speech: ENGLISH_SPEECH,
  asksForAdvice,
  accountTopicOf,
  asksAboutSomebodyElse,
}
