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

/** Prints the selected steps of journals as a table. Replays nothing. Returns false if lines were left out. */
export const listJournals = async (
  paths: readonly string[],
  select: StepSelection,
  { stdin, write, warn }: ShowOutput,
): Promise<boolean> => {
  let isWhole = true
  for (const path of paths) {
    const { file, recorded, problems } = await journalAt(path, stdin, '--list')
    for (const problem of problems) warn(`${file}: ${problem}`)
    if (problems.length > 0) isWhole = false
    write(listSteps(isSelection(select) ? selectSteps(recorded, select, file) : recorded))
  }
  return isWhole
}

/**
 * Writes the event of the selected step into a file, and its Cluster beside it. So a recorded bug becomes the input of
 * a test. Prints the command that replays it. Returns false if lines of the journal were left out. Throws a
 * `UsageError` if several steps are selected.
 */
export const saveEvent = async (
  path: string,
  target: string,
  select: StepSelection,
  { stdin, write, warn }: ShowOutput,
): Promise<boolean> => {
  const journal = await journalAt(path, stdin, '--save-event')
  const { steps } = playableSteps(journal, select, warn)
  const [step] = steps
  if (step === undefined || steps.length > 1)
    throw new UsageError(
      `--save-event saves one step, and ${steps.length} are selected. Choose one with --step:\n${listSteps(steps).trimEnd()}`,
    )
  const { event, cluster } = step
  await writeNew(target, eventJson(event))
  const isWhole = journal.problems.length === 0
  if (cluster === undefined) {
    write(`${target} is written. Replay it: trellis replay ${target}\n`)
    return isWhole
  }
  const beside = `${target.replace(/\.json$/, '')}.cluster.json`
  await writeNew(beside, cluster)
  write(`${target} and ${beside} are written. Replay them: trellis replay ${target} --cluster ${beside}\n`)
  return isWhole
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
