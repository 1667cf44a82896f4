/** True for a text that lists jobs: a Markdown checklist, or YAML or JSON with `jobs`. Anything else is prose. */
export function isPlanText(text: string): boolean {
  return isChecklist(text) || isData(text)
}

/** True for a Markdown checklist. */
export function isChecklist(text: string): boolean {
  return /^\s*[-*+] \[[ xX]\]\s/m.test(text) && !isData(text)
}

function isData(text: string): boolean {
  return /^\s*\{.*"jobs"/s.test(text) || /^jobs:/m.test(text)
}
