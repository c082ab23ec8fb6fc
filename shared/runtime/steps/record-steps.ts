import { AsyncLocalStorage } from 'node:async_hooks'
import { type Clock, formatMilliseconds } from '../../clock/clock.ts'
import { isCertainlyWithin } from '../../decode/json-bounds.ts'
import { recordOf } from '../../decode/record-of.ts'
import type { ExtensionEvent } from '../../events/events.ts'
import { type Call, objectIdOf, type StepReport, searchSecrets } from '../../journal/journal.ts'
import type { Kubernetes, KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { StepOutcome } from '../../lifecycle/lifecycle.ts'
import { cutText } from '../../text/cut-text.ts'
import type { CloudRequest } from '../definition/definition.ts'
import { callArgs, mostOfArgs } from './call-args.ts'
import { observedKubernetes } from './observed-kubernetes.ts'
import { mostOfReport, type OpenStep, openStep } from './open-step.ts'

/** Receives the report of each step, and its event. Its errors are ignored. */
export type OnStep = (report: StepReport, event: ExtensionEvent) => void

/** Records the calls of the steps of a function. Steps at the same time do not mix. */
export interface StepRecorder {
  /** Returns a port that records the calls of steps. */
  readonly kubernetes: (kubernetes: Kubernetes) => Kubernetes
  /** Records a request to a cloud as a call of the step that is running here. */
  readonly request: (request: CloudRequest) => void
  /** Runs a step and reports it. Neither waits for the report nor fails with it. */
  readonly run: (
    event: ExtensionEvent,
    work: (onFailure: (why: string) => void) => Promise<StepOutcome>,
  ) => Promise<StepOutcome>
}

/**
 * Clients of clouds live as long as the process, so a call finds its step by the asynchronous context that it runs in.
 * A call that several steps share belongs to the step that started it.
 */
export const recordSteps = (name: string, clock: Pick<Clock, 'now'>, onStep: OnStep): StepRecorder => {
  const steps = new AsyncLocalStorage<OpenStep>()

  const reportOf = (
    event: ExtensionEvent,
    step: OpenStep,
    outcome: StepOutcome,
    failure: string | undefined,
  ): StepReport => {
    const { calls, lost, secrets } = step.end()
    const { traceparent } = event
    const reason = outcome.kind === 'unrecorded' ? outcome.reason : failure
    return withoutSecrets(
      {
        event: event.id,
        ...(traceparent !== undefined && { traceparent }),
        function: name,
        object: objectIdOf(event),
        operation: event.operation,
        began: formatMilliseconds(step.began),
        ms: clock.now() - step.began,
        outcome: outcome.kind === 'recorded' ? outcome.how : outcome.kind,
        ...(reason !== undefined && { reason }),
        calls,
        ...(lost > 0 && { lost }),
      },
      secrets,
    )
  }

  return {
    kubernetes: kubernetes =>
      observedKubernetes(kubernetes, {
        now: clock.now,
        current: () => {
          const step = steps.getStore()
          return step && ((call, began) => step.add({ ...call, after: began - step.began }))
        },
        note: secret => steps.getStore()?.note(secret),
      }),
    request: request => {
      const step = steps.getStore()
      step?.add(callOf(request, clock.now() - step.began))
    },
    run: async (event, work) => {
      const step = openStep(clock.now())
      let failure: string | undefined
      const outcome = await steps.run(step, () =>
        work(why => {
          failure = why
        }),
      )
      try {
        onStep(reportOf(event, step, outcome, failure), event)
      } catch {
        // The step has its outcome. Its report is only for observers.
      }
      return outcome
    },
  }
}

const callOf = (request: CloudRequest, endedAfter: number): Call => {
  const { service, operation, status, durationMs, requestId, error, write } = request
  // Most calls are reads that succeed. Their arguments explain nothing and cost time.
  const args = write === false && error === undefined ? undefined : callArgs(request.args)
  return {
    to: 'cloud',
    name: cutText(`${service} ${operation}`, 100),
    ...(args !== undefined && { args }),
    after: Math.max(0, Math.round(endedAfter - durationMs)),
    ms: Math.round(durationMs * 10) / 10,
    status: cutText(status, 20),
    ...(error !== undefined && { error: cutText(error, 100) }),
    ...(requestId !== undefined && { requestId: cutText(requestId, 100) }),
    ...(write !== undefined && { write }),
  }
}

const mostOfReason = 1_000

/** Removes the values of the step's Secrets, then cuts texts to their limits. */
const withoutSecrets = (report: StepReport, secrets: readonly KubernetesObject[]): StepReport => {
  const texts = [report.reason, ...report.calls.flatMap(textsOf)].filter(text => text !== undefined)
  if (texts.length === 0) return report
  const search = searchSecrets(secrets.flatMap(valuesOf))
  const { reason, calls, ...rest } = texts.some(search.isIn) ? search.redact(report) : report
  return withinLimit({
    ...rest,
    ...(reason !== undefined && { reason: cutText(reason, mostOfReason) }),
    calls: calls.map(call =>
      call.args === undefined ? call : { ...call, args: cutText(call.args, mostOfArgs) },
    ),
  })
}

/** The texts of a call that can contain values of Secrets. Authors of providers write them. */
const textsOf = ({ to, name, args, error, requestId }: Call) =>
  to === 'cloud' ? [name, args, error, requestId] : []

/** Texts with many escapes may be longer as JSON than their estimate. Then no call has arguments. */
const withinLimit = (report: StepReport): StepReport =>
  isCertainlyWithin(report, mostOfReport) || JSON.stringify(report).length <= mostOfReport
    ? report
    : { ...report, calls: report.calls.map(({ args: _, ...call }) => call) }

/** Returns the decoded values of a Secret. A value that is not base64 is as it was written. */
const valuesOf = ({ data, stringData }: KubernetesObject): readonly string[] => [
  ...Object.values(recordOf(data)).map(value => Buffer.from(String(value), 'base64').toString('utf8')),
  ...Object.values(recordOf(stringData)).map(String),
]
