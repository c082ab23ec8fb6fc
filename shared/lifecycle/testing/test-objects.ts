import { parseTimestamp } from '../../clock/clock.ts'
import { annotations, apiVersion } from '../../contract/constants.ts'
import type { KindName } from '../../contract/kinds.ts'
import { formatStepAnnotation, type StepAnnotation } from '../../contract/step-annotation.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'

/** The current time of the lifecycle's tests. */
export const testNow = parseTimestamp('2026-11-21T12:00:00.500Z') ?? 0

export interface TestObject {
  readonly annotation?: string
  readonly timestamp?: string
  /** The text of the annotation that pauses the object. */
  readonly pause?: string
  readonly deletionTimestamp?: string
  readonly finalizers?: readonly string[]
  readonly generation?: number
  readonly lastOperation?: readonly [type: string, state: string, time?: string]
  readonly step?: Partial<StepAnnotation>
  readonly class?: string
  readonly status?: Readonly<Record<string, unknown>>
  readonly resourceVersion?: string
}

/** Returns an object of a kind with only these facts. */
export const testObject = (kind: KindName, input: TestObject = {}): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: {
    name: 'it',
    namespace: 'shoot--p--s',
    uid: 'uid-1',
    resourceVersion: input.resourceVersion ?? '7',
    generation: input.generation ?? 1,
    ...(input.deletionTimestamp === undefined ? {} : { deletionTimestamp: input.deletionTimestamp }),
    ...(input.finalizers === undefined ? {} : { finalizers: input.finalizers }),
    annotations: {
      ...(input.annotation === undefined ? {} : { [annotations.operation]: input.annotation }),
      ...(input.timestamp === undefined ? {} : { [annotations.timestamp]: input.timestamp }),
      ...(input.pause === undefined ? {} : { [annotations.pause]: input.pause }),
      ...(input.step === undefined ? {} : { [annotations.step]: formatStepAnnotation(testStep(input.step)) }),
    },
  },
  spec: { type: 'test', ...(input.class === undefined ? {} : { class: input.class }) },
  status: {
    ...input.status,
    ...(input.lastOperation === undefined
      ? {}
      : {
          lastOperation: {
            type: input.lastOperation[0],
            state: input.lastOperation[1],
            lastUpdateTime: input.lastOperation[2] ?? '2026-11-21T11:00:00Z',
            progress: 50,
            description: '',
          },
        }),
  },
})

const testStep = (step: Partial<StepAnnotation>): StepAnnotation => ({
  phase: 'waiting',
  operation: 'reconcile',
  attempt: 0,
  until: '2026-11-21T12:01:00.000Z',
  event: 'event-0',
  request: '',
  generation: 1,
  was: '',
  ...step,
})
