import { describe, expect, test } from 'vitest'
import type { WorkerPool } from '../../contract/objects.ts'
import { classHash, classInputs } from '../desired/class-hash.ts'
import type { DesiredDeployment } from '../desired/desired-deployment.ts'
import type { HashInput, MachineClassContent } from '../provider.ts'
import { machineClass, machineDeployment } from '../testing/machine-objects.ts'
import { clusterOf, poolOf } from '../testing/worker-of.ts'
import { type RolloutInput, rolloutOf } from './rollout.ts'

const contentOf = (size: number): MachineClassContent => ({
  labels: {},
  provider: 'Toy',
  providerSpec: { disk: { size } },
  nodeTemplate: undefined,
})

const inputsOf = (size: number): readonly HashInput[] => [
  {
    name: 'data volume kubelet-dir: size',
    datum: `${size}Gi`,
    observed: ({ providerSpec }) => `${(providerSpec.disk as { size: number }).size}Gi`,
  },
]

const desiredOf = (size: number, fields: Partial<WorkerPool> = {}, name = 'a-z1') => {
  const pool = poolOf(fields)
  const hashInputs = inputsOf(size)
  const deployment: DesiredDeployment = {
    name,
    className: `${name}-${classHash(classInputs({ pool, hashInputs }, clusterOf()))}`,
    pool,
    zone: { zone: 'z1', content: contentOf(size), nodeLabels: {} },
    minimum: 1,
    maximum: 5,
    maxSurge: '25%',
    maxUnavailable: 0,
    autoPreserveFailedMachineMax: 0,
  }
  return { deployment, inputs: classInputs({ pool, hashInputs }, clusterOf()) }
}

/** The objects after a reconcile of a pool of this size. */
const observedOf = (size: number, replicas: number, fields?: Partial<WorkerPool>) => {
  const { className, name } = desiredOf(size, fields).deployment
  const { providerSpec, provider } = contentOf(size)
  return {
    deployments: [
      machineDeployment(name, {
        spec: { replicas, template: { spec: { class: { kind: 'MachineClass', name: className } } } },
        status: { replicas },
      }),
    ],
    classes: [machineClass(className, { provider, providerSpec: { ...providerSpec } })],
  }
}

const compare = (
  { deployment, inputs }: ReturnType<typeof desiredOf>,
  observed: Pick<RolloutInput, 'deployments' | 'classes'>,
  more: Partial<RolloutInput> = {},
) =>
  rolloutOf({
    worker: {},
    desired: [deployment],
    inputs: new Map([[deployment.pool.name, inputs]]),
    replicasOf: () => undefined,
    ...observed,
    ...more,
  })

