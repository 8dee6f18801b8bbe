import { accountTopicOf, asksAboutSomebodyElse } from './account-question.ts'
import { asksForAdvice } from './advice.ts'
import { ENGLISH_SPEECH } from './english-speech.ts'
import { plainText } from './plain-text.ts'
import type { Tongue } from './tongue.ts'
import { isJoining, isSpelled, QUESTION_TERMS, RELATED, termOf, termsOf } from './words.ts'

export const ENGLISH: Tongue = {
  manner: 'in plain English',
  // Tuned on the even half of the evaluation set.
  threshold: 0.36,
  emphasis: 1,
  greeting: /^(?:hi|hello|hey|hey there|hi there|hello there|good (?:morning|afternoon|evening)|yo|greetings)[!. ]*$/i,
  thanks: /^(?:thanks|thank you|thx|ty|cheers|great|perfect|awesome|ok thanks|got it)(?: (?:a lot|so much|very much|!))*[!. ]*$/i,
  vocabulary: { plainText, termsOf, termOf, isSpelled, isJoining, related: RELATED, questionTerms: QUESTION_TERMS, shortestTypo: 4 },
  speech: ENGLISH_SPEECH,
  asksForAdvice,
  accountTopicOf,
  asksAboutSomebodyElse,
}
