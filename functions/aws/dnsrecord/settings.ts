import * as z from 'zod'

const removed = () =>
  z
    .undefined()
    .optional()
    .meta({ description: 'the rate of Route 53 calls adapts to the limit of the account', removed: true })

/** Settings of earlier versions. There are no others. */
export const dnsRecordSettings = z.object({
  clientQps: removed(),
  clientBurst: removed(),
  waitTimeoutMs: removed(),
})
