import type { Tongue } from '../tongue.ts'
import { accountTopicOf, asksAboutSomebodyElse } from './account-question.ts'
import { asksForAdvice } from './advice.ts'
import { GERMAN_SPEECH } from './speech.ts'
import { GERMAN_VOCABULARY } from './words.ts'

export const GERMAN: Tongue = {
  manner: 'in plain German that calls the reader "du"',
  // Tuned on the whole German evaluation set.
  threshold: 0.6,
  far: 0.001,
  greeting:
    /^(?:hallo|hi|hey|hello|moin|moin moin|servus|gr(?:ü|ue)(?:ß|ss) (?:dich|gott|euch)|gr(?:ü|ue)(?:ß|ss)e|guten (?:morgen|tag|abend)|tag|na)(?: zusammen| du| ihr)?[!. ]*$/i,
  thanks:
    /^(?:danke|dankesch(?:ö|oe)n|vielen dank|besten dank|merci|thx|thanks|super|perfekt|prima|toll|top|alles klar|verstanden|cool)(?: (?:danke|dir|euch|sch(?:ö|oe)n|sehr|vielmals|!))*[!. ]*$/i,
  vocabulary: GERMAN_VOCABULARY,
  speech: GERMAN_SPEECH,
  asksForAdvice,
  accountTopicOf,
  asksAboutSomebodyElse,
}
