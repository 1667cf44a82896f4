/** Sentences of one language that say what the assistant does now, and words that make them something else. */
interface Language {
  /** Says that the assistant acts now. */
  readonly acts: RegExp
  /** Example, question, condition, possibility, past, refusal, explanation. */
  readonly other: RegExp
}

const word = (pattern: string, flags = 'iu'): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, flags)
const DOES =
  'read|open|check|look|list|search|find|run|execute|call|use|invoke|fetch|get|load|write|create|edit|update|start|see|inspect|examine|try|do|take|view|query|retrieve|save|make|scan|verify|explore|browse|download|gather|grab|pull|send|begin|finish|review|test|build|compute|calculate|complete|continue|proceed|go'
const DOING =
  'reading|opening|checking|looking|listing|searching|finding|running|executing|calling|using|invoking|fetching|getting|loading|writing|creating|editing|updating|starting|inspecting|examining|trying|taking|viewing|querying|retrieving|saving|making|scanning|verifying|exploring|browsing|downloading|gathering|pulling|sending|reviewing|testing|building|working|finishing|completing|going to'

const ENGLISH: Language = {
  acts: word(
    [
      `(?:i['’]ll|i will|let me|let['’]s|let us|i['’]m going to|i am going to|i need to|i have to|i must|i want to|i should|time to|going to|next,? i|now,? i|first,? i)(?: (?:now|first|also|just|quickly|start by|begin by|go ahead and|then|next|try to|need to|have to)){0,3},? (?:${DOES}|${DOING})`,
      `(?:i['’]m|i am|i['’]m now|i am now|now|currently) (?:${DOING})`,
      `(?:one|just a) (?:moment|second|sec|minute)`,
      'on it|right away|hold on',
    ].join('|'),
  ),
  other: word(
    [
      'examples?|e\\.g\\.?|for instance|such as|samples?|would|could|might|may|if|unless|whether|suppose|imagine|hypothetical(?:ly)?|should i|shall i|can i|do you want',
      'looks? like|look as follows|like this|like so|format|syntax|schema|definition|defined|template|dialect|documentation|docs say|readme|spec(?:ification)?|illustrat\\w+|demonstrat\\w+|explain\\w*|describe[sd]?|show you|tell you|let me know|teach',
      'logs? shows?|logged|printed|prints|earlier|yesterday|previously|last time|already|was|were|did|had|ran|sent|called|wrote|quoted?|asked|said|failed|returned|returns|received',
      "not|never|don['’]t|didn['’]t|won['’]t|can['’]t|cannot|wouldn['’]t|shouldn['’]t|refus\\w+|avoid|instead of",
      'you can|you could|you should|you may|please|paste|copy|try this|once you|after you|when you|as soon as|until|before i|before you|permission|confirm\\w*|approv\\w+|wait|later|tomorrow|next time|afterwards|eventually|user|client|server|endpoint|api|models?|parser',
    ].join('|'),
  ),
}

const GERUND = new RegExp(
  `^(?:(?:ok(?:ay)?|sure|alright|right|great|now|first|next|then|so|got it|understood)[,.!:]? )?(?:${DOING})(?![\\p{L}\\p{N}])`,
  'iu',
)
/** A finite verb after a gerund at the beginning: the gerund is the subject of a statement. */
const FINITE = word(
  'is|are|will|gives|shows|yields|produces|means|takes|gets|needs|requires|deletes|removes|makes|works|uses',
)

