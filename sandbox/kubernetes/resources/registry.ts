import { type ResourceDefinition, type ResourceVersion, resourceName } from './resource-definition.ts'

export interface ServedResource {
  readonly type: ResourceDefinition
  readonly version: ResourceVersion
}

/** The resources served now: built-in ones and those of the CRDs. */
export interface Registry {
  find(group: string, version: string, plural: string): ServedResource | undefined
  byName(name: string): ResourceDefinition | undefined
  all(): readonly ResourceDefinition[]
  put(type: ResourceDefinition): void
  remove(name: string): void
  /** Increases with each change, so that derived values can be cached. */
  revision(): number
}

export const createRegistry = (builtIn: readonly ResourceDefinition[]): Registry => {
  const types = new Map(builtIn.map(type => [resourceName(type), type]))
  const served = new Map<string, ServedResource>()
  let revision = 0

  const index = (): void => {
    revision++
    served.clear()
    for (const type of types.values()) {
      for (const version of type.versions) {
        served.set(`${type.group}/${version.name}/${type.plural}`, { type, version })
      }
    }
  }
  index()

  return {
    find: (group, version, plural) => served.get(`${group}/${version}/${plural}`),
    byName: name => types.get(name),
    all: () => [...types.values()],
    put: type => {
      types.set(resourceName(type), type)
      index()
    },
    remove: name => {
      types.delete(name)
      index()
    },
    revision: () => revision,
  }
}
