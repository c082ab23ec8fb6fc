import { ArgumentError } from '../arguments.ts'
import type { Program } from './programs.ts'

/** Returns the programs that `--only` names. Throws an `ArgumentError` if one is unknown. Default: all. */
export const choosePrograms = (
  programs: readonly Program[],
  only: readonly string[] | undefined,
): readonly Program[] => {
  const unknown = only?.filter(name => !programs.some(program => program.name === name)) ?? []
  if (unknown.length > 0)
    throw new ArgumentError(
      `--only: unknown programs ${unknown.join(', ')}; known programs: ${programs.map(({ name }) => name).join(', ')}`,
    )
  return programs.filter(({ name }) => only?.includes(name) ?? true)
}
