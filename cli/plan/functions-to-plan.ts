import { join } from 'node:path'
import { type FoundFunction, findFunctions } from '../../functions/find-functions.ts'
import { hasCloud } from '../../sandbox/seed/seed.ts'
import { loadGiven } from '../author/load-given.ts'
import { UsageError } from '../exit-code.ts'

/**
 * The functions whose steps a plan may run, since all that they change is in Kubernetes: those of folders without a
 * `provider.ts`; those of `--function` first. Throws a `UsageError` for a given one that changes a cloud.
 */
export const functionsToPlan = async (folders: readonly string[]): Promise<readonly FoundFunction[]> => {
  const given = await loadGiven(folders)
  const ofCloud = given.find(hasCloud)
  if (ofCloud !== undefined)
    throw new UsageError(
      `--function: ${ofCloud.name} changes a cloud, for which the provider.ts beside its folder makes the plans`,
    )
  const own = await findFunctions(undefined, folder => !hasCloud({ file: join(folder, 'function.ts') }))
  return [...given, ...own.filter(({ file }) => given.every(one => one.file !== file))]
}
