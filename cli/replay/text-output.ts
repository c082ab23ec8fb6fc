import { createColors } from 'picocolors'
import { stringify } from 'yaml'
import { yamlOptions } from '../../sandbox/plan-texts/object-diff.ts'
import type { CloudCall } from '../../sandbox/seed/seed.ts'
import { when } from '../../shared/lists/when.ts'
import { printable } from '../../shared/text/printable.ts'
import { diffLines, type Paint } from './diff-lines.ts'
import type { RecordedRequest } from './process/record-requests.ts'
import type { ReplayedEvent } from './replayed-event.ts'

/** Formats the result of one event for users. Ends with a line break. */
export const textOutputOf = (replayed: ReplayedEvent, color: boolean): string => {
  const { event, before, after, kubernetes, cloud, requests } = replayed
  const paint = createColors(color)
  const lines = [
    paint.bold(
      printable(
        `${replayed.file}: ${event.operation} ${event.kind} ${event.subject} (${event.reason}, ${event.time})`,
      ),
    ),
    `function    ${printable(replayed.function)}`,
    `outcome     ${printable(outcomeOf(replayed))}`,
    ...recordedLines(replayed),
    ...(replayed.assumed
      ? [`note        ${printable(startsWith(replayed))} the resources that the object's status lists`]
      : []),
    ...(replayed.omitted.length > 0
      ? [`note        the event arrived without ${printable(replayed.omitted.join(', '))}`]
      : []),
    `kubernetes  ${counted(kubernetes.reads, 'read')}, ${counted(kubernetes.writes.length, 'write')}`,
    ...kubernetes.writes.map(write => `  ${printable(writeOf(write, event.subject))}`),
    ...diffLines(before, after, paint),
    ...(cloud === undefined
      ? []
      : [
          `${printable(cloud.name).padEnd(10)}  ${counted(cloud.reads, 'read')}, ${counted(cloud.writes.length, 'write')}`,
          ...cloud.writes.flatMap(call => callLines(call, paint)),
        ]),
    ...(requests === undefined
      ? []
      : [`http        ${counted(requests.length, 'request')}`, ...requests.map(requestLine)]),
  ]
  return `${lines.join('\n')}\n`
}

/** The outcome in the journal. It shows whether the replay repeats it. */
const recordedLines = ({ recorded, outcome, cloud }: ReplayedEvent): readonly string[] => {
  if (recorded === undefined) return []
  const { how, error, failures } = recorded
  const codes = (error?.codes ?? []).map(code => ` (${code})`).join('')
  const isSame = outcome.kind === 'recorded' && outcome.how === how
  return [
    `recorded    ${printable(`${how}${error === undefined ? '' : `: ${error.text}${codes}`}`)}`,
    ...when(
      failures !== 0,
      `note        ${counted(failures, 'call')} of ${printable(cloud?.title ?? 'the cloud')} failed as recorded`,
    ),
    ...(isSame || how === 'unknown'
      ? []
      : ['note        the outcome differs: a journal contains neither Secrets nor resources of the cloud']),
  ]
}

/** For these kinds, the resources are objects of the API server. */
const inApiServer: Readonly<Record<string, string>> = {
  Worker: 'the API server starts with running machines and',
  ControlPlane: 'the API server starts with healthy ManagedResources and',
}

const startsWith = ({ event, cloud }: ReplayedEvent): string =>
  inApiServer[event.kind] ??
  (cloud === undefined ? 'the API server starts with' : `${cloud.title} starts with`)

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Includes the name only if it is another object than the event's. */
const writeOf = (
  { verb, resource, name, subresource }: ReplayedEvent['kubernetes']['writes'][number],
  subject: string,
): string =>
  `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}${name === subject ? '' : ` ${name}`}`

interface PrintedStatus {
  readonly lastError?: { readonly description?: string; readonly codes?: readonly string[] }
}

const outcomeOf = ({ outcome, after, gone }: ReplayedEvent): string => {
  switch (outcome.kind) {
    case 'busy':
      return `busy: another step is working on the object, retry in ${outcome.retryAfterSeconds} s`
    case 'unrecorded':
      return `not recorded: ${outcome.reason}`
    case 'recorded': {
      if (outcome.how !== 'failed') return `${outcome.how}${gone ? ', and the object is deleted' : ''}`
      const { lastError } = (after?.status ?? {}) as PrintedStatus
      const codes = (lastError?.codes ?? []).map(code => ` (${code})`).join('')
      return `failed: ${lastError?.description ?? 'no reason was recorded'}${codes}`
    }
  }
}

const requestLine = ({ method, host, path, status }: RecordedRequest): string =>
  `  ${printable(`${method} ${host}${path} → ${status ?? 'no answer'}`)}`

const callLines = (call: CloudCall, paint: Paint): readonly string[] => [
  `  ${printable(`${call.service} ${call.action}${call.about}`)}${call.error === undefined ? '' : paint.red(` → ${printable(call.error)}`)}`,
  // Sorted, because the order in which a codec reads members has no meaning.
  ...stringify(call.input, yamlOptions)
    .trimEnd()
    .split('\n')
    .map(line => `    ${printable(line)}`),
]
