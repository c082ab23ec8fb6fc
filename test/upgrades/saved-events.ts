import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCompressed, writeCompressed } from './compressed.ts'
import { dataFolder } from './versions.ts'

const fileOf = (name: string): string => join(dataFolder, name, 'events.jsonl.br')

/** Returns the events that the bridge of a version sent in the lives of all kinds, from its sources. */
export const eventsIn = async (sources: string): Promise<readonly unknown[]> => {
  const folder = join(sources, 'test/events')
  const files = (await readdir(folder)).filter(file => file.endsWith('.json'))
  return Promise.all(
    files.toSorted().map(async file => JSON.parse(await readFile(join(folder, file), 'utf8')) as unknown),
  )
}

/** Copies the events of a version into its data. */
export const writeEvents = async (name: string, sources: string): Promise<void> =>
  writeCompressed(fileOf(name), (await eventsIn(sources)).map(event => `${JSON.stringify(event)}\n`).join(''))

export const eventsOf = async (name: string): Promise<readonly unknown[]> =>
  (await readCompressed(fileOf(name)))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as unknown)
