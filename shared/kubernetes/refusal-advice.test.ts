import { expect, test } from 'vitest'
import { ConnectionError, KubernetesError } from './port.ts'
import { refusalAdvice } from './refusal-advice.ts'

const forbidden = new KubernetesError(
  403,
  'Forbidden',
  'secrets "a" is forbidden: User "system:serviceaccount:trellis:aws-dnsrecord" cannot get resource "secrets" in API group "" in the namespace "b"',
)
const unknown = new KubernetesError(401, 'Unauthorized', 'Unauthorized')
const round = new Error('round')
round.cause = round

test.each<[what: string, error: unknown, advice: RegExp | undefined]>([
  ['a token that is over', unknown, /restart the pod/],
  ['a right that is missing', forbidden, /apply the ClusterRole .*trellis doctor/],
  ['one in the way of something else', new Error('reading the Secret', { cause: forbidden }), /ClusterRole/],
  ['an object that admission refuses', new KubernetesError(403, 'Forbidden', 'exceeded quota'), undefined],
  ['a conflict', new KubernetesError(409, 'Conflict', 'the object has been modified'), undefined],
  ['no answer', new ConnectionError('GET /', { cause: undefined, sent: false }), undefined],
  ['an error that is its own cause', round, undefined],
])('the advice for %s', (_, error, advice) => {
  if (advice === undefined) expect(refusalAdvice(error)).toBeUndefined()
  else expect(refusalAdvice(error)).toMatch(advice)
})
