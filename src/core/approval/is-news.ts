/** True for a warning of an approval request that its rows of effects do not show already. */
export function isNews(warning: string): boolean {
  return !/^(changes .*, which exists|reaches the network|part of what it does)/.test(warning)
}
