import { readJournalEntries } from '../../observe/observe.ts'
import type { ConsoleSource } from '../server/session.ts'

/** Reads a journal from a file. Throws a `UsageError` if it is none. Broken lines are shown as gaps. */
export const journalSource = async (file: string): Promise<ConsoleSource> => {
  const { header, entries, problems } = await readJournalEntries(file, process.stdin)
  const at = entries.at(-1)?.at ?? header.at
  const gaps = problems.map(why => ({ type: 'gap' as const, at, why }))
  return { header, live: false, entries: once([...entries, ...gaps]) }
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value
}
