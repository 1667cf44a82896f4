import { anyOf, atClauseStart, type Language, lines } from './language.ts'

const DO = lines(`
  read|re-?read|open|check|double-?check|look|list|search|find|run|re-?run|execute|call|use|invoke|fetch|get|load|write|
  create|edit|update|fix|start|see|inspect|examine|try|do|take|view|query|retrieve|save|make|scan|verify|confirm|explore|
  browse|download|gather|grab|pull|send|begin|finish|review|test|build|compute|calculate|complete|continue|proceed|go|
  apply|change|add|remove|delete|replace|append|locate|navigate|access|determine|analy[sz]e|investigate|collect|ask|
  perform|install|show the (?:file|contents?|director\\w+|folder)`)
const DOING = lines(`
  reading|re-?reading|opening|checking|looking|listing|searching|finding|running|re-?running|executing|calling|using|
  invoking|fetching|getting|loading|writing|creating|editing|updating|fixing|starting|inspecting|examining|trying|taking|
  viewing|querying|retrieving|saving|making|scanning|verifying|exploring|browsing|downloading|gathering|pulling|sending|
  reviewing|testing|building|working|finishing|completing|applying|changing|adding|removing|deleting|replacing|appending|
  locating|accessing|analy[sz]ing|investigating|collecting|performing|installing|going to`)
const ADVERB = lines(`
  (?:now|first|also|just|quickly|then|next|therefore|simply|start by|begin by|go ahead and|try to|need to|have to|
  use \\w+ to)`)
const INTENT = lines(`
  i['’]ll|i will|let me|let['’]s|let us|i['’]m going to|i am going to|i need to|i have to|i must|i want to|i should|
  we should|we need to|we['’]ll|we will|time to|(?:next|now|first|then),? i(?: will|['’]ll)?|allow me to`)

/** How a sentence says that the call below it is made: `I will use the following tool call:` */
const MAKES = lines(`
  (?:i['’]ll|i will|i['’]m going to|i am going to|let me) (?:now )?(?:use|make|run|execute|send|issue|do|perform)`)

/** Verbs after which `if` and `when` begin what is to be found out, and no condition. */
const FINDS_OUT = lines(`
  (?:check|checking|see|seeing|verify|verifying|confirm|test|testing|determine|understand|out|know|sure|tell|if|
  happens|happened|occurs|behaves|fails|failed|crashes|breaks|works)`)

export const ENGLISH: Language = {
  acts: anyOf([
    `(?:${INTENT})(?: ${ADVERB}){0,3},? (?:${DO}|${DOING})`,
    `(?:i['’]m|i am|we['’]re|now|currently)(?: now| first| currently)? (?:${DOING})`,
    '(?:one|just a) (?:moment|second|sec|minute)|on it|right away|hold on',
  ]),
  other: anyOf([
    // Examples, suppositions, conditions.
    `examples?|e\\.g\\.?|for instance|such as|samples?|suppose|assum\\w+|imagine|pretend|consider|let['’]s say|say i|
    think of|hypothetical(?:ly)?|otherwise|alternatively`,
    `(?<!${FINDS_OUT} )(?:if|when)|if (?:you|i|we|needed|necessary|that)|unless|whenever|in case|in the event|
    depending on|subject to|as long as|on condition|once (?!more|again|and|or|to|for)[\\w-]+`,
    atClauseStart(
      `provided|should (?!i |we )\\w+|until|after (?:[\\w'’-]+ ){1,5}(?:is|are|has|have|agrees?|approves?|confirms?)`,
    ),
    // Questions and permission.
    `should i|shall i|can i|do you want|would you|want me to|let me know|tell me|after you|as soon as|until you|
    your (?:ok|okay|go-ahead|permission|confirmation|approval|consent)|(?:you|please) (?:confirm|approve)|
    confirmation|approval|wait for|waiting for|wait until`,
    // Explanations.
    `looks? like|like this|like so|format|syntax|dialect|notation|illustrat\\w+|demonstrat\\w+|describ\\w+|
    show (?:you|how|what)|tell you|teach|documentation of|definition of|
    (?:write|list|create|make up|build|generate|compose|prepare|draft|see|look at|take) (?:[\\w-]+ ){0,3}
    (?:calls?|json|payload|object|snippet)`,
    // A call or a text that is talked about.
    `(?<!\\.)json|(?:that|these|your|an?|each|every|such) (?:[\\w-]+ )?calls?|
    (?<!${MAKES} )(?:this|the following) (?:[\\w-]+ )?calls?|
    your (?:message|log|example|snippet|mail|e-?mail)|transcript|conversation|history|
    what (?:you|he|she|they|i|the (?:model|user|assistant|agent|server|client)) \\w+|
    (?:write|note) down|said|i (?:see|saw|found|find|notice|noticed|got) (?:this|these|the following)|
    read (?:it|this|that) (?:out|to you)`,
    // Content for a file or a test.
    `(?:write|add|save|append|put|create|insert|document|record|store|include|use) (?:[\\w-]+ ){0,3}
    (?:this|these|the following|below)(?! (?:tool|function|call))|tests? (?:case )?(?:that|with|for)|test case|
    with (?:this|the following) (?:content|text|body|input)|input|payload|fixture`,
    // Records of the past, other times, other people.
    `logged|logs? (?:shows?|says?|contains?)|printed|prints|earlier|yesterday|previously|last time|wrote|quot\\w+|later|
    tomorrow|tonight|soon|next (?:time|week|month|year)|on (?:\\w+day)|at (?:noon|midnight|\\d)|
    in (?:an?|\\d+) (?:hours?|days?|weeks?|months?)|afterwards|eventually|someday|
    in (?:the|that) (?:past|future|case)|you can|you could|you should|try this|paste`,
    // Refusals.
    `won['’]t|will not|not going to|
    (?:do|did|does|would|should|must|can)(?:n['’]t| not) (?:run|execute|call|send|use|do|follow|want|need)|cannot|never|
    without (?:running|calling|executing)|refuse\\w*|instead of|rather than|ignor\\w+|injection`,
  ]),
}

/** Words that make a sentence a possibility or a remark. In a sentence before the one that acts they only say why. */
export const HEDGES = anyOf([
  `would|could|might|may|maybe|perhaps|possibly|explain\\w*|i (?:see|saw|found|find|notice|noticed|got)|comma|
  brackets?|braces?|escap\\w+|typo`,
])

const LEAD = lines(`
  (?:(?:ok(?:ay)?|sure(?: thing)?|alright|all right|right|great|perfect|of course|certainly|now|first|next|then|so|got it|
  understood)[,.!:]? )?`)
const GERUND = new RegExp(`^${LEAD}(?:${DOING})(?![\\p{L}\\p{N}])`, 'iu')
/** A finite verb after a gerund: the gerund is the subject of a statement. */
const FINITE = anyOf([
  `is|are|was|will|gives?|shows?|yields?|produces?|means?|takes?|gets?|needs?|requires?|returns?|prints?|deletes|removes|
  makes|works|uses|can|does|has`,
])

/** A sentence that introduces what something holds or was. */
export const INTRODUCES = anyOf([
  `contains?|holds?|is|are|was|were|says?|shows?|reads|returned|sent|received|gave|got|has|have|had|looks?|came|means?`,
])

/** True for a sentence such as `Checking the directory now.` */
export function isGerundSentence(sentence: string): boolean {
  return GERUND.test(sentence) && !FINITE.test(sentence)
}
