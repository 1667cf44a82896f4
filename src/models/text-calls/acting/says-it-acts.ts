import { ENGLISH, HEDGES, INTRODUCES, isGerundSentence } from './english.ts'
import { OTHER_LANGUAGES } from './other-languages.ts'

/** How much of the prose before a block is looked at. */
const LOOK_BACK = 600

/** True when the prose before a block ends in a paragraph that says the assistant acts now, and nothing in it says otherwise. */
export function saysItActs(prose: string): boolean {
  const paragraph = lastParagraph(prose)
  if (paragraph === '' || isNoStatement(paragraph) || ENGLISH.other.test(paragraph)) return false
  const last = sentencesOf(paragraph).at(-1) ?? ''
  if (acts(last)) return true
  return sentencesOf(paragraph).some(acts) && !/[:：]$/.test(last) && !INTRODUCES.test(last) && !HEDGES.test(last)
}

function acts(prose: string): boolean {
  if (HEDGES.test(prose)) return false
  if (ENGLISH.acts.test(prose) || sentencesOf(prose).some(isGerundSentence)) return true
  return OTHER_LANGUAGES.some((language) => language.acts.test(prose) && !language.other.test(prose))
}

/** True when the prose before a block gives a reason not to read it as a call. */
export function saysOtherwise(prose: string): boolean {
  const paragraph = lastParagraph(prose)
  const others = [HEDGES, ...[ENGLISH, ...OTHER_LANGUAGES].map(({ other }) => other)]
  return isNoStatement(paragraph) || others.some((other) => other.test(paragraph))
}

/** A paragraph that ends in a question, or is a heading, a quotation, a list or a table. */
function isNoStatement(paragraph: string): boolean {
  return /[?？]/.test(sentencesOf(paragraph).at(-1) ?? '') || /^[ \t]*(?:[>#|]|[-*+] )/m.test(paragraph)
}

function lastParagraph(prose: string): string {
  const end = prose.slice(-LOOK_BACK).replaceAll('\r', '').trim()
  return end.split(/\n[ \t]*\n/).at(-1) ?? ''
}

function sentencesOf(paragraph: string): readonly string[] {
  return paragraph.split(/(?<=[.!?:…])\s+(?=\S)|(?<=[。！？：])\s*(?=\S)|\n/)
}
