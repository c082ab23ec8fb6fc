import { findFunctions } from '../../functions/find-functions.ts'
import { functionService } from '../../shared/runtime/runtime.ts'
import { loadManifests, type Manifests, profileNames } from '../knative/knative.ts'
import type { SeedFunction } from '../seed/seed.ts'
import { loadAll } from './determinism/load-all.ts'
import type { SimulatedCode } from './simulate.ts'

const manifests = new URL('../../knative/base', import.meta.url).pathname
const profiles = new URL('../../knative/profiles', import.meta.url).pathname

/** Loads the functions and manifests of this project. */
export const loadSimulatedCode = async (): Promise<SimulatedCode> => {
  await loadAll()
  const functions: readonly SeedFunction[] = await findFunctions()
  const loaded = await Promise.all(
    profileNames.map(async name => [name, await loadManifests([manifests], `${profiles}/${name}`)] as const),
  )
  const byName: ReadonlyMap<string, Manifests> = new Map(loaded)
  return {
    functions,
    // For all worlds, because the schema is slow.
    concurrency: new Map(
      functions.map(({ name, service }) => [name, functionService(service).concurrency.value]),
    ),
    manifests: delivery => {
      const found = byName.get(delivery === 'seed process' ? 'in-memory' : delivery)
      if (found === undefined) throw new TypeError(`there is no profile ${delivery}`)
      return found
    },
  }
}
