import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiServer, createApiServer, storeKey } from '../../sandbox/kubernetes/kubernetes.ts'
import { giveHostedZoneOf } from '../../sandbox/providers/aws/hosted-zone.ts'
import type { Aws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { relatedObjectsOf } from './related-objects.ts'
import { create, replay, saved, temporaryFiles } from './testing/replay-run.ts'

let files: Awaited<ReturnType<typeof temporaryFiles>>
beforeAll(async () => {
  files = await temporaryFiles()
})
afterAll(() => files.remove())

const resource = {
  group: 'extensions.gardener.cloud',
  version: 'v1alpha1',
  plural: 'dnsrecords',
  namespaced: true,
}

describe('real clusters and clouds', () => {
  const planted = 'planted/secret+access-key=of-replay'
  let server: ApiServer
  let aws: Aws
  let options: { readonly kubeconfig: string; readonly awsEndpoint: string }
  const closing: (() => unknown)[] = []

  beforeAll(async () => {
    const { data } = await saved(create)
    const record = { ...data, metadata: { ...data.metadata, resourceVersion: '' } }
    aws = createAws()
    giveHostedZoneOf(aws.account(), data)
    const around = relatedObjectsOf({ ...(await saved(create)) } as never, data).map(([, object]) =>
      object.kind === 'Secret'
        ? { ...object, data: { accessKeyID: btoa('AKIAPLANTED000000000'), secretAccessKey: btoa(planted) } }
        : object,
    )
    server = createApiServer({ clock: systemClock, objects: [...allCrds(), ...around, record] })
    const [kubernetes, cloud] = await Promise.all([server.listen(), aws.listen()])
    closing.push(cloud.close, kubernetes.close, server.close)
    const kubeconfig = await files.write('kubeconfig', server.kubeconfig(kubernetes.url))
    options = { kubeconfig, awsEndpoint: cloud.url }
  })
  afterAll(async () => {
    for (const close of closing) await close()
  })

  test('they receive the writes: the live object and the given AWS', async () => {
    const { ok, text } = await replay([create], options)
    expect(ok).toBe(true)
    expect(text).toContain('UPSERT A api.rose.example.com → 203.0.113.10')
    expect(text).toContain('aws         1 read, 1 write')
    expect(aws.calls.of('route53:ChangeResourceRecordSets')).toHaveLength(1)
    const kubernetes = createKubernetes({ transport: server.transport, clock: systemClock })
    const { namespace, name } = (await saved(create)).data.metadata
    const live = await kubernetes.get(resource, { name, namespace: namespace ?? '' })
    expect(live?.status).toMatchObject({ lastOperation: { state: 'Succeeded' } })
  })

  test('they are only read if the object is deleted', async () => {
    const event = await saved(create)
    const metadata = { ...event.data.metadata, name: 'another' }
    const other = {
      ...event,
      name: 'another',
      subject: `${metadata.namespace}/another`,
      data: { ...event.data, metadata },
    }
    const { ok, text } = await replay([await files.write('another.json', JSON.stringify(other))], options)
    expect(ok).toBe(true)
    expect(text).toContain('outcome     gone')
  })

  test('a health check needs no cloud, because its event has no object', async () => {
    const { data: _, datacontenttype: __, ...event } = { datacontenttype: '', ...(await saved(create)) }
    const check = {
      ...event,
      type: 'cloud.gardener.extensions.controlplane.healthcheck',
      kind: 'ControlPlane',
      provider: 'aws',
    }
    const path = await files.write('check.json', JSON.stringify(check))
    const { ok, text } = await replay([path], { kubeconfig: options.kubeconfig })
    expect(ok).toBe(true)
    expect(text).toContain('function    aws-controlplane')
    expect(text).toContain('outcome     gone')
  })

  test('the output has the error of AWS', async () => {
    const event = await saved(create)
    aws.faults.add({
      action: 'ChangeResourceRecordSets',
      effect: { kind: 'error', code: 'AccessDenied', status: 403 },
    })
    const path = await files.write('again.json', JSON.stringify(event))
    const kubernetes = createKubernetes({ transport: server.transport, clock: systemClock })
    const { namespace = '', name } = event.data.metadata
    await kubernetes.patch(
      resource,
      { name, namespace },
      {
        metadata: { annotations: { 'gardener.cloud/operation': 'reconcile' } },
        spec: { values: ['203.0.113.99'] },
      },
    )
    const { ok, text } = await replay([path], options)
    expect(ok).toBe(false)
    expect(text).toContain('→ 203.0.113.99 → AccessDenied')
    aws.faults.clear()
  })

  test('the output has no secret, even if an object contains it', async () => {
    const event = await saved(create)
    const { namespace = '', name } = event.data.metadata
    const records = server.store.collection(`${resource.plural}.${resource.group}`)
    const { object } = records.get(storeKey(namespace, name)) ?? {}
    if (object === undefined) throw new Error('there is no record')
    // No API server allows a change of a record's type.
    records.put(storeKey(namespace, name), {
      ...object,
      metadata: {
        ...object.metadata,
        generation: (object.metadata.generation ?? 0) + 1,
        annotations: {
          ...object.metadata.annotations,
          'gardener.cloud/operation': 'reconcile',
          leak: planted,
          base64: btoa(planted),
        },
      },
      spec: { ...(object.spec as object), recordType: 'TXT', values: [`key ${planted}`] },
    })
    for (const output of ['text', 'json'] as const) {
      const { text } = await replay([create], { ...options, output })
      expect(text).toContain('[redacted]')
      expect(text).not.toContain(planted)
      expect(text).not.toContain(btoa(planted))
    }
  })
})
