import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Clock } from '../../../shared/clock/clock.ts'
import type { Transport } from '../../../shared/kubernetes/kubernetes.ts'
import {
  clusterAccess,
  createKubernetes,
  multiplexedTransport,
} from '../../../shared/kubernetes/kubernetes.ts'
import { type RecordingBridge, startRecordingBridge } from '../recording-bridge.ts'
import { type Authority, type Identity, makeAuthority } from './certificates.ts'
import { type FaultyServer, startFaultyServer } from './faulty-server.ts'

/**
 * A bridge with a faulty server between it and the API server. It knows the server from files, as from a kubeconfig.
 */
export interface BridgeBehindFaults {
  readonly server: FaultyServer
  readonly bridge: RecordingBridge
  readonly clock: Clock
  readonly files: {
    readonly token: (text: string) => Promise<void>
    readonly client: (identity: Identity) => Promise<void>
    readonly ca: (text: string) => Promise<void>
  }
  /** The authorities that signed the initial certificates. */
  readonly servers: Authority
  readonly clients: Authority
  close(): Promise<void>
}

export const startBehindFaults = async (options: {
  readonly behind: Transport
  readonly protocol: 'h2' | 'http/1.1'
  readonly clock: Clock
}): Promise<BridgeBehindFaults> => {
  const { behind, protocol, clock } = options
  const [servers, clients] = await Promise.all([makeAuthority(), makeAuthority()])
  const server = await startFaultyServer({
    behind,
    protocol,
    identity: await servers.serving(),
    clientCa: clients.ca,
    token: 'first',
  })
  const folder = await mkdtemp(join(tmpdir(), 'trellis-faults-'))
  const write = (name: string) => (text: string) => writeFile(join(folder, name), text)
  const files = {
    token: write('token'),
    ca: write('ca.crt'),
    client: async ({ cert, key }: Identity) => {
      await Promise.all([write('client.crt')(cert), write('client.key')(key)])
    },
  }
  await files.token('first\n')
  await files.ca(servers.ca)
  await files.client(await clients.client())
  await write('kubeconfig')(
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'a', cluster: { server: server.url, 'certificate-authority': 'ca.crt' } }],
      users: [
        {
          name: 'a',
          user: { tokenFile: 'token', 'client-certificate': 'client.crt', 'client-key': 'client.key' },
        },
      ],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      'current-context': 'a',
    }),
  )
  const access = await clusterAccess({ clock, file: join(folder, 'kubeconfig') })
  const transport = multiplexedTransport({ access, clock })
  const bridge = startRecordingBridge(createKubernetes({ transport: transport.send, clock }), clock)
  return {
    server,
    bridge,
    clock,
    files,
    servers,
    clients,
    close: async () => {
      await bridge.stop()
      transport.close()
      server.close()
      await rm(folder, { recursive: true })
    },
  }
}
