import type { Provider, ResourcesOf } from '../../sandbox/providers/provider.ts'

/** Returns the function that reads the resources of every provider's cloud from an object. */
export const providedResources = async (providers: readonly Provider[]): Promise<ResourcesOf> => {
  const all = await Promise.all(providers.map(({ resources }) => resources?.()))
  const known = all.filter(one => one !== undefined)
  return object => known.flatMap(resourcesOf => resourcesOf(object))
}
