import { packageVersion } from '../../build/project/package-version.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { followSignal, systemClock } from '../../shared/clock/clock.ts'
import { createKubernetes, httpTransport, type Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { printable } from '../../shared/text/printable.ts'
import { reachServer } from '../doctor/reach-server.ts'
import { findShoot } from '../observe/observe.ts'
import { accessOf } from '../open-cluster.ts'
import { bridgeAt, followBridges } from './bridges/bridge-sources.ts'
import { followBridge } from './bridges/follow-bridge.ts'
import { checkedJournal } from './file/checked-journal.ts'
import { fileOutput, type JournalOutput, streamOutput } from './file/journal-output.ts'
import { recordSeed } from './record-seed.ts'
import { summaryOf } from './summary.ts'

/**
 * Returns the namespaces of shoots, given as `shoot--garden--rose`, `garden/rose` or `rose`; undefined for none: all
 * shoots. Throws a `UsageError` for a name that is unknown or ambiguous. A whole name may be of a later shoot.
 */
const chosenShoots = async (
  given: readonly string[],
  kubernetes: Pick<Kubernetes, 'list'>,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> => {
  if (given.length === 0) return undefined
  const shoots = new Set<string>()
  for (const name of given) {
    const [project, shoot, ...more] = name.split('/')
    if (more.length > 0 || !/^[a-z0-9/-]+$/.test(name))
      throw new UsageError(`${printable(name)} is not the name of a shoot, such as garden/rose`)
    shoots.add(
      shoot === undefined ? await findShoot(name, kubernetes, signal) : `shoot--${project}--${shoot}`,
    )
  }
  return [...shoots]
}

export interface RecordFlags {
  readonly output: string
  /** In ms. */
  readonly for?: number
  /** In bytes. */
  readonly maxSize: number
  readonly kubeconfig?: string
  readonly context?: string
  readonly bridge?: string
  readonly bridgeNamespace?: string
}

export interface RecordSurroundings {
  /** Ends the recording. */
  readonly signal: AbortSignal
  /** For `--output -`. */
  readonly stdout: NodeJS.WritableStream
  /** Prints a line for the user, beside the journal. */
  readonly print: (line: string) => void
}

/** Runs the command `trellis record`. Resolves after the last entry is written and the summary is printed. */
export const runRecord = async (
  given: readonly string[],
  flags: RecordFlags,
  { signal, stdout, print }: RecordSurroundings,
): Promise<void> => {
  const { bridge } = flags
  if (bridge !== undefined && !(URL.canParse(bridge) && /^https?:$/.test(new URL(bridge).protocol)))
    throw new UsageError('--bridge: expected a URL such as http://127.0.0.1:8080')
  const access = await accessOf(flags)
  const transport = httpTransport({ access })
  const ended = followSignal(signal)
  let disarm = () => {}
  let output: JournalOutput | undefined
  try {
    await reachServer({ transport: transport.send, clock: systemClock, server: access.server }, signal)
    const kubernetes = createKubernetes({ transport: transport.send, clock: systemClock })
    const shoots = await chosenShoots(given, kubernetes, signal)
    const present = flags.output === '-' ? undefined : await checkedJournal(flags.output, shoots)
    output = flags.output === '-' ? streamOutput(stdout) : await fileOutput(flags.output, present?.size)
    const length = flags.for === undefined ? 'until Ctrl-C' : `for ${flags.for / 1000} s`
    print(`recording ${shoots?.map(printable).join(', ') ?? 'all shoots'} ${length}`)
    if (flags.for !== undefined) disarm = systemClock.after(flags.for, ended.abort)
    const recorded = await recordSeed(
      {
        kubernetes,
        clock: systemClock,
        output,
        by: `trellis record ${await packageVersion()}`,
        ...(shoots && { shoots }),
        ...(present && { present }),
        mostBytes: flags.maxSize,
        tap: (recorder, isSelected, until) => {
          const options = { recorder, clock: systemClock, isSelected }
          return flags.bridge === undefined
            ? followBridges(
                { kubernetes, send: transport.send, namespace: flags.bridgeNamespace, ...options },
                until,
              )
            : followBridge(bridgeAt(flags.bridge), options, until)
        },
      },
      ended.signal,
    )
    for (const line of summaryOf(recorded, flags.output)) print(line)
  } finally {
    disarm()
    ended.release()
    await output?.close()
    transport.close()
  }
}
