import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import { nearestName } from '../../../shared/text/nearest-name.ts'
import type { Program } from './programs.ts'

/** Returns the programs that `--only` names; without it, all. Throws a `UsageError` for an unknown name. */
export const chosenPrograms = (
  programs: readonly Program[],
  only: readonly string[] | undefined,
): readonly Program[] => {
  const names = programs.map(({ name }) => name)
  const unknown = only?.find(name => !names.includes(name))
  if (unknown !== undefined) {
    const near = nearestName(unknown, names)
    throw new UsageError(
      `--only: unknown program ${unknown}${near === undefined ? `; known: ${names.join(', ')}` : `. Did you mean ${near}?`}`,
    )
  }
  return programs.filter(({ name }) => only?.includes(name) ?? true)
}
