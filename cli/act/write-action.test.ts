import { expect, test } from 'vitest'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type ActionKubernetes, writeAction } from './write-action.ts'

test.each([
  ['patch', { failed: expect.stringContaining('no answer in time: it may be written') }],
  ['create', { warning: expect.stringContaining('it has no Event: ') }],
] as const)(
  'a %s without an answer in time is a result, because other objects are written',
  async (verb, result) => {
    const metadata = { namespace: 'shoot--garden--rose', name: 'rose', uid: 'u' }
    const object: KubernetesObject = { apiVersion: 'v1', kind: 'Network', metadata }
    const stop = new AbortController()
    const hang = async () => {
      stop.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
      throw stop.signal.reason
    }
    const answer = async () => object
    const kubernetes = { get: answer, list: answer, patch: answer, create: answer, [verb]: hang }
    const action = { object, text: 'reconciles at once', annotations: { a: 'b' } }
    const written = writeAction(action, {
      ...{
        kubernetes: kubernetes as unknown as ActionKubernetes,
        clock: { now: () => 0 },
        signal: stop.signal,
      },
      decideAgain: () => action,
      event: { reason: 'RetryRequested', message: 'anna has run trellis retry' },
    })
    expect(await written).toEqual(result)
  },
)
