import type { FoundFunction } from '../../functions/find-functions.ts'
import { loadDefinition } from '../../functions/load-definition.ts'
import { DefinitionError, formatPlace } from '../../shared/runtime/runtime.ts'
import { conflictOf } from './conflict.ts'
import { givenFiles } from './given-files.ts'

/**
 * Returns the functions of folders, for a command that uses them once. Throws a `UsageError` for a folder without one,
 * and a `DefinitionError` for an invalid one.
 */
export const loadGiven = async (folders: readonly string[]): Promise<readonly FoundFunction[]> => {
  const found: FoundFunction[] = []
  for (const file of givenFiles(folders)) {
    const loaded = await loadDefinition(file)
    if ('problems' in loaded) throw new DefinitionError(loaded.problems)
    const others = found.map(fn => ({ ...fn, place: formatPlace(fn.place ?? { file: fn.file }) }))
    const { place = { file } } = loaded.definition
    const conflict = conflictOf(loaded.definition, others)
    if (conflict !== undefined) throw new DefinitionError([{ place, message: conflict }])
    found.push({ ...loaded.definition, file })
  }
  return found
}
