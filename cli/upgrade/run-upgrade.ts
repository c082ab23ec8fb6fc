import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { UnknownStateError, UsageError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { print, printError } from '../../shared/terminal/print.ts'
import { createHttpSender } from '../../terraform-free-infra/cloud/http-sender.ts'
import { encoded, wrapped } from '../commands/observe-output.ts'
import { isText, type OutputFormat } from '../commands/output-format.ts'
import { findShoot } from '../observe/observe.ts'
import { accessOf, withCluster } from '../open-cluster.ts'
import { plannedKindOrThrow } from '../plan/planned-kinds.ts'
import { preferSmallHeap, progressLine } from '../survey/survey.ts'
import { openVersion, type PlanningVersion } from './both-versions.ts'
import { createCloudCalls } from './cloud-calls.ts'
import { compareVersions } from './compare-versions.ts'
import { digestOf, findVersion, ownVersion } from './other-version.ts'
import { noProgress, openProgress } from './progress-file.ts'
import { reportJson, reportText } from './report.ts'

/** The flags of `trellis upgrade`. */
export interface UpgradeOptions {
  readonly to: string
  readonly from?: string
  readonly shoots?: readonly string[]
  readonly kinds?: readonly string[]
  readonly kubeconfig?: string
  readonly context?: string
  readonly endpoint?: string
  readonly callsPerSecond?: number
  readonly resume?: string
  readonly output: OutputFormat
}

/** Runs `trellis upgrade`, and returns its exit code. Throws if there is no report. */
export const runUpgrade = async (options: UpgradeOptions): Promise<0 | 1 | 2> => {
  if (options.endpoint !== undefined && !/^https?:\/\//.test(options.endpoint))
    throw new UsageError('--endpoint: expected a URL such as http://127.0.0.1:4566')
  preferSmallHeap()
  const ending = new AbortController()
  const interrupt = () => ending.abort(new UnknownStateError(interruptedText(options)))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt)
  const closing: (() => void)[] = []
  try {
    const found = [options.from === undefined ? ownVersion() : await findVersion(options.from, '--from')]
    closing.push(...found.map(({ remove }) => remove))
    const to = await findVersion(options.to)
    closing.push(to.remove)
    const open = async (index: 0 | 1) => {
      const version = await openVersion(index === 0 ? (found[0] ?? to) : to, {
        flag: index === 0 ? '--from' : '--to',
        clouds: options.endpoint === undefined ? {} : { endpoint: options.endpoint },
        env: process.env,
        clock: systemClock,
        signal: ending.signal,
        onOutput: printError,
      })
      closing.push(version.close)
      return version
    }
    const versions = [await open(0), await open(1)] as const
    return await withCluster(options, ({ kubernetes }) =>
      report(options, versions, () => [found[0] ?? to, to].map(digestOf), kubernetes, ending.signal),
    )
  } finally {
    for (const close of closing) close()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  }
}

const report = async (
  options: UpgradeOptions,
  versions: readonly [PlanningVersion, PlanningVersion],
  codes: () => readonly string[],
  kubernetes: Kubernetes,
  signal: AbortSignal,
): Promise<0 | 1 | 2> => {
  const [from, to] = versions
  const shoots =
    options.shoots && (await Promise.all(options.shoots.map(name => findShoot(name, kubernetes, signal))))
  const planned = await to.planned()
  const kinds = options.kinds?.map(name => plannedKindOrThrow(name, planned, '--kinds'))
  const { server } = await accessOf(options)
  const head = { from: from.title, to: to.title, code: options.resume && codes(), server, shoots, kinds }
  const calls = createCloudCalls({
    providers: await findProviders(),
    send: createHttpSender(),
    ...(options.endpoint !== undefined && { endpoint: options.endpoint }),
    clock: systemClock,
    ...(options.callsPerSecond !== undefined && { perSecond: options.callsPerSecond }),
  })
  const line = progressLine(process.stderr, systemClock, calls.count)
  try {
    const comparison = await compareVersions({
      ...{ kubernetes, versions, calls, signal, env: process.env, clock: systemClock },
      progress: options.resume === undefined ? noProgress : openProgress(options.resume, head),
      ...(shoots && { shoots }),
      ...(kinds && { kinds }),
      onProgress: line.show,
    })
    line.clear()
    const result = { from: from.title, to: to.title, comparison }
    print(
      isText(options.output)
        ? wrapped(reportText(result), options.output)
        : encoded(reportJson(result), options.output),
    )
    const { objects, unread } = comparison
    if (unread.length > 0 || objects.some(({ unknown }) => unknown !== undefined)) return 2
    return objects.some(({ differences = [] }) => differences.length > 0) ? 1 : 0
  } finally {
    line.clear()
  }
}

const interruptedText = ({ resume }: UpgradeOptions): string =>
  resume === undefined
    ? 'interrupted. With --resume FILE, the next run continues where this one ended'
    : `interrupted. To continue, run it again with --resume ${resume}`
