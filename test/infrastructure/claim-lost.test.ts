import { describe, expect, test } from 'vitest'
import { namespace } from '../../functions/aws/infrastructure/testing/objects.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { formatStepAnnotation } from '../../shared/contract/step-annotation.ts'
import { type Kubernetes, KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import { functionSeed } from './function-seed.ts'

const { resource } = kinds.Infrastructure
const key = { name: 'bar', namespace }
const isWrite = (call: string) => !/^(?:Describe|Get|List)/.test(call)

const othersClaim = formatStepAnnotation({
  phase: 'claimed',
  operation: 'reconcile',
  attempt: 0,
  until: '2026-11-21T00:01:10.000Z',
  event: 'another',
  request: '',
  generation: 1,
  was: '',
})

/** Changes that others make to the object while the step calls the cloud. */
const interferences: Readonly<Record<string, (kubernetes: Kubernetes) => Promise<unknown>>> = {
  'another step has claimed the object': kubernetes =>
    kubernetes.patch(resource, key, { metadata: { annotations: { [annotations.step]: othersClaim } } }),
  'its claim was taken away': kubernetes =>
    kubernetes.patch(resource, key, { metadata: { annotations: { [annotations.step]: null } } }),
  'the object was deleted': async kubernetes => {
    const annotated = { [annotations.deletionConfirmation]: 'true' }
    await kubernetes.patch(resource, key, { metadata: { finalizers: null, annotations: annotated } })
    await kubernetes.delete(resource, key)
  },
}

/** Runs a first step in which another change happens during mutating call number `at`. Calls are concurrent then. */
const interfered = async (name: string, at: number) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock })
  let happened = false
  let shown = false
  let writes = 0
  const late: string[] = []
  const seed = await functionSeed({
    clock,
    aws: {
      ...aws,
      requestHandler: {
        ...aws.requestHandler,
        handle: async (request, options) => {
          const before = aws.calls.all().length
          const wasShown = shown
          const answer = await aws.requestHandler.handle(request, options)
          const write = aws.calls
            .all()
            .slice(before)
            .map(({ action }) => action)
            .find(isWrite)
          if (write === undefined) return answer
          if (wasShown) late.push(write)
          if (++writes === at) {
            await interferences[name]?.(seed.kubernetes)
            happened = true
          }
          return answer
        },
      },
    },
  })
  // The step knows once it has read the object again, or an update returned 404.
  seed.interfereWith({
    after: ({ verb }) => {
      if (happened && verb === 'get') shown = true
    },
    failed: ({ verb }, error) => {
      if (verb === 'patch' && error instanceof KubernetesError && error.status === 404) shown = true
    },
  })
  await seed.create()
  const outcome = await seed.next()
  return { outcome, late, shown, writes }
}

describe.each(Object.keys(interferences))('a step with calls in flight, when %s', name => {
  test.each([1, 3, 6, 9])('changes nothing more in the cloud once it knows (write %i)', async at => {
    const { outcome, late, shown, writes } = await interfered(name, at)
    expect(writes).toBeGreaterThanOrEqual(at)
    expect(shown).toBe(true)
    expect(late).toEqual([])
    expect(outcome).toEqual({ kind: 'recorded', how: 'superseded' })
  })
})
