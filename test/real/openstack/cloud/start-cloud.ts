import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onFreePorts } from '../../free-port.ts'
import type { OpenStackPrograms } from '../../programs/openstack-programs.ts'
import type { ServerProcess } from '../../server-process.ts'
import { type CloudPlace, portNames } from './configurations.ts'
import { adopt, madeInFile, placeIn, writeConfiguration } from './prepared-state.ts'
import { type CloudServer, startProcesses } from './processes.ts'
import { type PlainSession, type PlainUser, plain, plainLogin, whenReady } from './rest.ts'
import { admin, catalog, userCalled, type users } from './seed.ts'

/** A service that a suite needs. `key-pairs` is nova without a hypervisor. Keystone always runs. */
export type CloudService = 'network' | 'load-balancer' | 'key-pairs' | 'servers' | 'dns' | 'object-store'

const serversOf: Readonly<Record<CloudService, readonly CloudServer[]>> = {
  network: ['neutron'],
  'load-balancer': ['neutron', 'octavia'],
  'key-pairs': ['nova'],
  servers: ['placement', 'glance', 'neutron', 'servers'],
  dns: ['designate'],
  'object-store': ['swift'],
}

export interface RunningCloud {
  /** `http://127.0.0.1:41234/v3`. */
  readonly authUrl: string
  /** The base of a service's URLs, without the path of the catalog. */
  url(service: keyof typeof catalog | 'identity'): string
  login(user: PlainUser | keyof typeof users): Promise<PlainSession>
  /** The last part of what a server printed. */
  output(): string
  close(): Promise<void>
}

export interface CloudOptions {
  readonly services: readonly CloudService[]
  /** See `CloudPlace`. Default: 300. */
  readonly tokenCacheSeconds?: number
}

/** Starts servers with a copy of a prepared state, on free ports. Nothing is left after `close`. */
export const startCloud = (
  { python, state }: OpenStackPrograms,
  options: CloudOptions,
): Promise<RunningCloud> =>
  onFreePorts(portNames.length, async (...ports) => {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-openstack-'))
    try {
      await cp(state, folder, { recursive: true })
      return await startIn(python, placeIn(python, folder, ports, options.tokenCacheSeconds), options)
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  })

const startIn = async (
  python: string,
  place: CloudPlace,
  { services }: CloudOptions,
): Promise<RunningCloud> => {
  const wanted = new Set<CloudServer>(services.flatMap(service => serversOf[service]))
  if (wanted.has('servers')) wanted.delete('nova')
  const { folder, ports } = place
  const runningPorts = new Set<string>([...wanted].map(server => (server === 'servers' ? 'nova' : server)))
  const types = Object.entries(catalog).filter(([, { port }]) => runningPorts.has(port))
  await writeConfiguration(place)
  await adopt(python, place, await readFile(join(folder, madeInFile), 'utf8'), {
    identity: ports.keystone,
    ...Object.fromEntries(types.map(([type, { port }]) => [type, ports[port]])),
  })
  const processes: ServerProcess[] = []
  const close = async () => {
    await Promise.all(processes.map(process => process.stop()))
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const start = (server: CloudServer) => {
    const started = startProcesses(python, place, server, server === 'keystone')
    processes.push(...started.processes)
    return started.opened()
  }
  const cloud: RunningCloud = {
    authUrl: `http://127.0.0.1:${ports.keystone}/v3`,
    url: service => `http://127.0.0.1:${ports[service === 'identity' ? 'keystone' : catalog[service].port]}`,
    login: user => plainLogin(cloud.url('identity'), typeof user === 'string' ? userCalled(user) : user),
    output: () => processes.map(process => process.output()).join('\n'),
    close,
  }
  try {
    await start('keystone')
    await Promise.all([...wanted].map(start))
    await whenReady(() =>
      warm(
        cloud,
        types.map(([type]) => type as keyof typeof catalog),
      ),
    )
    if (wanted.has('servers')) await whenReady(() => hypervisorIsReady(cloud))
    return cloud
  } catch (error) {
    await close()
    throw error
  }
}

const firstPaths: Partial<Record<keyof typeof catalog, string>> = {
  network: '/v2.0/networks',
  compute: '/v2.1/os-keypairs',
  image: '/v2/images',
  dns: '/v2/zones',
  'load-balancer': '/v2/lbaas/loadbalancers',
}

/** The first call of a server takes seconds. */
const warm = async (cloud: RunningCloud, types: readonly (keyof typeof catalog)[]): Promise<void> => {
  const { token, projectId } = await cloud.login('gardener')
  await Promise.all(
    types.map(async type => {
      const path = type === 'object-store' ? `/v1/AUTH_${projectId}` : firstPaths[type]
      if (path !== undefined) await plain('GET', `${cloud.url(type)}${path}`, { token })
    }),
  )
}

const hypervisorIsReady = async (cloud: RunningCloud): Promise<void> => {
  const { token } = await cloud.login(admin)
  const get = async (type: 'compute' | 'placement', path: string) =>
    (await plain('GET', `${cloud.url(type)}${path}`, { token })).json
  const { services } = await get('compute', '/v2.1/os-services?binary=nova-compute')
  if (services[0]?.state !== 'up') throw new Error('nova-compute is not up')
  // Nova lists the hosts that it has mapped to a cell, which it does every two seconds. Others cannot run servers.
  if ((await get('compute', '/v2.1/os-hypervisors')).hypervisors.length === 0)
    throw new Error('the host of nova-compute is not mapped')
  const [provider] = (await get('placement', '/resource_providers')).resource_providers
  if (provider === undefined) throw new Error('no resource provider')
  const { inventories } = await get('placement', `/resource_providers/${provider.uuid}/inventories`)
  if (inventories.MEMORY_MB === undefined) throw new Error('the resource provider has no memory')
}
