const open = new Set<() => void>()

/** Returns a close function that runs once, at the latest when the process exits normally, so that pending events are still written. */
export function closeOnExit(close: () => void): () => void {
  const once = () => {
    if (!open.delete(once)) return
    close()
    if (open.size === 0) process.off('exit', closeAll)
  }
  if (open.size === 0) process.on('exit', closeAll)
  open.add(once)
  return once
}

function closeAll(): void {
  for (const close of open) close()
}
