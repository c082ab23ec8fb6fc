import * as z from 'zod'
import type { Clock } from '../../../../../../shared/clock/clock.ts'
import type { DNSRecord } from '../../../../../../shared/contract/schemas/dns-record.ts'
import { done } from '../../../../../../shared/lifecycle/actuator.ts'
import { extensionFunction } from '../../../../../../shared/runtime/extension-function.ts'
import { hostSettings } from '../../../../../../shared/runtime/host-settings.ts'
import type { ToyConnection } from '../toy-cloud.ts'

export const name = 'toy-dnsrecord'

export const settings = z.object(hostSettings)

/** DNSRecords of type `toy`. */
export const create = (
  _: object,
  { connection }: { readonly clock: Clock; readonly connection: ToyConnection },
) =>
  extensionFunction<DNSRecord>({
    kind: 'DNSRecord',
    type: 'toy',
    reconcile: async ({ object: { spec } }) => {
      if (String(await connection('get', spec.name)) !== String(spec.values))
        await connection('put', spec.name, spec.values)
      return done()
    },
    remove: async ({ object: { spec } }) => {
      await connection('put', spec.name)
      return done()
    },
  })
