import { expect, test } from 'vitest'
import { recordOf } from '../../shared/decode/record-of.ts'
import { KubernetesError, type KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { allowedActions } from './allowed-actions.ts'

const signal = new AbortController().signal

/** Answers reviews by `verb plural namespace/name`. */
const reviewer = (refused: RegExp) => {
  const asked: string[] = []
  return {
    asked,
    create: async (_: unknown, review: KubernetesObject) => {
      const attributes = recordOf(recordOf(review.spec).resourceAttributes)
      const { verb, resource, namespace = '', name = '' } = attributes
      const text = `${verb} ${resource} ${namespace}/${name}`
      asked.push(text)
      return { ...review, status: { allowed: !refused.test(text) } }
    },
  }
}

const shoot = ['Cluster a', 'Worker a/rose', 'DNSRecord a/rose', 'BackupEntry a--uid']

test.each<[string, RegExp, readonly string[], readonly string[]]>([
  ['all', /never/, shoot, ['retry', 'reconcile', 'pause', 'resume']],
  ['no pause without the right to patch the Cluster', /clusters/, shoot, ['retry', 'reconcile']],
  ['no pause without the right to patch the BackupEntry', /backupentries/, shoot, []],
  ['no retry if one kind is refused', /patch dnsrecords/, shoot, ['pause', 'resume']],
  ['all with a right to these names', /patch \w+ \w*\/$/, shoot, ['retry', 'reconcile', 'pause', 'resume']],
  ['nothing without Events', /create events default/, shoot, []],
  ['all of one object', /clusters|dnsrecords/, ['Worker a/rose'], ['retry', 'reconcile', 'pause', 'resume']],
  ['nothing of a machine', /never/, ['Machine a/rose'], []],
  ['nothing of no object', /never/, ['nonsense'], []],
])('of a user are %s', async (_, refused, ids, expected) => {
  expect(await allowedActions(reviewer(refused), ids, signal)).toEqual(expected)
})

test('a right to all objects of a kind is asked once', async () => {
  const api = reviewer(/never/)
  await allowedActions(api, [...shoot, 'Worker a/lily'], signal)
  expect(api.asked.toSorted()).toEqual([
    'create events a/',
    'create events default/',
    'patch backupentries /',
    'patch clusters /',
    'patch dnsrecords a/',
    'patch workers a/',
  ])
})

test('without an answer of the API server, nothing is allowed', async () => {
  const create = async () => {
    throw new KubernetesError(403, 'Forbidden', 'no')
  }
  expect(await allowedActions({ create }, shoot, signal)).toEqual([])
})
