import { basename, dirname } from 'node:path'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { backupBuckets, backupEntries } from '../backup/backups.ts'
import { bastions } from '../bastion/bastions.ts'
import { startedControlPlanes } from '../controlplane/started-control-planes.ts'
import { dnsRecords, type StartedKind } from '../start-world.ts'
import { startedWorkers } from '../worker/started-workers.ts'
import type { Burst } from './burst-usage.ts'
import { infrastructures } from './infrastructures.ts'

const name = 'aws-compact'

const all: readonly StartedKind[] = [
  dnsRecords,
  infrastructures,
  startedWorkers,
  startedControlPlanes,
  backupBuckets,
  backupEntries,
  bastions,
]

/** Some of the worlds share a shoot. */
const keyOf = ({ kind, metadata: { namespace, name: of } }: KubernetesObject): string =>
  [kind, namespace, of].join(' ')

/** All functions of `aws` in one process, each with objects for which it does its full work. */
export const compactBurst: Burst = {
  name,
  world: {
    ...dnsRecords,
    bundle: `dist/bundles/${name}/main.cjs`,
    objects: [...new Map(all.flatMap(({ objects }) => objects).map(one => [keyOf(one), one])).values()],
    prepare: async (aws, kubernetes) => {
      for (const { prepare } of all) await prepare(aws, kubernetes)
    },
  },
  kinds: all.map(of => ({ of, path: `/${basename(dirname(of.bundle))}` })),
}
