import * as z from 'zod'
import {
  createAccess,
  listAll,
  type OpenStackAccess,
  OpenStackError,
} from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import {
  type MachineCloud,
  MachineCloudError,
  type MachineRequest,
} from '../../../machine-controller/machine-controller.ts'
import type { SimulatedOpenStack } from './create-openstack.ts'

/** The fields of a `providerSpec` that are used to create a server. */
const machineSpec = z.object({
  spec: z.object({
    region: z.string(),
    availabilityZone: z.string().optional(),
    flavorName: z.string(),
    keyName: z.string().optional(),
    imageID: z.string().optional(),
    imageName: z.string().optional(),
    networkID: z.string(),
    subnetIDs: z.array(z.string()).default([]),
    securityGroups: z.array(z.string()).default([]),
    serverGroupID: z.string().optional(),
    tags: z.record(z.string(), z.string()).default({}),
  }),
})
type MachineSpec = z.output<typeof machineSpec>['spec']

const named = z.object({ id: z.string(), name: z.string() })
const created = z.object({ id: z.string() })
const listedServer = named.extend({ metadata: z.record(z.string(), z.string()), status: z.string() })

/** Also the pauses between two reads of a new server. */
const pauseMs = 10_000
const mostReads = 120

/**
 * The OpenStack driver of the machine controller, with the calls of Gardener's
 * machine-controller-manager-provider-openstack: a port, then a server with it.
 */
