import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { type DefinitionProblem, isDefinitionError } from '../../shared/runtime/runtime.ts'

/** Everything that is wrong with the providers of a folder, those of this repository where none is named. */
export const checkProviders = async (root?: URL): Promise<readonly DefinitionProblem[]> => {
  try {
    await findProviders(root)
    return []
  } catch (error) {
    if (isDefinitionError(error)) return error.problems
    throw error
  }
}
