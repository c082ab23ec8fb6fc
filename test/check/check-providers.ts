import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { type DefinitionProblem, isDefinitionError } from '../../shared/runtime/runtime.ts'

/** Returns all problems with the providers of a folder, by default those of this repository. */
export const checkProviders = async (root?: URL): Promise<readonly DefinitionProblem[]> => {
  try {
    await findProviders(root)
    return []
  } catch (error) {
    if (isDefinitionError(error)) return error.problems
    throw error
  }
}
