import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { answerOf } from '../../answer-of.ts'
import { type ServerProcess, startServerProcess } from '../../server-process.ts'
import { type CloudPlace, type CloudPorts, configPath, pastePath } from './configurations.ts'

/** The environment of every command: our modules beside the installed ones. */
export const pythonEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  PYTHONPATH: join(import.meta.dirname, '..', 'python'),
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONWARNINGS: 'ignore',
}

/** A server of the cloud. `nova` runs without a hypervisor, `servers` with one. */
export type CloudServer =
  | 'keystone'
  | 'placement'
  | 'glance'
  | 'neutron'
  | 'nova'
  | 'servers'
  | 'designate'
  | 'swift'
  | 'octavia'

interface ServerCommand {
  readonly port: keyof CloudPorts
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

const module = (name: string, ...args: readonly (string | number)[]) => [
  '-m',
  `trellis_openstack.${name}`,
  ...args.map(String),
]

const commandsOf = ({ folder, ports, etc }: CloudPlace, server: CloudServer): readonly ServerCommand[] => {
  const conf = configPath(folder, '')
  const config = (name: string) => configPath(folder, `${name}.conf`)
  const nova = (compute: 'yes' | 'no'): ServerCommand => ({
    port: 'nova',
    args: module('nova', ports.nova, config('nova'), pastePath(etc, 'nova'), compute),
  })
  const wsgi = (port: keyof CloudPorts, application: string, env: NodeJS.ProcessEnv): ServerCommand => ({
    port,
    args: module('wsgi', `${application}.wsgi.api:application`, ports[port]),
    env,
  })
  switch (server) {
    case 'keystone':
      return [wsgi('keystone', 'keystone', { OS_KEYSTONE_CONFIG_FILES: config('keystone') })]
    case 'placement':
      return [wsgi('placement', 'placement', { OS_PLACEMENT_CONFIG_DIR: conf })]
    case 'glance':
      return [
        wsgi('glance', 'glance', { OS_GLANCE_CONFIG_DIR: conf, OS_GLANCE_CONFIG_FILES: 'glance-api.conf' }),
      ]
    case 'neutron':
      return [
        wsgi('neutron', 'neutron', {
          OS_NEUTRON_CONFIG_DIR: conf,
          OS_NEUTRON_CONFIG_FILES: 'neutron.conf;ml2_conf.ini',
        }),
      ]
    case 'nova':
      return [nova('no')]
    case 'servers':
      return [nova('yes')]
    case 'designate':
      return [
        {
          port: 'designate',
          args: module(
            'designate',
            ports.designate,
            config('designate'),
            pastePath(etc, 'designate'),
            ports.names,
          ),
        },
      ]
    case 'octavia':
      return [{ port: 'octavia', args: module('octavia', ports.octavia, config('octavia')) }]
    case 'swift':
      return [
        ...(['account', 'container', 'object'] as const).map(kind => ({
          port: `swift-${kind}` as const,
          args: module(
            'command',
            `swift.${kind === 'object' ? 'obj' : kind}.server:main`,
            config(`swift-${kind}`),
            '-v',
          ),
        })),
        { port: 'swift', args: module('command', 'swift.proxy.server:main', config('swift-proxy'), '-v') },
      ]
  }
}

const isOpen = async (port: number): Promise<true | undefined> => {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } finally {
    socket.destroy()
  }
}

/**
 * Starts the processes of one server, and returns them at once. `opened` resolves when they listen. With `isLast`, the
 * end of the process removes the folder, also if this process is killed.
 */
export const startProcesses = (python: string, place: CloudPlace, server: CloudServer, isLast = false) => {
  const started = commandsOf(place, server).map(({ port, args, env }) => ({
    port: place.ports[port],
    name: port,
    process: startServerProcess({
      command: python,
      args,
      env: { ...pythonEnvironment, ...env },
      cwd: place.folder,
      ...(isLast && { folder: place.folder }),
    }),
  }))
  return {
    processes: started.map(({ process }): ServerProcess => process),
    opened: () =>
      Promise.all(started.map(({ name, process, port }) => answerOf(name, process, () => isOpen(port)))),
  }
}
