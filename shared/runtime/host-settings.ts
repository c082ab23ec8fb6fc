import * as z from 'zod'
import { defaultStepLimits, longestStepLimits } from '../lifecycle/lifecycle.ts'
import { logLevels } from '../log/log.ts'
import { everyAddress } from './listen.ts'

/** The settings common to all function processes. `processSettingsOf` adds the function's own. */
export const hostSettings = {
  port: z.coerce.number().int().min(0).max(65_535).default(8080).meta({
    description: 'Port for events; 0 lets the system choose.',
    env: 'PORT',
  }),
  address: z
    .string()
    .min(1)
    .default(everyAddress)
    .meta({ description: 'Address to listen on. `::`: all addresses of IPv6 and IPv4.' }),
  maxConcurrency: z.coerce.number().int().min(0).default(0).meta({
    description: 'Maximum number of events in progress; others get 503. 0: no limit.',
  }),
  drainMs: z.coerce.number().int().min(0).default(25_000).meta({
    description: 'Time limit for events in progress at shutdown; then they are released.',
  }),
  stepLimitMs: z.coerce
    .number()
    .int()
    .min(100)
    .max(longestStepLimits.stepMs)
    .default(defaultStepLimits.stepMs)
    .meta({ description: 'Time limit of a step; then it is stopped and retried.' }),
  stepMarginMs: z.coerce
    .number()
    .int()
    .min(100)
    .max(longestStepLimits.marginMs)
    .default(defaultStepLimits.marginMs)
    .meta({ description: 'Additional time for writing the outcome; then another step may take over.' }),
  reportTo: z
    .url({ protocol: /^http$/, error: 'expected an http URL' })
    .optional()
    .meta({
      description:
        'URL of the bridge for metrics and steps: http://bridge.trellis:8080/reports. Without it, metrics are lost when the process exits.',
    }),
  reportToken: z.string().min(1).optional().meta({
    description: 'Proves reports of a process that the bridge started. Default: the token of the pod.',
    secret: true,
  }),
  reportSteps: z.enum(['bridge', 'log', 'off']).optional().meta({
    description:
      'Where to report each step with its calls: to the `bridge`, as a `log` line, or `off`. Default: bridge if it receives metrics.',
  }),
  otlpEndpoint: z
    .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
    .optional()
    .meta({
      description:
        'URL of an OpenTelemetry receiver (OTLP/HTTP, without /v1/traces) that gets each step with its calls as spans.',
      env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    }),
  logLevel: z.enum(logLevels).default('info').meta({ description: 'Minimum level of log lines.' }),
} as const

const schema = z.object(hostSettings)
export type HostSettings = Readonly<z.output<typeof schema>>