export const machineDriver = (
  { connection, clock, resources }: Pick<SimulatedOpenStack, 'connection' | 'clock' | 'resources'>,
  scale: number,
): MachineCloud => {
  const open = createAccess(connection, clock)

  const connect = (
    { machineClass, secret }: Pick<MachineRequest, 'machineClass' | 'secret'>,
    signal: AbortSignal,
  ) => {
    const { data: read, error } = machineSpec.safeParse(machineClass.providerSpec)
    if (error !== undefined)
      throw new MachineCloudError('InvalidArgument', `providerSpec: ${z.prettifyError(error)}`)
    const account = { namespace: '', name: 'machine class', labels: {}, data: secret }
    const access = open({ secret: account, region: read.spec.region, signal, throwIfExpired: () => {} })
    return { spec: read.spec, access }
  }

  const serversOf = async (access: OpenStackAccess, { tags }: MachineSpec) => {
    const servers = await listAll(access, {
      service: 'compute',
      path: ['servers', 'detail'],
      member: 'servers',
      item: listedServer,
      idOf: ({ id }) => id,
      doing: 'listing servers',
    })
    const ofCluster = Object.keys(tags).filter(key => key.startsWith('kubernetes.io-'))
    return servers.filter(({ metadata }) => ofCluster.every(key => metadata[key] !== undefined))
  }

  const idNamed = async (
    access: OpenStackAccess,
    place: Pick<Parameters<typeof listAll>[1], 'service' | 'path' | 'member'>,
    name: string,
  ): Promise<string> => {
    const found = await listAll(access, {
      ...place,
      item: named,
      idOf: ({ id }) => id,
      doing: `finding ${name}`,
    })
    const [only, ...others] = found.filter(one => one.name === name)
    if (only === undefined)
      throw new MachineCloudError('Internal', `no ${place.member} with the name ${name}`)
    // The driver of Gardener does not guess either.
    if (others.length > 0)
      throw new MachineCloudError('Internal', `several ${place.member} with the name ${name}`)
    return only.id
  }

  const portOf = async (access: OpenStackAccess, spec: MachineSpec, name: string): Promise<string> => {
    const ports = { service: 'network', path: ['ports'], member: 'ports' } as const
    const query = { name, network_id: spec.networkID }
    const found = await listAll(access, {
      ...ports,
      query,
      item: named,
      idOf: ({ id }) => id,
      doing: `finding port ${name}`,
    })
    if (found[0] !== undefined) return found[0].id
    const groups = { service: 'network', path: ['security-groups'], member: 'security_groups' } as const
    const ids = await Promise.all(spec.securityGroups.map(group => idNamed(access, groups, group)))
    const { port } = await access.call({
      service: 'network',
      method: 'POST',
      path: ['ports'],
      doing: `creating port ${name}`,
      answer: z.object({ port: created }),
      body: {
        port: {
          name,
          network_id: spec.networkID,
          ...(spec.subnetIDs.length > 0 && { fixed_ips: spec.subnetIDs.map(id => ({ subnet_id: id })) }),
          security_groups: ids,
        },
      },
    })
    return port.id
  }

  const machineOf = ({ region }: MachineSpec, id: string, name: string) => ({
    providerId: `openstack:///${region}/${id}`,
    nodeName: name,
  })

  return {
    provider: 'OpenStack',
    find: (request, signal) =>
      translated(async () => {
        const { spec, access } = connect(request, signal)
        const own = (await serversOf(access, spec)).filter(({ name }) => name === request.name)
        if (own.length > 1)
          throw new MachineCloudError('OutOfRange', `multiple servers with the name ${request.name}`)
        return own[0] && { ...machineOf(spec, own[0].id, request.name), initialized: true }
      }),
    create: (request, signal) =>
      translated(async () => {
        const { spec, access } = connect(request, signal)
        const { name } = request
        const known = (await serversOf(access, spec)).find(server => server.name === name)
        const id = known?.id ?? (await newServer(access, spec, request))
        for (let count = 0; count < mostReads; count++) {
          const { server } = await access.call({
            service: 'compute',
            method: 'GET',
            path: ['servers', id],
            doing: `reading server ${name}`,
            answer: z.object({ server: z.object({ status: z.string() }) }),
          })
          if (server.status === 'ACTIVE') return machineOf(spec, id, name)
          if (server.status === 'ERROR') break
          await clock.sleep(Math.max(pauseMs * scale, 1), signal)
        }
        throw new MachineCloudError('Internal', `server ${id} of machine ${name} does not become active`)
      }),
    initialize: async () => {},
    remove: (request, signal) =>
      translated(async () => {
        const { spec, access } = connect(request, signal)
        for (const { id } of (await serversOf(access, spec)).filter(({ name }) => name === request.name))
          await removed(access, 'compute', ['servers', id])
        const ports = resources('port', spec.region).filter(port => port.name === request.name)
        for (const { id } of ports) await removed(access, 'network', ['ports', id])
      }),
    list: (machineClass, secret, signal) =>
      translated(async () => {
        const { spec, access } = connect({ machineClass, secret }, signal)
        const servers = await serversOf(access, spec)
        return new Map(servers.map(({ id, name }) => [machineOf(spec, id, name).providerId, name]))
      }),
    powerOf: providerId => {
      const [, id] = /^openstack:\/\/\/[^/]*\/(.+)$/.exec(providerId) ?? []
      if (id === undefined) return undefined
      const server = resources('server').find(one => one.id === id)
      if (server === undefined || server._task === 'deleting') return 'gone'
      return server.status === 'ACTIVE' ? 'on' : 'off'
    },
  }

  async function newServer(
    access: OpenStackAccess,
    spec: MachineSpec,
    { name, secret }: MachineRequest,
  ): Promise<string> {
    const flavors = { service: 'compute', path: ['flavors', 'detail'], member: 'flavors' } as const
    const images = { service: 'image', path: ['images'], member: 'images' } as const
    const { server } = await access.call({
      service: 'compute',
      method: 'POST',
      path: ['servers'],
      doing: `creating server ${name}`,
      answer: z.object({ server: created }),
      body: {
        server: {
          name,
          flavorRef: await idNamed(access, flavors, spec.flavorName),
          imageRef: spec.imageID ?? (await idNamed(access, images, spec.imageName ?? '')),
          networks: [{ port: await portOf(access, spec, name) }],
          metadata: spec.tags,
          user_data: Buffer.from(secret.userData ?? '').toString('base64'),
          ...(spec.keyName !== undefined && { key_name: spec.keyName }),
          ...(spec.availabilityZone !== undefined && { availability_zone: spec.availabilityZone }),
        },
        ...(spec.serverGroupID !== undefined && { 'os:scheduler_hints': { group: spec.serverGroupID } }),
      },
    })
    return server.id
  }
}

const removed = async (
  access: OpenStackAccess,
  service: 'compute' | 'network',
  path: readonly string[],
): Promise<void> => {
  try {
    await access.call({ service, method: 'DELETE', path, doing: `deleting ${path.join(' ')}` })
  } catch (error) {
    if (!(error instanceof OpenStackError) || error.status !== 404) throw error
  }
}

/** Returns the failures of OpenStack as those of a driver. */
const translated = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OpenStackError)) throw error
    const isFull = error.status === 403 && /quota/i.test(error.said)
    throw new MachineCloudError(isFull ? 'ResourceExhausted' : 'Internal', error.message, { cause: error })
  }
}
