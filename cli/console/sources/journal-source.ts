import { createReadStream } from 'node:fs'
import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import { readJournal } from '../../../shared/journal/journal.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import type { ConsoleSource } from '../server/session.ts'

/** Reads a journal from a file. Throws a `UsageError` if it is none. Broken lines are shown as gaps. */
export const journalSource = async (file: string): Promise<ConsoleSource> => {
  const { header, entries, problems } = await readJournal(createReadStream(file)).catch(error => {
    throw new UsageError(`${file}: ${messageOf(error)}`)
  })
  if (header === undefined) throw new UsageError(`${file}: ${problems.join('; ')}`)
  const at = entries.at(-1)?.at ?? header.at
  const gaps = problems.map(why => ({ type: 'gap' as const, at, why }))
  return { header, live: false, entries: once([...entries, ...gaps]) }
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value
}
