import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendReview, sendReviewAgain } from '@trellis-gardener/trellis/testing'
import { definition } from './webhook.ts'

const namespace = 'shoot--garden--rose'
const deployment = (name: string, command: readonly string[]) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: { template: { spec: { containers: [{ name, command }] } } },
})

test('kube-controller-manager leaves the cloud to another program', async () => {
  const object = deployment('kube-controller-manager', ['kube-controller-manager', '--v=2'])
  const result = await sendReview(definition, { operation: 'CREATE', object })
  assert.deepEqual(
    result.object,
    deployment('kube-controller-manager', ['kube-controller-manager', '--v=2', '--cloud-provider=external']),
  )
  const again = await sendReviewAgain(definition, { object }, result)
  assert.deepEqual(again.patch, [])
})

test('other Deployments do not change', async () => {
  const object = deployment('kube-scheduler', ['kube-scheduler'])
  assert.deepEqual((await sendReview(definition, { operation: 'CREATE', object })).patch, [])
})

const nodeConfig = (command: string) => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'OperatingSystemConfig',
  metadata: { name: 'workers', namespace },
  spec: {
    purpose: 'reconcile',
    units: [{ name: 'kubelet.service', content: `[Service]\nExecStart=${command}\n` }],
  },
})

test('a kubelet waits for the cloud before its node gets pods', async () => {
  const object = nodeConfig('/opt/bin/kubelet --v=2')
  const result = await sendReview(definition, { operation: 'CREATE', object })
  assert.deepEqual(result.object, nodeConfig('/opt/bin/kubelet --v=2 \\\n    --cloud-provider=external'))
  assert.deepEqual((await sendReviewAgain(definition, { object }, result)).patch, [])
})