describe('a deployment', () => {
  test('without changes is retained', () => {
    expect(compare(desiredOf(50), observedOf(50, 4))).toEqual({
      deployments: [{ kind: 'kept', name: 'a-z1', pool: 'a', replicas: { from: 4, to: 4 }, differences: [] }],
      removed: [],
    })
  })

  test('with a new class hash rolls because of the changed input', () => {
    const { deployments } = compare(desiredOf(60), observedOf(50, 5))
    expect(deployments).toEqual([
      {
        kind: 'rolled',
        name: 'a-z1',
        pool: 'a',
        how: 'replaced',
        from: desiredOf(50).deployment.className,
        to: desiredOf(60).deployment.className,
        replicas: { from: 5, to: 5 },
        machines: 5,
        atOnce: { surge: 2, unavailable: 0 },
        why: {
          isProved: true,
          causes: [{ name: 'data volume kubelet-dir: size', from: '50Gi', to: '60Gi' }],
        },
        differences: [{ path: 'providerSpec.disk.size', from: 50, to: 60 }],
      },
    ])
  })

  test('that rolls because of a value hashed by gardenlet reports that, and the differences of the class', () => {
    const before = { nodeAgentSecretName: 'before' }
    expect(compare(desiredOf(60), observedOf(50, 1, before)).deployments).toMatchObject([
      {
        kind: 'rolled',
        why: {
          isProved: false,
          causes: [
            {
              name: 'name of the Secret of the node agent',
              from: undefined,
              to: 'gardener-node-agent-a-0123456789abcdef',
            },
            { name: 'data volume kubelet-dir: size', from: '50Gi', to: '60Gi' },
          ],
        },
        differences: [{ path: 'providerSpec.disk.size', from: 50, to: 60 }],
      },
    ])
  })

  test('with a missing or renamed former class rolls for an unknown reason', () => {
    const observed = { ...observedOf(50, 1), classes: [] }
    expect(compare(desiredOf(60), observed).deployments).toMatchObject([
      { kind: 'rolled', why: { isProved: false }, differences: undefined },
    ])
    const other = { deployments: [machineDeployment('a-z1')], classes: [] }
    expect(compare(desiredOf(60), other).deployments).toMatchObject([
      { kind: 'rolled', from: 'a-z1-new', why: { isProved: false } },
    ])
    const none = { deployments: [machineDeployment('a-z1', { spec: { template: {} } })], classes: [] }
    expect(compare(desiredOf(60), none).deployments).toMatchObject([
      { kind: 'rolled', from: undefined, why: { isProved: false } },
    ])
  })

  test('with class changes that are not hashed is changed in place', () => {
    const observed = observedOf(50, 1)
    const [present] = observed.classes
    const classes = present ? [{ ...present, providerSpec: { ...present.providerSpec, key: 'old' } }] : []
    expect(compare(desiredOf(50), { ...observed, classes }).deployments).toMatchObject([
      { kind: 'kept', differences: [{ path: 'providerSpec.key', from: 'old', to: undefined }] },
    ])
  })

  test('is scaled', () => {
    expect(compare(desiredOf(50), observedOf(50, 9), { replicasOf: () => 5 }).deployments).toMatchObject([
      { kind: 'kept', replicas: { from: 9, to: 5 } },
    ])
  })

  test('that is missing is created', () => {
    const nothing = { deployments: [], classes: [] }
    expect(compare(desiredOf(50), nothing, { replicasOf: ({ minimum }) => minimum }).deployments).toEqual([
      { kind: 'made', name: 'a-z1', pool: 'a', replicas: 1 },
    ])
  })

  test.each([
    ['AutoInPlaceUpdate', 'updated in place'],
    ['ManualInPlaceUpdate', 'updated in place manually'],
  ] as const)('with %s is %s, and the former hash is read from the status', (updateStrategy, how) => {
    const former = { updateStrategy, kubernetesVersion: '1.33.1' }
    const desired = desiredOf(50, { updateStrategy, kubernetesVersion: '1.34.1' })
    const inPlaceOf = (inputs: readonly HashInput[]) => inputs[1]?.datum ?? ''
    const [from, to] = [inPlaceOf(desiredOf(50, former).inputs), inPlaceOf(desired.inputs)]
    const worker = { status: { inPlaceUpdates: { workerPoolToHashMap: { a: from } } } }
    expect(compare(desired, observedOf(50, 2, former), { worker }).deployments).toMatchObject([
      {
        kind: 'rolled',
        how,
        why: { isProved: true, causes: [{ name: 'hash of what is updated in place', from, to }] },
      },
    ])
    expect(compare(desired, observedOf(50, 2, former)).deployments).toMatchObject([
      { kind: 'rolled', how, why: { isProved: false } },
    ])
  })
})

test('deployments that no pool needs are removed with their machines', () => {
  const observed = observedOf(50, 1)
  const spec = { template: {}, replicas: 2 }
  const gone = machineDeployment('gone-z1', { spec, status: { replicas: 3 } })
  const { removed } = compare(desiredOf(50), { ...observed, deployments: [...observed.deployments, gone] })
  expect(removed).toEqual([{ name: 'gone-z1', machines: 3 }])
})
