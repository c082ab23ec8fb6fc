import { basename, dirname } from 'node:path'
import { type FoundFunction, findFunctions } from '../../functions/find-functions.ts'
import type { Provider } from '../../sandbox/providers/provider.ts'
import { hasCloud } from '../../sandbox/seed/seed.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { loadGiven } from '../author/load-given.ts'

/**
 * Returns the functions that plan themselves, by `planOf` or by their steps: no cloud provider has a plan for their
 * kind. Functions given with `--function` come first. Throws a `UsageError` if one of these has only its provider's
 * plan.
 */
export const functionsToPlan = async (
  folders: readonly string[],
  providers: readonly Pick<Provider, 'name' | 'plans'>[],
): Promise<readonly FoundFunction[]> => {
  const given = await loadGiven(folders)
  const ofCloud = given.find(fn => fn.planOf === undefined && hasCloud(fn))
  if (ofCloud !== undefined)
    throw new UsageError(
      `--function: ${ofCloud.name} changes the cloud of its provider.ts, and has no planOf. Add planOf to its definition`,
    )
  // Compares folder names, because imports of a cloud's function are expensive.
  const isPlanned = (folder: string): boolean =>
    providers.some(
      ({ name, plans }) =>
        name === basename(dirname(folder)) &&
        Object.keys(plans).some(kind => kind.toLowerCase() === basename(folder)),
    )
  const own = await findFunctions(undefined, folder => !isPlanned(folder))
  return [...given, ...own.filter(({ file }) => given.every(one => one.file !== file))]
}
