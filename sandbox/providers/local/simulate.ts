import { randomUUID } from 'node:crypto'
import { inMemory } from '../../../functions/local/dnsrecord/name-server/name-server.ts'
import type { LocalConnection } from '../../../functions/local/provider/local.ts'
import type { CloudFault, ProvidedCloud, SimulateSettings } from '../provider.ts'
import { createProviderCluster, type ProviderCluster, podMachines } from './cluster/provider-cluster.ts'
import { giveNamespaceOf } from './give-namespace-of.ts'
import { messageCallOf } from './message-call.ts'
import { createNameServer, type NameServer } from './name-server/name-server.ts'
import type { LocalState } from './parse-state.ts'

/** The zone of Gardener's local setup. */
const zone = 'local.gardener.cloud'

/** A simulated provider cluster with its name server, for the command line. */
export interface ProvidedLocal extends ProvidedCloud {
  readonly connection: LocalConnection
  readonly cluster: ProviderCluster
  readonly nameServer: NameServer
}

export const simulateLocal = ({ clock, scale, bytes, state }: SimulateSettings): ProvidedLocal => {
  // From `parseState`.
  const given = state as LocalState | undefined
  const newUid = bytes && (() => uidOf(bytes(16)))
  const cluster = createProviderCluster({
    clock,
    // In a replay the clock stands still while a step works. Results that depend on real time would differ between
    // runs.
    scale: scale ?? 0,
    ...(newUid && { newUid }),
  })
  cluster.restore(given?.objects ?? [])
  const nameServer = createNameServer({ zone })
  nameServer.set(...(given?.records ?? []))
  let calls = 0
  cluster.onCall(() => calls++)
  nameServer.onCall(() => calls++)
  return {
    cluster,
    nameServer,
    connection: {
      providerCluster: cluster.kubernetes,
      nameServer: inMemory((message, over) => nameServer.answer(message, over)),
    },
    machines: () => podMachines(cluster),
    listen: async ({ port }) => {
      const listener = await cluster.server.listen({ port })
      return {
        url: listener.url,
        close: async () => {
          cluster.close()
          await listener.close()
        },
      }
    },
    // A Secret's kubeconfig contains the address.
    environment: () => ({}),
    onCall: listener => {
      const ends = [cluster.onCall(listener), nameServer.onCall(call => listener(messageCallOf(call)))]
      return () => {
        for (const end of ends) end()
      }
    },
    prepare: (object, _, shoot) => {
      // A given account is not changed.
      if (given === undefined) giveNamespaceOf(cluster, object, shoot, newUid ?? randomUUID)
    },
    snapshot: () => ({ objects: cluster.snapshot(), records: nameServer.records() }),
    callCount: () => calls,
    fault: random => faultOf({ cluster, nameServer }, random),
  }
}

const faultOf = (
  { cluster, nameServer }: Pick<ProvidedLocal, 'cluster' | 'nameServer'>,
  random: () => number,
): CloudFault => {
  const faults: readonly CloudFault[] = [
    {
      text: 'the next request to the provider cluster gets 503',
      order: () =>
        cluster.server.faults.add({ effect: { kind: 'answer', code: 503, reason: 'ServiceUnavailable' } }),
    },
    {
      text: 'the connection of the next request to the provider cluster breaks after the request succeeded',
      order: () => cluster.server.faults.add({ effect: { kind: 'disconnect', acted: true } }),
    },
    {
      text: 'the name server refuses the next update',
      order: () => nameServer.faults.add({ fault: { kind: 'refuse', rcode: 'SERVFAIL' }, opcode: 'UPDATE' }),
    },
    {
      text: 'the next answer of the name server is lost',
      order: () => nameServer.faults.add({ fault: { kind: 'drop-answer' } }),
    },
  ]
  const [first] = faults
  const chosen = faults[Math.floor(random() * faults.length)] ?? first
  if (chosen === undefined) throw new TypeError('there are no faults')
  return chosen
}

/** A UUID of version 4. */
const uidOf = (bytes: Uint8Array): string => {
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