const OTHERS: readonly Language[] = [
  {
    acts: word(
      'ich (?:werde|lese|öffne|prüfe|schaue|sehe|suche|rufe|führe|starte|lade|schreibe|liste|hole|frage|nutze|verwende|erstelle|ändere|bearbeite)|lass(?:t|en sie)? mich|einen moment|moment bitte|(?:jetzt|nun|zuerst|zunächst) (?:lese|öffne|prüfe|schaue|suche|rufe|führe|starte|lade|schreibe|liste|hole) ich',
    ),
    other: word(
      'beispiel\\w*|z\\. ?b\\.|etwa so|würde\\w*|könnte\\w*|soll(?:te)? ich|darf ich|kann ich|möchte\\w*|wenn|falls|ob|sobald|sieht|aussieht|aussehen|format|nicht|nie|kein\\w*|gestern|vorhin|zuvor|habe|hatte|wurde|war|erkläre|zeige|du kannst|sie können|bitte|bestätig\\w+|warte|später|modell|server',
    ),
  },
  {
    acts: word(
      "je vais|j['’]ouvre|j['’]exécute|j['’]écris|je (?:lis|vérifie|regarde|cherche|lance|consulte|liste|charge|crée|commence)|laisse(?:z)?[- ]moi|voyons|un instant|un moment",
    ),
    other: word(
      'exemple|ressembl\\w+|pourrai\\w+|devrai\\w+|serai\\w*|aurai\\w*|dois-je|puis-je|voulez-vous|veux-tu|si|pas|jamais|format|comme ceci|montrer|expliquer|hier|avait|était|ai|vous pouvez|tu peux|confirm\\w+|attend\\w*|modèle|serveur',
    ),
  },
  {
    acts: word(
      'voy a|vamos a|déjame|permíteme|un momento|(?:ahora|primero) (?:leo|abro|busco|reviso|consulto|listo|ejecuto)|(?:leo|abro|busco|reviso|consulto|ejecuto|compruebo|verifico)|vou|deixe-me|deixa eu|um momento|vado a|sto per|ora (?:leggo|apro|cerco|controllo|eseguo|verifico)|(?:leggo|apro|cerco|controllo|eseguo|verifico)|fammi|un attimo',
    ),
    other: word(
      'ejemplo|podría\\w*|debería\\w*|sería|quieres|quiere|si|no|nunca|formato|como|mostrar\\w*|explicar\\w*|ayer|había|puedes|confirm\\w+|esper\\w+|modelo|servidor|exemplo|poderia|deveria|seria|se|não|nunca|ontem|você pode|esempio|potrei|potrebbe|dovrei|sarebbe|non|mai|ieri|puoi|modello',
    ),
  },
  {
    acts: word(
      'сейчас|я (?:прочитаю|открою|проверю|посмотрю|найду|выполню|запущу|загляну|вызову|сделаю|просмотрю|поищу|создам|запишу)|давайте|давай|открываю|читаю|проверяю|ищу|запускаю|выполняю|смотрю|минуту|секунду',
    ),
    other: word(
      'пример\\w*|например|выглядит|выглядел\\w*|если|бы|можно|могу|нужно ли|хотите|не|никогда|формат\\w*|вчера|ранее|был\\w*|покажу|объясн\\w+|вы можете|подтверд\\w+|жд\\w+|модел\\w+|сервер\\w*|как',
    ),
  },
  {
    acts: /我来|让我|我将|我会|我现在|我先|现在(?:我)?(?:来|开始|读取|查看|打开|调用)|正在|稍等|我去|先(?:看|查|读)|確認します|読み(?:込み)?ます|開きます|実行します|調べます|検索します|取得します|少々お待ち|見てみます|확인하겠습니다|읽겠습니다|열어\s?보겠습니다|실행하겠습니다|살펴보겠습니다|검색하겠습니다/u,
    other:
      /例如|比如|例子|示例|如果|假如|可以|是否|吗|格式|不|没|昨天|之前|已经|样子|解释|说明|例えば|たとえば|例|もし|ない|ません|でしょうか|ですか|形式|昨日|예를|예시|만약|않|할까요|형식/u,
  },
]

/** How much of the prose before a block is looked at. */
const LOOK_BACK = 600

/** True when the prose before a block ends in a paragraph that says the assistant acts now, and nothing in it says otherwise. */
export function saysItActs(prose: string): boolean {
  const paragraph = lastParagraph(prose)
  if (paragraph === '' || isStatement(paragraph)) return false
  if (ENGLISH.other.test(paragraph)) return false
  if (ENGLISH.acts.test(paragraph)) return true
  if (sentencesOf(paragraph).some((sentence) => GERUND.test(sentence) && !FINITE.test(sentence))) return true
  return OTHERS.some(({ acts, other }) => acts.test(paragraph) && !other.test(paragraph))
}

/** True when the prose before a block gives a reason not to read it as a call. */
export function saysOtherwise(prose: string): boolean {
  const paragraph = lastParagraph(prose)
  return isStatement(paragraph) || [ENGLISH, ...OTHERS].some(({ other }) => other.test(paragraph))
}

/** A question, a heading, a quotation, a list or a table. */
function isStatement(paragraph: string): boolean {
  return /[?？¿]/.test(paragraph) || /^[ \t]*(?:[>#|]|[-*+] )/m.test(paragraph)
}

function lastParagraph(prose: string): string {
  const end = prose.slice(-LOOK_BACK).trim()
  return end.split(/\n[ \t]*\n/).at(-1) ?? ''
}

function sentencesOf(paragraph: string): readonly string[] {
  return paragraph.split(/(?<=[.!:…])\s+|\n/)
}
