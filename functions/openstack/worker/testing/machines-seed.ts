import { createSteppedSeed, isWriteRequest } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import { type Clock, virtualClock } from '../../../../shared/clock/clock.ts'
import { clusterKind } from '../../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../../shared/contract/machine-kinds.ts'
import type { Worker } from '../../../../shared/contract/objects.ts'
import { secrets } from '../../../../shared/kubernetes/core-resources.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { machineController } from '../../../../shared/worker/testing/machine-controller.ts'
import { type ReadShootState, workerFlow } from '../../../../shared/worker/worker.ts'
import { definition } from '../function.ts'
import { openstackMachines } from '../openstack-machines.ts'
import { type FakeNova, fakeNova } from './fake-nova.ts'
import type { RecordedMachines } from './recordings.ts'

export interface MachinesSeedOptions {
  /** Default: a fake one, or another connection, for real servers. */
  readonly nova?: FakeNova
  readonly credentials?: Readonly<Record<string, string>>
  readonly readShootState?: ReadShootState
  /** The error text of each failed machine. */
  readonly failing?: readonly { readonly name: string; readonly text: string }[]
  readonly operation?: string
  /** Objects that exist from the start, such as those of the Go extension. */
  readonly objects?: readonly KubernetesObject[]
}

const usualCredentials = {
  domainName: 'acme',
  tenantName: 'shoots',
  username: 'gardener',
  password: 'planted-secret-value',
  authURL: 'http://keystone/v3',
}

/** The seed of a recording, with the function of this folder in place of the Go extension. */
export const machinesSeed = async (
  { cluster, worker, existing }: RecordedMachines['input'],
  {
    nova = fakeNova(),
    readShootState,
    failing = [],
    operation,
    objects = [],
    credentials = usualCredentials,
  }: MachinesSeedOptions = {},
) => {
  const { name, namespace = '', annotations } = worker.metadata
  const clock = virtualClock(Date.parse('2026-01-10T12:00:00Z'))
  const secret = (called: string, data: Readonly<Record<string, string>>): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: called, namespace },
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, btoa(value)])),
  })
  const pools = worker.spec.pools.map(pool => pool.name)
  const seed = createSteppedSeed({
    definition: {
      ...definition,
      create: ((_: unknown, { clock: ofStep }: { readonly clock: Clock }) =>
        workerFlow(
          openstackMachines(nova.connection, ofStep),
          readShootState ? { readShootState } : {},
        )) as never,
    },
    objects: [
      cluster,
      secret('cloudprovider', credentials),
      ...pools.map(pool => secret(`osc-result-${pool}`, { cloud_config: `#!/bin/bash\necho ${pool}\n` })),
      ...existing,
      ...objects,
    ],
    cloud: {
      things: () => [],
      passCalls: pass => {
        const { send } = nova.connection
        Object.assign(nova.connection, {
          send: (request: Parameters<typeof send>[0]) =>
            pass({ name: `${request.method} ${request.url}`, isRead: isRead(request) }, () => send(request)),
        })
      },
    },
    clock,
    waits: 'advance',
    others: async () => {
      await controller.run()
      await fail()
    },
  })
  const { kubernetes } = seed
  const controller = machineController(kubernetes)
  const { resource } = machineKinds.MachineDeployment
  const fail = async () => {
    if (failing.length === 0) return
    const failedMachines = failing.map(machine => ({
      name: machine.name,
      lastOperation: { description: machine.text, state: 'Failed', type: 'Create' },
    }))
    for (const { metadata } of (await kubernetes.list(resource, { namespace })).items)
      await kubernetes.patch(
        resource,
        { name: metadata.name, namespace },
        { status: { failedMachines } },
        { subresource: 'status' },
      )
  }
  const key = { name, namespace }
  const one = seed.object(key)
  await one.create(worker, operation ?? annotations?.['gardener.cloud/operation'])
  const list = async (of: GroupVersionResource, labelSelector?: string) =>
    (await kubernetes.list(of, { namespace, ...(labelSelector && { labelSelector }) })).items
  const live = async (): Promise<Worker | undefined> => (await one.live()) as Worker | undefined

  return {
    seed,
    nova,
    live,
    ask: one.ask,
    remove: one.delete,
    step: one.step,
    changeCluster: (spec: object) => kubernetes.patch(clusterKind.resource, { name: namespace }, { spec }),
    /** Runs until nothing is due or the Worker has an error. */
    run: () => one.run({ until: object => Object(object?.status).lastOperation?.state === 'Error' }),
    /** Runs through errors, until nothing is due or the process has died. */
    converge: (until = () => false) => one.run({ until, longestPauseMs: 600_000 }),
    /** The requests of the function since a number of them. */
    requestsSince: (earlier: number) => seed.requests.slice(earlier),
    writesSince: (earlier: number) => seed.requests.slice(earlier).filter(isWriteRequest),
    objects: async () => ({
      machineClasses: await list(machineKinds.MachineClass.resource),
      machineDeployments: await list(machineKinds.MachineDeployment.resource),
      machineClassSecrets: await list(secrets, 'gardener.cloud/purpose=machineclass'),
    }),
  }
}
export type MachinesSeed = Awaited<ReturnType<typeof machinesSeed>>

const isRead = ({ method, url }: { readonly method: string; readonly url: string }): boolean =>
  method === 'GET' || url.endsWith('/auth/tokens')
