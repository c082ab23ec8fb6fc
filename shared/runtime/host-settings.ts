import * as z from 'zod'
import { defaultStepLimits, longestStepLimits } from '../lifecycle/lifecycle.ts'
import { logLevels } from '../log/log.ts'

/** The settings common to all function processes. `processSettingsOf` adds the function's own. */
export const hostSettings = {
  port: z.coerce.number().int().min(0).max(65_535).default(8080).meta({
    description: 'Port that takes events; 0 lets the system choose.',
    env: 'PORT',
  }),
  host: z.string().min(1).default('0.0.0.0').meta({ description: 'Address to listen on.' }),
  maxConcurrency: z.coerce.number().int().min(0).default(0).meta({
    description: 'Most events handled at the same time; more are answered 503. 0: no bound of its own.',
  }),
  bodyTimeoutMs: z.coerce.number().int().min(1).default(10_000).meta({
    description: 'Time in ms for an event to arrive whole.',
  }),
  drainMs: z.coerce.number().int().min(0).default(25_000).meta({
    description: 'Time in ms that events in flight get to finish at shutdown, before they are handed back.',
  }),
  stepLimitMs: z.coerce
    .number()
    .int()
    .min(100)
    .max(longestStepLimits.stepMs)
    .default(defaultStepLimits.stepMs)
    .meta({
      description: 'Time in ms that one step gets; then it is stopped and tried again.',
    }),
  stepMarginMs: z.coerce
    .number()
    .int()
    .min(100)
    .max(longestStepLimits.marginMs)
    .default(defaultStepLimits.marginMs)
    .meta({
      description: 'Time in ms after that for writing the outcome down; then another step may take over.',
    }),
  reportTo: z
    .url({ protocol: /^http$/, error: 'expected an http URL' })
    .optional()
    .meta({
      description:
        'Where it reports its metrics, the bridge: http://bridge.trellis:8080/reports. Without it they are gone with the process.',
    }),
  logLevel: z.enum(logLevels).default('info').meta({ description: 'Least level that is logged.' }),
} as const

const schema = z.object(hostSettings)
export type HostSettings = Readonly<z.output<typeof schema>>
