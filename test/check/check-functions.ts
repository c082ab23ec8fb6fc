import { type FoundFunction, findFunctions } from '../../functions/find-functions.ts'
import { type DefinitionProblem, describeSettings, isDefinitionError } from '../../shared/runtime/runtime.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { unusedPermissions } from './unused-permissions.ts'

/**
 * Returns all problems with the functions of a folder, by default those of this repository: what `findFunctions`
 * refuses, and what only their code shows.
 */
export const checkFunctions = async (root?: string): Promise<readonly DefinitionProblem[]> => {
  let functions: readonly FoundFunction[]
  try {
    functions = await findFunctions(root)
  } catch (error) {
    if (isDefinitionError(error)) return error.problems
    throw error
  }
  return [
    ...functions.flatMap(undescribedSettings),
    ...(await Promise.all(functions.map(unusedPermissions))).flat(),
  ]
}

/** Returns the settings without a description for the page of settings. */
const undescribedSettings = ({ settings, place }: FoundFunction): readonly DefinitionProblem[] => {
  try {
    describeSettings(settings)
    return []
  } catch (error) {
    return [{ place, message: `settings: ${messageOf(error)}` }]
  }
}
