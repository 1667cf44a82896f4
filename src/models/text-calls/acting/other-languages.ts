import { anyOf, atClauseStart, type Language, lines } from './language.ts'

const GERMAN_VERBS = lines(`
  lese|öffne|prüfe|überprüfe|schaue|schau|sehe|suche|rufe|führe|starte|lade|schreibe|liste|hole|frage|nutze|verwende|
  benutze|erstelle|ändere|bearbeite|lösche|beginne|teste`)
const FRENCH_VERBS = lines(`
  lis|vérifie|regarde|cherche|recherche|lance|consulte|liste|charge|crée|commence|récupère|modifie|utilise|appelle`)
const SPANISH_VERBS = 'leo|abro|busco|reviso|consulto|ejecuto|compruebo|verifico|listo|miro|empiezo'
const ITALIAN_VERBS = 'leggo|apro|cerco|controllo|eseguo|verifico|guardo'
const RUSSIAN_VERBS = lines(`
  прочитаю|открою|проверю|посмотрю|найду|выполню|запущу|загляну|вызову|сделаю|просмотрю|поищу|создам|запишу|открываю|
  читаю|проверяю|ищу|запускаю|выполняю|смотрю|вызываю`)

const GERMAN: Language = {
  acts: anyOf([
    `ich (?:werde|will|muss|${GERMAN_VERBS})`,
    `(?:jetzt|nun|zuerst|zunächst|dann|dazu|dafür) (?:${GERMAN_VERBS}|werde) ich`,
    `(?:${GERMAN_VERBS}) (?:jetzt|nun|zuerst)|lass(?:t|en sie)? mich|(?:einen )?moment(?: bitte)?`,
  ]),
  other: anyOf([
    `beispiel\\w*|z\\. ?b\\.|etwa so|würde\\w*|könnte\\w*|soll(?:te)? ich|darf ich|kann ich|möchtest|möchten sie|wenn|falls|
    sobald|nachdem|sofern|vielleicht|sieht|aussieht|aussehen|format|nicht|nie|niemals|kein\\w*|gestern|vorhin|zuvor|
    früher|erkläre|erklären|zeige|zeigen|du kannst|sie können|bestätig\\w+|warte\\w*|später|morgen`,
  ]),
}

const FRENCH: Language = {
  acts: anyOf([
    `je vais|j['’](?:ouvre|exécute|écris|appelle|utilise)|je (?:${FRENCH_VERBS})|laisse(?:z)?[- ]moi|voyons|un instant|
    un moment`,
  ]),
  other: anyOf([
    `exemple|ressembl\\w+|pourrai\\w+|devrai\\w+|serait|aurai\\w*|dois-je|puis-je|voulez-vous|veux-tu|souhaitez|pas|jamais|
    format|comme (?:ceci|cela|ça)|montrer|expliquer|hier|vous pouvez|tu peux|confirm\\w+|attend\\w*|plus tard|demain|quand|
    lorsque|une fois|dès que|peut-être`,
    atClauseStart("si|s['’]il"),
  ]),
}

/** Spanish, Portuguese and Italian, which share most of the words that matter. */
const SOUTHERN: Language = {
  acts: anyOf([
    `voy a|vamos a|déjame|permíteme|un momento|${SPANISH_VERBS}|vou|deixe-me|deixa eu|um momento|vado a|sto per|fammi|
    ${ITALIAN_VERBS}|un attimo`,
  ]),
  other: anyOf([
    `ejemplo|podría\\w*|debería\\w*|sería|quieres|quiere|nunca|formato|como (?:este|esta|esto|sigue)|así|mostrar\\w*|
    explicar\\w*|ayer|puedes|confirm\\w+|esper\\w+|después|mañana|cuando|una vez|
    en cuanto|tan pronto|quizás?|no voy`,
    'exemplo|poderia|deveria|seria|posso|ontem|você pode|quando|assim que|talvez|não vou',
    'esempio|potrei|potrebbe|dovrei|sarebbe|mai|ieri|puoi|appena|forse|non vado',
    atClauseStart('si|se|no|não|non'),
  ]),
}

const RUSSIAN: Language = {
  acts: anyOf([`сейчас|(?:я )?(?:${RUSSIAN_VERBS})|давайте|давай|(?:одну )?(?:минуту|секунду)`]),
  other: anyOf([
    `пример\\w*|например|выглядит|выглядел\\w*|если|бы|можно ли|могу ли|нужно ли|хотите|не|никогда|формат\\w*|вчера|ранее|
    покажу|объясн\\w+|вы можете|подтверд\\w+|жду|подожд\\w+|позже|завтра|когда|
    как только|после того|возможно`,
  ]),
}

const anywhere = (patterns: readonly string[]): RegExp => new RegExp(patterns.map(lines).join('|'), 'u')

/** Chinese, Japanese and Korean, whose words are not parted by blanks. */
const EAST_ASIAN: Language = {
  acts: anywhere([
    `我来|让我|我将|我会|我现在|我先|我去|我需要|现在(?:我)?(?:来|开始|读取|查看|打开|调用|搜索)|正在|稍等|先(?:看|查|读|打开)`,
    `確認します|読み(?:込み)?ます|開きます|実行します|調べます|検索します|取得します|呼び出します|少々お待ち|見てみます|
    確認してみます`,
    `확인하겠습니다|확인해\\s?보겠습니다|읽겠습니다|읽어\\s?보겠습니다|열어\\s?보겠습니다|열겠습니다|실행하겠습니다|
    살펴보겠습니다|검색하겠습니다`,
  ]),
  other: anywhere([
    '例如|比如|例子|示例|如果|假如|一旦|等你|等到|也许|之后|可以|是否|吗|格式|不会|不要|没有|昨天|之前|样子|解释|说明',
    '例えば|たとえば|例|もし|たら|次第|ません|でしょうか|ですか|形式|昨日',
    '예를|예시|만약|되면|하면|않|할까요|형식',
  ]),
}

/** The languages besides English that are read. */
export const OTHER_LANGUAGES: readonly Language[] = [GERMAN, FRENCH, SOUTHERN, RUSSIAN, EAST_ASIAN]
