import { loadIssuer } from '../../../shared/secrets-manager/secrets-manager.ts'

/**
 * The modules that the product loads on demand. A module that is loaded during a run makes its course depend on the
 * disk.
 */
const modules: readonly (() => Promise<unknown>)[] = [
  loadIssuer,
  () => import('../../../shared/health/health.ts'),
  () => import('yaml'),
]

/** Loads them before the first run of a process. */
export const loadAll = async (): Promise<void> => {
  await Promise.all(modules.map(load => load()))
}
