/** Makes ids that no other process makes: a random part of this host's, and a count. */
export function createIds(): { readonly session: string; next(): string } {
  const mine = crypto.randomUUID().slice(0, 13).replace('-', '')
  let count = 0
  return { session: `s_${mine}`, next: () => `c_${mine}_${(++count).toString(36).padStart(5, '0')}` }
}
