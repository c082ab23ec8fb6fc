const stored = 'trellis-key'

/**
 * Returns the key of the console, which the address has after `#key=` when the page is opened, and takes it out of the
 * address, so that no copied link has it. The tab remembers it until it is closed. Undefined: the page only reads.
 */
export const pageKey = (): string | undefined => {
  const [, given] = /^#key=([\w-]+)$/.exec(location.hash) ?? []
  // A file from the disk may have no storage.
  if (given === undefined)
    return location.protocol === 'file:' ? undefined : (sessionStorage.getItem(stored) ?? undefined)
  sessionStorage.setItem(stored, given)
  history.replaceState(null, '', `${location.pathname}${location.search}`)
  return given
}
