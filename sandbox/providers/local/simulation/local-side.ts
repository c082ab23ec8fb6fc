import type { LocalConnection } from '../../../../functions/local/provider/local.ts'
import { createKubernetes } from '../../../../shared/kubernetes/kubernetes.ts'
import { hasCloud, providerOf } from '../../../seed/seed.ts'
import {
  type CloudSide,
  type CloudSideOptions,
  type ConnectProcess,
  processTransport,
  type SimulatedProcess,
} from '../../../simulation/simulation.ts'
import { localLandscape, localSeeds, localShoot } from '../demo/whole-shoot.ts'
import { type ProvidedLocal, simulateLocal } from '../simulate.ts'

export interface LocalSide extends CloudSide {
  readonly local: ProvidedLocal
}

/**
 * The provider cluster and the name server of Gardener's local setup.
 *
 * @param backupDirectory an existing directory of this run
 */
export const createLocalSide =
  (backupDirectory: string) =>
  ({ clock, random }: CloudSideOptions): LocalSide => {
    const local = simulateLocal({ clock, scale: 1, bytes: random.fork('local').bytes })
    return {
      local,
      clouds: { local },
      connections: { local: connectLocal(local) },
      functionSettings: { backupDirectory },
      serves: fn => providerOf(fn) === 'local' || !hasCloud(fn),
      seeds: localSeeds,
      landscape: localLandscape,
      shoot: localShoot,
      contents: () =>
        [
          ...local.cluster.snapshot().map(object => JSON.stringify(object)),
          ...local.nameServer.records().map(record => JSON.stringify(record)),
        ].sort(),
      close: () => local.cluster.close(),
    }
  }

const connectLocal =
  ({ cluster, connection }: ProvidedLocal): ConnectProcess =>
  (process): LocalConnection => ({
    ...connection,
    providerCluster: createKubernetes({
      transport: processTransport(process, cluster.server.transport, 'cloud'),
      clock: process.clock,
    }),
    ...(connection.nameServer && { nameServer: nameServerOf(process, connection.nameServer) }),
  })

type NameServerWays = NonNullable<LocalConnection['nameServer']>

const nameServerOf = (process: SimulatedProcess, { udp, tcp }: NameServerWays): NameServerWays => {
  const over =
    (ask: NameServerWays['udp'], protocol: string): NameServerWays['udp'] =>
    question =>
      process.exchange(
        { way: 'cloud', isWrite: protocol === 'tcp', about: `DNS over ${protocol}` },
        {
          signal: question.signal,
          act: () => ask(question),
          refuse: () => {
            throw new Error('SERVFAIL')
          },
          broken: () => Object.assign(new Error('connection reset'), { code: 'ECONNRESET' }),
        },
      )
  return { udp: over(udp, 'udp'), tcp: over(tcp, 'tcp') }
}
