import { expect, test } from 'vitest'
import { deploymentOf } from '../../deployment.ts'
import { logObjects } from './log-objects.ts'

test('fluent-bit finds the parsers and filters of the processes by label, each with its own name', () => {
  const objects = logObjects(deploymentOf()).map(({ object }) => object)
  expect(objects.map(({ kind }) => kind)).toContain('ClusterFilter')
  for (const { metadata } of objects)
    expect(metadata.labels, metadata.name).toMatchObject({ 'fluentbit.gardener/type': 'seed' })
  expect(new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size).toBe(objects.length)
})
