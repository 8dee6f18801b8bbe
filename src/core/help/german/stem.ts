/**
 * German stemming after CISTEM (Weißweiler and Fraser, 2017): endings are dropped one by one. Nouns
 * in '-ung' share the stem of their verb. Expects folded letters. Words with digits stay as they
 * are.
 */
export function stem(word: string): string {
  if (/\d/.test(word) || word.length <= 3) return word
  let root = word.replace(/(?<=.{3})ung(?:en)?$/, '').replace(/^ge(?=.{4})/, '')
  for (let before = ''; before !== root;) {
    before = root
    root = shortened(root)
  }
  return root.replaceAll(/([bdfgklmnprst])\1/g, '$1')
}

function shortened(word: string): string {
  if (word.length <= 3) return word
  if (word.length > 5 && /(?:em|er|nd)$/.test(word)) return word.slice(0, -2)
  return word.replace(/[tesn]$/, '')
}
