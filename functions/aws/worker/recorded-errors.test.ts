import { describe, expect, test } from 'vitest'
import type { Cluster, Worker } from '../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import {
  type RecordedWorkerError,
  recordedWorker,
  recordedWorkerErrors,
} from '../../../test/recorded/workers.ts'
import { recordedLife } from './testing/recorded-life.ts'

/**
 * The error texts where the Go extension panics without one (W1). Undefined where the cause of its panic is no error
 * (W2).
 */
const panics: Readonly<Record<string, string | undefined>> = {
  'no-infrastructure-status':
    'Error reconciling Worker: failed to generate the machine deployments: the infrastructure has no status',
  'node-template-panic': undefined,
}

/** The places that the Go extension's texts do not name: pool or field. */
const infrastructure = '(spec.infrastructureProviderStatus). The Infrastructure writes it'
const pool = (field: string) => `(worker pool "a", spec.pools[0].${field}). `
const places: Readonly<Record<string, string>> = {
  'image-neither': `the cloud profile has no AMIs of this version of the image ${pool('machineImage')}Choose`,
  'image-not-in-region': `the cloud profile has no AMIs of an image with this name ${pool('machineImage')}Choose`,
  'infrastructure-status-empty': infrastructure,
  'infrastructure-status-unknown-field': infrastructure,
  'no-cloud-profile-config': pool('machineImage'),
  'no-image': pool('machineImage'),
  'no-image-arch': `the cloud profile has ami-0ccccccccccccccc1 with map[architecture:[amd64]], but the machine has map[architecture:[arm64]] ${pool('machineImage')}`,
  'no-infrastructure-status': infrastructure,
  'no-instance-profile': infrastructure,
  'no-node-agent-secret-name': `${pool('nodeAgentSecretName')}gardenlet writes it`,
  'no-user-data-secret': `${pool('userDataSecretRef.name')}gardenlet writes the Secret`,
  'user-data-key': `${pool('userDataSecretRef.key')}gardenlet writes the Secret`,
  'no-machine-type': `${pool('machineType')}Choose one of its spec.machineTypes`,
  'no-security-group': infrastructure,
  'no-subnet-in-zone': `${pool('zones[1]')}Choose one of eu-west-1a`,
  'twelve-data-volumes': `${pool('dataVolumes[11]')}Use at most 11 data volumes`,
  'volume-size': `${pool('volume.size')}Set a whole number of GiB`,
  'worker-config-unknown-field': `${pool('providerConfig')}Correct it`,
}

/** The seed of the case `minimal`, in the namespace of the Worker. */
const inputOf = ({ case: name, input: { worker, cloudProfile } }: RecordedWorkerError) => {
  const { input } = recordedWorker('minimal')
  const namespace = worker.spec.secretRef.namespace ?? ''
  const moved = <O>(object: O): O =>
    JSON.parse(JSON.stringify(object).replaceAll('shoot--foo--minimal', namespace)) as O
  const cluster = moved(input.cluster)
  const isRestored = name.startsWith('restore')
  return {
    cluster: {
      ...cluster,
      spec: {
        ...cluster.spec,
        ...(cloudProfile && { cloudProfile }),
        shoot: { ...cluster.spec.shoot, metadata: { ...cluster.spec.shoot.metadata, name: `err-${name}` } },
      },
    } as Cluster,
    secrets: moved(input.secrets).filter(
      ({ metadata }) => name !== 'no-user-data-secret' || metadata.name !== 'osc-result-a',
    ) as readonly KubernetesObject[],
    existing: moved(input.existing),
    worker: {
      ...moved(input.worker),
      ...worker,
      metadata: {
        name: `err-${name}`,
        namespace,
        annotations: { 'gardener.cloud/operation': isRestored ? 'restore' : 'reconcile' },
      },
    } as Worker,
  }
}

describe('a recorded error of a Worker', () => {
  const cases = recordedWorkerErrors()

  test.each(cases.filter(({ case: name }) => !name.startsWith('restore')))(
    '$case begins with the same words, and names pool, field and a way out',
    async recorded => {
      const life = await recordedLife({ input: inputOf(recorded) })
      const { worker, writes } = await life.play({ action: 'create', lastOperations: [], writes: [] })
      const expected = recorded.lastError?.description ?? panics[recorded.case]
      const error = worker?.status?.lastError
      if (expected === undefined) {
        expect(worker?.status?.lastOperation?.state).toBe('Succeeded')
        return
      }
      expect(error?.description.slice(0, expected.length)).toBe(expected)
      // The Go extension has no code for these (W11).
      expect(recorded.lastError?.codes).toBeUndefined()
      expect(error?.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
      expect(error?.description).toContain(places[recorded.case])
      expect(writes.filter(({ resource }) => !resource.startsWith('workers'))).toEqual([])
    },
  )

  test('restore-without-state names the missing ShootState', async () => {
    const recorded = cases.find(({ case: name }) => name === 'restore-without-state')
    if (recorded === undefined) throw new Error('it is not among the recordings')
    const asked: object[] = []
    const life = await recordedLife(
      { input: inputOf(recorded) },
      { readShootState: async key => void asked.push(key) as undefined },
    )
    const { worker } = await life.play({ action: 'create', lastOperations: [], writes: [] })
    expect(worker?.status?.lastError?.description).toBe(recorded.lastError?.description)
    expect(asked).toEqual([{ namespace: 'garden-foo', name: 'err-restore-without-state' }])
  })
})
