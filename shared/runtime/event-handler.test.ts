import { expect, test } from 'vitest'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../clock/clock.ts'
import { annotations } from '../contract/constants.ts'
import { allCrds } from '../contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../contract/kinds.ts'
import { sampleEvent } from '../events/testing/sample-event.ts'
import { successful } from '../health/health.ts'
import {
  createKubernetes,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
} from '../kubernetes/kubernetes.ts'
import { done } from '../lifecycle/lifecycle.ts'
import { defineFunction } from './define-function.ts'
import { eventHandler } from './wire-function.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const key = { name: 'it', namespace: 'shoot--a--b' }
const { resource } = kinds.ControlPlane

/**
 * A ControlPlane with steps and checks that the test releases, and a record of the writes that the API server refused.
 */
const newHandler = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.250Z'))
  const server = createApiServer({ clock, objects: allCrds(), deletionProtection: false })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  await kubernetes.create(
    { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: key.namespace } },
  )
  await kubernetes.create(clusterKind.resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: key.namespace },
    spec: { cloudProfile: {}, seed: {}, shoot: {} },
  })
  await kubernetes.create(resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'ControlPlane',
    metadata: { ...key, annotations: { [annotations.operation]: 'reconcile' } },
    spec: { type: 'acme', region: 'a', secretRef: { name: 'cloudprovider', namespace: key.namespace } },
  })
  let refused = 0
  const counting: Kubernetes = {
    ...kubernetes,
    patch: async (...args) => {
      try {
        return await kubernetes.patch(...args)
      } catch (error) {
        if (error instanceof KubernetesError && error.status === 409) refused++
        throw error
      }
    },
  }
  const step = Promise.withResolvers<void>()
  const check = Promise.withResolvers<void>()
  const began = { step: Promise.withResolvers<void>(), check: Promise.withResolvers<void>() }
  const definition = defineFunction({
    name: 'acme-controlplane',
    kind: 'ControlPlane',
    type: 'acme',
    ignoresSecret: true,
    health: {
      conditions: [
        {
          type: 'ControlPlaneHealthy',
          checks: [
            {
              name: 'it',
              run: async () => {
                began.check.resolve()
                await check.promise
                return successful
              },
            },
          ],
        },
      ],
    },
    create: () => ({
      reconcile: async ({ saveStatus }) => {
        began.step.resolve()
        await step.promise
        await saveStatus({ providerStatus: { made: 1 } })
        return done({ providerStatus: { made: 2 } })
      },
      remove: async () => done(),
    }),
  })
  const handle = eventHandler(definition, {}, { kubernetes: counting, clock, log: silent })
  const event = { ...sampleEvent, ...key, kind: 'ControlPlane', provider: 'acme' } as const
  const { signal } = new AbortController()
  return {
    clock,
    began,
    finishStep: step.resolve,
    finishCheck: check.resolve,
    runStep: () => handle({ ...event, operation: 'reconcile' }, signal),
    runCheck: () => handle({ ...event, operation: 'healthcheck' }, signal),
    refused: () => refused,
    status: async () =>
      (await kubernetes.get(resource, key))?.status as {
        readonly conditions?: readonly KubernetesObject[]
        readonly lastOperation?: { readonly state?: string }
      },
  }
}

test('a check that ends during a step writes after the step, and both writes succeed', async () => {
  const handler = await newHandler()
  const stepping = handler.runStep()
  await handler.began.step.promise
  const checking = handler.runCheck()
  handler.finishCheck()
  await handler.began.check.promise
  await new Promise(resolve => setImmediate(resolve))
  handler.finishStep()
  expect(await stepping).toEqual({ kind: 'recorded', how: 'succeeded' })
  expect(await checking).toEqual({ kind: 'recorded', how: 'checked' })
  expect(handler.refused()).toBe(0)
  expect(await handler.status()).toMatchObject({
    lastOperation: { state: 'Succeeded' },
    conditions: [{ type: 'ControlPlaneHealthy', status: 'True' }],
  })
})

test('a check that began before a step writes after the step, and both writes succeed', async () => {
  const handler = await newHandler()
  const checking = handler.runCheck()
  await handler.began.check.promise
  const stepping = handler.runStep()
  await handler.began.step.promise
  handler.finishCheck()
  await new Promise(resolve => setImmediate(resolve))
  handler.finishStep()
  expect(await stepping).toEqual({ kind: 'recorded', how: 'succeeded' })
  expect(await checking).toEqual({ kind: 'recorded', how: 'checked' })
  expect(handler.refused()).toBe(0)
})

test('a check waits for a step no longer than its limit', async () => {
  const handler = await newHandler()
  const stepping = handler.runStep()
  await handler.began.step.promise
  const checking = handler.runCheck()
  handler.finishCheck()
  await handler.began.check.promise
  await new Promise(resolve => setImmediate(resolve))
  await handler.clock.advance(15_000)
  expect(await checking).toEqual({ kind: 'recorded', how: 'checked' })
  handler.finishStep()
  expect(await stepping).toEqual({ kind: 'recorded', how: 'succeeded' })
})
