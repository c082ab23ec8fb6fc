import { writeFile } from 'node:fs/promises'
import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import { eventJson } from '../../../shared/events/events.ts'
import { readSavedFile } from '../read-saved-file.ts'
import { listSteps } from './list-steps.ts'
import { playableSteps } from './playable-steps.ts'
import { isSelection, type StepSelection, selectSteps } from './select-steps.ts'

export interface ShowOutput {
  readonly stdin: NodeJS.ReadableStream
  readonly write: (text: string) => void
  readonly warn: (line: string) => void
}

/** Prints the selected steps of journals as a table. Replays nothing. */
export const listJournals = async (
  paths: readonly string[],
  select: StepSelection,
  { stdin, write, warn }: ShowOutput,
): Promise<void> => {
  for (const path of paths) {
    const { file, recorded, problems } = await journalAt(path, stdin, '--list')
    for (const problem of problems) warn(`${file}: ${problem}`)
    write(listSteps(isSelection(select) ? selectSteps(recorded, select, file) : recorded))
  }
}

/**
 * Writes the event of the selected step into a file, and its Cluster beside it. So a recorded bug becomes the input of a
 * test. Prints the command that replays it. Throws a `UsageError` if several steps are selected.
 */
export const saveEvent = async (
  path: string,
  target: string,
  select: StepSelection,
  { stdin, write, warn }: ShowOutput,
): Promise<void> => {
  const journal = await journalAt(path, stdin, '--save-event')
  const { steps } = playableSteps(journal, select, warn)
  const [step] = steps
  if (step === undefined || steps.length > 1)
    throw new UsageError(
      `--save-event saves one step, and ${steps.length} are selected. Choose one with --step:\n${listSteps(steps).trimEnd()}`,
    )
  const { event, cluster } = step
  await writeNew(target, eventJson(event))
  if (cluster === undefined) return write(`${target} is written. Replay it: trellis replay ${target}\n`)
  const beside = `${target.replace(/\.json$/, '')}.cluster.json`
  await writeNew(beside, cluster)
  write(`${target} and ${beside} are written. Replay them: trellis replay ${target} --cluster ${beside}\n`)
}

const journalAt = async (path: string, stdin: NodeJS.ReadableStream, flag: string) => {
  const read = await readSavedFile(path, stdin)
  if ('recorded' in read) return read
  throw new UsageError(`${read.file} is not a journal, which ${flag} needs`)
}

const writeNew = async (path: string, value: object): Promise<void> => {
  try {
    await writeFile(path, `${JSON.stringify(value, null, 2)}\n`, { flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      code === 'EEXIST' ? `${path} exists. Choose another file` : `${path}: cannot be written (${code})`,
    )
  }
}
