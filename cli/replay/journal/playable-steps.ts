import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import { printable } from '../../../shared/text/printable.ts'
import type { EventFile, PlayableStep } from '../read-saved-file.ts'
import type { PlayableJournal } from './playable-journal.ts'
import { isSelection, type StepSelection, selectSteps } from './select-steps.ts'

/**
 * Returns the selected steps of a journal as a file of events. Steps whose object the journal lacks are left out with a
 * warning. Throws a `UsageError` if no step remains.
 */
export const playableSteps = (
  { file, recorded, problems }: PlayableJournal,
  select: StepSelection,
  warn: (line: string) => void,
): EventFile & { readonly steps: readonly PlayableStep[] } => {
  for (const problem of problems) warn(`${file}: ${printable(problem)}`)
  if (recorded.length === 0) throw new UsageError(`${file}: the journal contains no step`)
  const selected = isSelection(select) ? selectSteps(recorded, select, file) : recorded
  const steps = selected.filter((step): step is PlayableStep => step.event !== undefined)
  const lacking = selected.length - steps.length
  if (steps.length === 0)
    throw new UsageError(
      `${file}: the selected ${lacking === 1 ? 'step cannot' : 'steps cannot'} be replayed: the journal does not contain the object before the step`,
    )
  if (lacking > 0)
    warn(`${file}: ${lacking} steps are left out, because the journal does not contain their object`)
  return { file, events: steps.map(({ event }) => event), steps }
}
