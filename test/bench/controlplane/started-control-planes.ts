import { generateKeyPairSync } from 'node:crypto'
import { secretConfigs, secretsIdentity } from '../../../functions/aws/controlplane/secrets.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { createSecretsManager } from '../../../shared/secrets-manager/secrets-manager.ts'
import type { StartedKind } from '../start-world.ts'
import { bundle } from './control-plane-world.ts'
import { controlPlaneObject, shootOf } from './objects.ts'

/** The largest number that a benchmark asks for: a burst has 200. */
const most = 240
const namespaces = Array.from({ length: most }, (_, index) => `shoot--bench--planned-${index}`)

/**
 * ControlPlanes of hibernated shoots: the function creates all objects and does not wait for a resource manager. Their
 * certificates already exist, because creating three RSA keys takes longer than a start, and varies.
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
