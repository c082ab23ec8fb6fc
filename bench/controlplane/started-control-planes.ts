import { generateKeyPairSync } from 'node:crypto'
import { secretConfigs, secretsIdentity } from '../../functions/aws/controlplane/secrets.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { createSecretsManager } from '../../shared/secrets-manager/secrets-manager.ts'
import type { StartedKind } from '../start-world.ts'
import { bundle } from './control-plane-world.ts'
import { controlPlaneObject, shootOf } from './objects.ts'

/** As many as a benchmark asks for at most: a burst has 200. */
const most = 240
const namespaces = Array.from({ length: most }, (_, index) => `shoot--bench--planned-${index}`)

/**
 * ControlPlanes of shoots that are hibernated: all objects are made, and no resource manager is to be waited for. Their
 * certificates are there: three RSA keys take longer than a start, and any time at all.
 */
export const startedControlPlanes: StartedKind = {
  kind: 'ControlPlane',
  bundle,
  objects: namespaces.flatMap(name => {
    const { namespace, cluster, secret } = shootOf(name, { isHibernated: true })
    return [namespace, cluster, secret]
  }),
  prepare: async (_, kubernetes) => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
    for (const namespace of namespaces) {
      const { authorities, certificates } = secretConfigs(namespace)
      await createSecretsManager({
        kubernetes,
        clock: systemClock,
        namespace,
        identity: secretsIdentity,
        configs: [...authorities, ...certificates],
        createKeyPair: async () => keys,
      }).generate()
    }
  },
  objectNumber: index => controlPlaneObject(namespaces[index] ?? '', index),
}
