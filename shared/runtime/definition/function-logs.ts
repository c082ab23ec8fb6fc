import * as z from 'zod'

/**
 * The formats of log lines. `klog`: Kubernetes' own, such as `I0102 15:04:05.000000 1 main.go:7] text`. `json`: an
 * object per line with `level`, `ts` (RFC 3339), `logger` and `msg`, as zap writes it.
 */
export const logFormats = ['klog', 'json'] as const

const nameStart = () =>
  z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,251}[a-z0-9])?$/, 'expected a name, or the beginning of one')

/** The log lines of components in the seed. Created on demand, because no start of a function needs it. */
export const functionLogsSchema = () =>
  z.array(
    z.strictObject({
      /** The beginning of the names of the pods: `cloud-controller-manager`. */
      pod: nameStart(),
      /** The beginning of the names of the containers: `aws-csi` for `aws-csi-driver` and others. */
      container: nameStart(),
      format: z.enum(logFormats, `expected one of ${logFormats.join(', ')}`),
    }),
    'expected a list',
  )

/** The log lines of a component that a function creates in the seed. fluent-bit splits them into fields. */
export type FunctionLogs = Readonly<z.input<ReturnType<typeof functionLogsSchema>>[number]>
