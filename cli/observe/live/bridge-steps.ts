import type { EventEntry, StepEntry } from '../../../shared/journal/journal.ts'
import { readJournal } from '../../../shared/journal/journal.ts'
import { pods } from '../../../shared/kubernetes/core-resources.ts'
import { hasStatus, type Kubernetes, type Transport } from '../../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { urlBelow } from '../../url-below.ts'
import type { SeedView } from '../seed-view.ts'

/** The recent steps and events, as the bridges of a seed remember them. */
export interface BridgeSteps {
  readonly steps: readonly StepEntry[]
  readonly events: readonly EventEntry[]
  /** The parts that could not be read, with the reason. */
  readonly missing: readonly string[]
  /** True if the bridge may have steps which were not read. Default: false. */
  readonly unread?: boolean
}

/** The label and the port of bridges (knative). */
const bridgeLabel = 'app=bridge'
const probePort = 8080

/** Reads `/journal` of a bridge at a URL. Never throws. */
export const stepsAtUrl = async (url: string, signal: AbortSignal): Promise<BridgeSteps> => {
  try {
    const response = await fetch(urlBelow(url, '/journal'), { signal })
    if (!response.ok || response.body === null)
      return none(`steps: the bridge ${url} answered ${response.status} to /journal`)
    return await stepsIn(response.body, `the bridge ${url}`)
  } catch (error) {
    return none(`steps: the bridge ${url} could not be read: ${messageOf(error)}`)
  }
}

/**
 * Reads `/journal` of every bridge of a seed, through the API server, which needs the right to `get` the subresource
 * `pods/proxy`. Never throws.
 *
 * @param namespace of Trellis; undefined: any
 */
export const stepsOfBridges = async (
  kubernetes: Pick<Kubernetes, 'list'>,
  transport: Transport,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<BridgeSteps> => {
  try {
    const page = await kubernetes.list(pods, {
      labelSelector: bridgeLabel,
      signal,
      ...(namespace !== undefined && { namespace }),
    })
    if (page.items.length === 0)
      return absent(
        'steps: no pod of a bridge was found; --bridge URL names one, --journal FILE reads a recording',
      )
    const all = await Promise.all(
      page.items.map(({ metadata }) =>
        stepsOfPod(transport, metadata.namespace ?? '', metadata.name, signal),
      ),
    )
    return {
      steps: all.flatMap(({ steps }) => steps).toSorted(byTime),
      events: all.flatMap(({ events }) => events).toSorted(byTime),
      missing: all.flatMap(({ missing }) => missing),
      unread: all.some(({ unread }) => unread),
    }
  } catch (error) {
    return hasStatus(error, 403)
      ? none('steps: you may not list pods, so the bridge was not found; --bridge URL names it')
      : none(`steps: the pods of the bridge could not be listed: ${messageOf(error)}`)
  }
}

const byTime = (one: { readonly at: string }, other: { readonly at: string }): number =>
  Date.parse(one.at) - Date.parse(other.at)

const stepsOfPod = async (
  transport: Transport,
  namespace: string,
  pod: string,
  signal: AbortSignal,
): Promise<BridgeSteps> => {
  const name = `pod ${namespace}/${pod}`
  try {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}:${probePort}/proxy/journal`
    const { status, body } = await transport({ method: 'GET', path, headers: { accept: '*/*' }, signal })
    if (status === 403) return none(`steps: you may not get pods/proxy in the namespace ${namespace}`)
    if (status === 404) return none(`steps: the bridge in the ${name} has no /journal; it may be older`)
    if (status !== 200) return none(`steps: the bridge in the ${name} answered ${status}`)
    return await stepsIn(body, `the bridge in the ${name}`)
  } catch (error) {
    return none(`steps: the bridge in the ${name} could not be read: ${messageOf(error)}`)
  }
}

const absent = (missing: string): BridgeSteps => ({ steps: [], events: [], missing: [missing] })
const none = (missing: string): BridgeSteps => ({ ...absent(missing), unread: true })

const stepsIn = async (body: AsyncIterable<Uint8Array>, where: string): Promise<BridgeSteps> => {
  const { entries, problems } = await readJournal(body)
  return {
    steps: entries.filter(entry => entry.type === 'step'),
    events: entries.filter(entry => entry.type === 'event'),
    missing: [
      ...entries.flatMap(entry => (entry.type === 'gap' ? [entry.why] : [])),
      ...problems.map(problem => `steps of ${where}: ${problem}`),
    ],
    unread: problems.length > 0,
  }
}

/** Adds the steps and events of bridges to a view of the present. */
export const withSteps = (view: SeedView, { steps, events, missing, unread }: BridgeSteps): SeedView => ({
  ...view,
  steps,
  events,
  missing: [...view.missing, ...missing],
  unread: [...(view.unread ?? []), ...(unread ? ['steps'] : [])],
})
