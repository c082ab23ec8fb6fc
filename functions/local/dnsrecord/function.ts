import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import type { LocalConnection } from '../provider/local.ts'
import { dnsRecordActuator } from './actuator.ts'
import { createNameServerClient, overNetwork, parseNameServerAddress } from './name-server/name-server.ts'
import { dnsRecordSettings } from './settings.ts'

/** DNSRecords of type `local`: records of one zone with a name server that accepts dynamic updates. */
export const definition = defineFunction({
  name: 'local-dnsrecord',
  kind: 'DNSRecord',
  type: 'local',
  classes: ['shoot', 'seed', 'garden'],
  ignoresSecret: true,
  settings: dnsRecordSettings,
  service: {
    reaches: ['public-networks', 'private-networks'],
    maxScale: { value: 2, why: 'One name server answers all requests: more processes would not be faster.' },
  },
  create: ({ nameServer, zone }, { clock, connection }: FunctionDeps<LocalConnection>) => {
    const address = parseNameServerAddress(nameServer)
    const transport = connection?.nameServer ?? (address && overNetwork(address))
    // The settings schema has refused invalid addresses.
    if (transport === undefined) throw new TypeError(`invalid address of a name server: ${nameServer}`)
    return dnsRecordActuator({ nameServer: createNameServerClient({ transport, zone, clock }), zone })
  },
})
