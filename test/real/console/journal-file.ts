import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { madeUpJournal } from '../../../cli/console/testing/made-up-journal.ts'

export interface JournalFile {
  readonly folder: string
  readonly file: string
  readonly remove: () => Promise<void>
}

/** Writes the journal of 25 shoots and four hours. Each fifth has an Infrastructure that fails at the end. */
export const writeJournal = async (change: (text: string) => string = text => text): Promise<JournalFile> => {
  const { header, entries } = madeUpJournal({ shoots: 25, hours: 4, failing: 5 })
  const folder = await mkdtemp(join(tmpdir(), 'trellis-journal-'))
  const file = join(folder, 'seed.journal')
  const lines = [header, ...entries].map(line => `${JSON.stringify(line)}\n`)
  await writeFile(file, change(lines.join('')))
  return { folder, file, remove: () => rm(folder, { recursive: true, force: true }) }
}
