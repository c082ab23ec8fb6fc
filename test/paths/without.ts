import { isOnThePath, type RanFiles } from './ran-files.ts'

/**
 * Returns the files that ran on a path that begins inside a function. Omits files that every event runs
 * (dns-record-path.test.ts counts them) and files that only serve other objects.
 *
 * Throws if no file ran below one of the given paths, so that the list of exceptions stays short.
 */
export const without = (ran: RanFiles, others: readonly string[]): readonly string[] => {
  const everyEvent = ['shared/runtime/', 'shared/events/', 'shared/lifecycle/']
  const files = [...ran.keys()].filter(isOnThePath).toSorted()
  const unused = others.filter(other => !files.some(file => file.startsWith(other)))
  if (unused.length > 0) throw new Error(`no file of these ran: ${unused.join(', ')}`)
  return files.filter(file => ![...everyEvent, ...others].some(other => file.startsWith(other)))
}
