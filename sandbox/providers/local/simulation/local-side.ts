import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalConnection } from '../../../../functions/local/provider/local.ts'
import { createKubernetes } from '../../../../shared/kubernetes/kubernetes.ts'
import type { EtcdBackup } from '../../../kubernetes/kubernetes.ts'
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
import { localContents } from './local-contents.ts'

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
      contents: () => [
        ...localContents(local),
        ...filesOf(backupDirectory).map(([path, value = 'folder']) => ({
          place: `file ${path}`,
          value,
          isUnordered: true,
        })),
      ],
      backUp: (): LocalBackup => ({
        cluster: local.cluster.server.backUp(),
        records: local.nameServer.records(),
        files: filesOf(backupDirectory),
      }),
      restore: backup => {
        const { cluster, records, files } = backup as LocalBackup
        local.cluster.server.restore(cluster)
        local.nameServer.clear()
        local.nameServer.set(...records)
        rmSync(backupDirectory, { recursive: true, force: true })
        mkdirSync(backupDirectory)
        for (const [path, content] of files) {
          if (content === undefined) mkdirSync(join(backupDirectory, path))
          else writeFileSync(join(backupDirectory, path), content)
        }
      },
      close: () => local.cluster.close(),
    }
  }

interface LocalBackup {
  readonly cluster: EtcdBackup
  readonly records: ReturnType<ProvidedLocal['nameServer']['records']>
  /** By path, folders first. Undefined: a folder. */
  readonly files: readonly (readonly [path: string, content: string | undefined])[]
}

const filesOf = (directory: string): LocalBackup['files'] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(path => {
      const whole = join(directory, path)
      return [path, statSync(whole).isDirectory() ? undefined : readFileSync(whole, 'utf8')] as const
    })

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
