import { expect, test } from 'vitest'
import { done } from '../../../shared/lifecycle/lifecycle.ts'
import { defineFunction, type FunctionOptions } from '../../../shared/runtime/define-function.ts'
import { deploymentOf } from '../../deployment.ts'
import { logObjects } from './log-objects.ts'

const functionWith = (name: string, logs?: FunctionOptions<'ControlPlane', never, unknown>['logs']) =>
  defineFunction({
    name,
    kind: 'ControlPlane',
    type: name,
    ...(logs && { logs }),
    create: () => ({ reconcile: async () => done(), remove: async () => done() }),
  })

const objectsOf = (...functions: readonly ReturnType<typeof functionWith>[]) =>
  logObjects(deploymentOf({ name: 'trellis-a', functions, mode: 'seed-process' }))
    .map(({ object }) => object)
    .filter(({ metadata }) => !/^trellis-a-(?:bridge|parser)$/.test(metadata.name))

const labels = { 'fluentbit.gardener/type': 'seed', 'fluentbit.gardener.cloud/type': 'seed' }
const manager = { pod: 'manager', container: 'acme-manager', format: 'klog' } as const

test('components of functions have a filter each, and a parser for each format', () => {
  const objects = objectsOf(
    functionWith('a', [manager, { pod: 'driver', container: 'acme', format: 'klog' }]),
    functionWith('b', [manager]),
    functionWith('c'),
  )
  expect(objects.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([
    ['ClusterParser', 'trellis-a-klog-parser'],
    ['ClusterFilter', 'trellis-a-manager--acme-manager'],
    ['ClusterFilter', 'trellis-a-driver--acme'],
  ])
  expect(objects.map(({ metadata }) => metadata.labels)).toEqual([labels, labels, labels])
  expect(objects[1]?.spec).toEqual({
    match: 'kubernetes.*manager*acme-manager*',
    filters: [{ parser: { keyName: 'log', parser: 'trellis-a-klog-parser', reserveData: true } }],
  })
})

test('fields of JSON lines are renamed', () => {
  const [, filter] = objectsOf(functionWith('a', [{ ...manager, format: 'json' }]))
  expect(filter?.spec).toMatchObject({
    filters: [
      { parser: { parser: 'trellis-a-json-parser' } },
      {
        modify: {
          rules: [
            { rename: { level: 'severity' } },
            { rename: { msg: 'log' } },
            { rename: { logger: 'source' } },
          ],
        },
      },
    ],
  })
})

test('functions without components have none', () => {
  expect(objectsOf(functionWith('a'))).toEqual([])
})

test('fluent-bit finds the parsers and filters of the processes by label, each with its own name', () => {
  const objects = logObjects(deploymentOf()).map(({ object }) => object)
  expect(objects.map(({ kind }) => kind)).toContain('ClusterFilter')
  for (const { metadata } of objects) expect(metadata.labels, metadata.name).toEqual(labels)
  expect(new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size).toBe(objects.length)
})
