import type { FunctionLogs } from '../../../shared/runtime/runtime.ts'

/** How fluent-bit splits a line of a format into fields. */
export interface LogFormat {
  /** The `spec` of a ClusterParser. */
  readonly parser: { readonly regex: object } | { readonly json: object }
  /** Rules that give fields the names that Gardener's own parsers use. */
  readonly rules: readonly { readonly rename: Readonly<Record<string, string>> }[]
}

/**
 * The header of klog: severity, month and day, time, thread, and place (kubernetes/klog, `klog.go`, header). Groups and
 * escapes are the same in Onigmo, which fluent-bit uses, and in JavaScript.
 */
const klogLine =
  '^(?<severity>[IWEF])(?<time>\\d{4} \\d{2}:\\d{2}:\\d{2}\\.\\d+)\\s+(?<pid>\\d+)\\s+(?<source>[^ \\]]+)\\] (?<log>.*)$'

const klogTime = { timeKey: 'time', timeFormat: '%m%d %H:%M:%S.%L' } as const

export const componentLogFormats: Readonly<Record<FunctionLogs['format'], LogFormat>> = {
  klog: { parser: { regex: { regex: klogLine, ...klogTime } }, rules: [] },
  json: {
    parser: { json: { timeKey: 'ts', timeFormat: '%Y-%m-%dT%H:%M:%SZ' } },
    rules: [{ rename: { level: 'severity' } }, { rename: { msg: 'log' } }, { rename: { logger: 'source' } }],
  },
}
