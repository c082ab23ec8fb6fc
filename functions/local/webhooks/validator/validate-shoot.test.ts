import { describe, expect, test } from 'vitest'
import { sendReview } from '../../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { definition } from './webhook.ts'

const shootWith = (nodes?: unknown, spec: object = {}): KubernetesObject => ({
  apiVersion: 'core.gardener.cloud/v1beta1',
  kind: 'Shoot',
  metadata: { name: 'rose', namespace: 'garden-dev' },
  spec: { networking: { nodes }, provider: { workers: [{ name: 'a' }] }, ...spec },
})
const selfHosted = { provider: { workers: [{ name: 'a', controlPlane: {} }] } }

const messageOf = async (object: KubernetesObject, oldObject?: KubernetesObject) => {
  const review = oldObject ? { operation: 'UPDATE', object, oldObject } : { operation: 'CREATE', object }
  return (await sendReview(definition, review as Parameters<typeof sendReview>[1])).message
}

describe('the nodes of a new Shoot', () => {
  test.each<[unknown, object]>([
    ['10.0.0.0/24', {}],
    ['10.0.0.0/16', {}],
    ['10.0.3.7/24', {}],
    ['fd00:10:1:100::/64', {}],
    ['172.18.0.0/24', selfHosted],
    ['fd00:10::/64', selfHosted],
    ['10.0.0.0/24', { ...selfHosted, credentialsBindingName: 'a' }],
    ['10.0.0.0/24', { ...selfHosted, secretBindingName: 'a' }],
    [undefined, { provider: { workers: [] } }],
    ['192.168.0.0/24', { provider: {} }],
  ])('may be %s with %j', async (nodes, spec) => {
    expect(await messageOf(shootWith(nodes, spec))).toBeUndefined()
  })

  test.each<[unknown, object, string]>([
    ['192.168.0.0/24', {}, 'Invalid value: "192.168.0.0/24": expected a CIDR inside 10.0.0.0/16'],
    ['10.0.0.0/15', {}, 'Invalid value: "10.0.0.0/15": expected a CIDR inside 10.0.0.0/16'],
    ['10.1.0.0/24', {}, 'expected a CIDR inside 10.0.0.0/16'],
    ['fd00:20:1:100::/64', {}, 'expected a CIDR inside fd00:10:1:100::/56'],
    ['fd00:10:1::/48', {}, 'expected a CIDR inside fd00:10:1:100::/56'],
    ['::ffff:10.0.0.0/120', {}, 'expected a CIDR inside fd00:10:1:100::/56'],
    ['10.0.0.0/24', selfHosted, 'expected a CIDR inside 172.18.0.0/24'],
    ['fd00:20::/64', selfHosted, 'expected a CIDR inside fd00:10::/64'],
    [undefined, {}, 'Required value: expected a range of nodes, found nothing'],
    ['not-a-cidr', {}, 'expected a CIDR such as 10.0.0.0/16'],
    ['10.0.0.0', {}, 'expected a CIDR such as 10.0.0.0/16'],
    ['10.0.0.0/33', {}, 'expected a CIDR such as 10.0.0.0/16'],
    ['10.0.0.0/024', {}, 'expected a CIDR such as 10.0.0.0/16'],
    ['fd00:10:1:100::%eth0/64', {}, 'expected a CIDR such as 10.0.0.0/16'],
    [7, {}, 'expected a string'],
  ])('must not be %s with %j', async (nodes, spec, message) => {
    const refused = await messageOf(shootWith(nodes, spec))
    expect(refused).toMatch(/^spec\.networking\.nodes: /)
    expect(refused).toContain(message)
  })
})

describe('an update', () => {
  test('of other fields is allowed with any nodes', async () => {
    const before = shootWith('192.168.0.0/24')
    expect(await messageOf(shootWith('192.168.0.0/24', { region: 'b' }), before)).toBeUndefined()
    expect(await messageOf(shootWith(null), shootWith())).toBeUndefined()
  })

  test('of the nodes is judged as a new range', async () => {
    expect(await messageOf(shootWith('10.0.1.0/24'), shootWith('10.0.0.0/24'))).toBeUndefined()
    expect(await messageOf(shootWith('192.168.0.0/24'), shootWith('10.0.0.0/24'))).toContain(
      'inside 10.0.0.0/16',
    )
    expect(await messageOf(shootWith(), shootWith('10.0.0.0/24'))).toContain('found nothing')
  })

  test('of a Shoot in deletion is allowed', async () => {
    const shoot = shootWith('192.168.0.0/24')
    const deleted = { ...shoot, metadata: { ...shoot.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
    expect(await messageOf(deleted)).toBeUndefined()
  })
})
