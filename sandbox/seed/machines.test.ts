import { expect, test } from 'vitest'
import { systemClock } from '../../shared/clock/clock.ts'
import { machineApiVersion } from '../../shared/contract/constants.ts'
import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import { secrets } from '../../shared/kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { MachineCloud } from '../machine-controller/machine-controller.ts'
import { type SeedEvent, type SimulatedCloud, startSeed } from './seed.ts'

const namespace = 'shoot--foo--bar'
const object = (kind: string, name: string, fields: object): KubernetesObject => ({
  apiVersion: kind === 'Secret' || kind === 'Namespace' ? 'v1' : machineApiVersion,
  kind,
  metadata: { name, ...(kind === 'Namespace' ? {} : { namespace }) },
  ...fields,
})

/** A cloud that represents each machine by its name. */
const names = (): SimulatedCloud & { readonly made: Set<string>; readonly scales: number[] } => {
  const made = new Set<string>()
  const scales: number[] = []
  const machineOf = (name: string) => ({ providerId: `names:///${name}`, nodeName: `node-${name}` })
  const driver: MachineCloud = {
    provider: 'Names',
    find: async ({ name }) => (made.has(name) ? { ...machineOf(name), initialized: true } : undefined),
    create: async ({ name }) => {
      made.add(name)
      return machineOf(name)
    },
    initialize: async () => {},
    remove: async ({ name }) => void made.delete(name),
    list: async () => new Map([...made].map(name => [machineOf(name).providerId, name])),
    powerOf: id => (made.has(id.replace('names:///', '')) ? 'on' : 'gone'),
  }
  return {
    made,
    scales,
    connection: undefined,
    listen: async () => ({ url: 'http://127.0.0.1:1', close: async () => {} }),
    environment: () => ({}),
    onCall: () => () => {},
    machines: scale => {
      scales.push(scale)
      return driver
    },
  }
}

const start = async () => {
  const events: SeedEvent[] = []
  const cloud = names()
  const seed = await startSeed({
    functions: [],
    clouds: { names: cloud },
    machineScale: 0.001,
    objects: [object('Namespace', namespace, {})],
    observe: event => events.push(event),
  })
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await systemClock.sleep(5)
  }
  /** Requests for kinds that only the machine controller reads or writes. */
  const requests = () =>
    events.filter(
      event => event.part === 'request' && /^machines(?:ets)?\./.test(event.request.resource ?? ''),
    )
  return { seed, cloud, until, requests }
}

test('a seed creates machines of any cloud with a driver, and does not report its own requests', async () => {
  const { seed, cloud, until, requests } = await start()
  try {
    const name = 'pool-z1'
    const template = {
      metadata: { labels: { name } },
      spec: { class: { kind: 'MachineClass', name: 'class' } },
    }
    const { MachineClass, MachineDeployment } = machineKinds
    const fields = { provider: 'Names', providerSpec: {} }
    await seed.kubernetes.create(MachineClass.resource, object('MachineClass', 'class', fields))
    const spec = { replicas: 2, selector: { matchLabels: { name } }, template }
    await seed.kubernetes.create(MachineDeployment.resource, object('MachineDeployment', name, { spec }))
    await until(() => seed.machines.nodes(namespace).length === 2)
    expect(cloud.made.size).toBe(2)
    expect(cloud.scales).toEqual([0.001])
    expect(requests()).toEqual([])
    await seed.kubernetes.delete(MachineDeployment.resource, { namespace, name })
    await until(() => seed.machines.nodes(namespace).length === 0)
    expect(cloud.made.size).toBe(0)
  } finally {
    await seed.close()
  }
})

test('the API server of a shoot has the Nodes of its machines, before and after it was opened', async () => {
  const { seed, until } = await start()
  try {
    const { MachineClass, MachineDeployment } = machineKinds
    const fields = { provider: 'Names', providerSpec: {} }
    await seed.kubernetes.create(MachineClass.resource, object('MachineClass', 'class', fields))
    const deploy = (name: string) => {
      const nodeTemplate = {
        metadata: { labels: { 'worker.gardener.cloud/pool': name } },
        spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] },
      }
      const template = {
        metadata: { labels: { name } },
        spec: { class: { kind: 'MachineClass', name: 'class' }, nodeTemplate },
      }
      const spec = { replicas: 1, selector: { matchLabels: { name } }, template }
      return seed.kubernetes.create(MachineDeployment.resource, object('MachineDeployment', name, { spec }))
    }
    await deploy('early')
    await until(() => seed.machines.nodes(namespace).length === 1)
    const { server } = await seed.resources.shoot(namespace)
    const stored = () => server.store.collection('nodes').list()
    await until(() => stored().length === 1)
    await deploy('late')
    await until(() => stored().length === 2)
    const isReady = ({ object: { status } }: ReturnType<typeof stored>[number]) =>
      JSON.stringify(status).includes('"type":"Ready","status":"True"')
    await until(() => stored().every(isReady))
    expect(stored().map(({ object: { metadata, spec } }) => [metadata.labels, spec])).toEqual(
      expect.arrayContaining(
        ['early', 'late'].map(name => [
          expect.objectContaining({ 'worker.gardener.cloud/pool': name }),
          {
            providerID: expect.stringContaining(`names:///${name}`),
            taints: [{ key: 'a', effect: 'NoSchedule' }],
          },
        ]),
      ),
    )
    await seed.kubernetes.delete(MachineDeployment.resource, { namespace, name: 'early' })
    await until(() => stored().length === 1)
  } finally {
    await seed.close()
  }
})

test('a seed without machine objects starts no machine controller', async () => {
  const { seed, cloud } = await start()
  try {
    await seed.kubernetes.create(secrets, object('Secret', 'cloudprovider', {}))
    expect([cloud.scales, seed.machines.nodes(namespace)]).toEqual([[], []])
  } finally {
    await seed.close()
  }
})
