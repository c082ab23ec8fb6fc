import { definition } from '../../../functions/aws/controlplane/function.ts'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import { startBundleWorld } from '../bundle-world.ts'
import { controlPlaneObject, shootOf } from './objects.ts'

export const bundle = 'dist/bundles/aws-controlplane/main.cjs'

const core = (plural: string, namespaced: boolean) => ({ group: '', version: 'v1', plural, namespaced })

/**
 * Starts a seed with a resource manager that answers at once, and one process of the function from its bundle, which
 * has already handled one ControlPlane.
 */
export const startControlPlaneWorld = async () => {
  const started = await startBundleWorld({
    fn: { ...definition, file: 'functions/aws/controlplane/function.ts' },
    bundle,
    patienceMs: 120_000,
  })
  const { seed } = started
  const world = {
    ...started,
    makeShoot: async (namespace: string) => {
      const { namespace: made, cluster, secret } = shootOf(namespace)
      await seed.kubernetes.create(core('namespaces', false), made)
      await seed.kubernetes.create(clusterKind.resource, cluster)
      await seed.kubernetes.create(core('secrets', true), secret)
      // The shoot's API server is not part of the measurement.
      await seed.resources.shoot(namespace)
    },
  }
  try {
    await world.makeShoot('shoot--bench--first')
    await world.create(controlPlaneObject('shoot--bench--first'))
    return world
  } catch (error) {
    await world.close()
    throw error
  }
}
