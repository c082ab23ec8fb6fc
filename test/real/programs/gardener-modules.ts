import { type ContractModules, contractModules, pinnedVersion } from '../../contract/modules.ts'

/** Gardener's Go modules. Only their sources are read. */
export interface GardenerModules {
  readonly pinned: ContractModules
  /** Some of the supported versions, oldest first. */
  readonly supported: readonly ContractModules[]
}

/**
 * The oldest version on whose CRDs every life passes, and the pinned one. `GARDENER_VERSIONS` replaces them:
 * `v1.100.0,v1.135.0`. The nightly run has two in between.
 */
export const supportedVersions = ['v1.101.0', pinnedVersion]

/** Downloads the modules that are not in Go's module cache. */
export const gardenerModules = async (environment: NodeJS.ProcessEnv): Promise<GardenerModules> => ({
  pinned: await contractModules(pinnedVersion),
  supported: await Promise.all(
    (environment.GARDENER_VERSIONS?.split(',') ?? supportedVersions).map(version => contractModules(version)),
  ),
})
