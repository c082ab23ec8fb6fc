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
  const types = new Map<string, ResourceDefinition>()
  const served = new Map<string, ServedResource>()
  let revision = 0

  const keyOf = ({ group, plural }: ResourceDefinition, { name }: ResourceVersion) =>
    `${group}/${name}/${plural}`
  const withdraw = (name: string): void => {
    revision++
    const type = types.get(name)
    if (type !== undefined) for (const version of type.versions) served.delete(keyOf(type, version))
  }
  const put = (type: ResourceDefinition): void => {
    withdraw(resourceName(type))
    types.set(resourceName(type), type)
    for (const version of type.versions) served.set(keyOf(type, version), { type, version })
  }
  for (const type of builtIn) put(type)

  return {
    find: (group, version, plural) => served.get(`${group}/${version}/${plural}`),
    byName: name => types.get(name),
    all: () => [...types.values()],
    put,
    remove: name => {
      withdraw(name)
      types.delete(name)
    },
    revision: () => revision,
  }
}
