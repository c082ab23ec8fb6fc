import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtInTypes, decodeProtobuf, protobufType } from '../../sandbox/kubernetes/kubernetes.ts'
import { type HttpTransport, httpTransport } from '../../shared/kubernetes/kubernetes.ts'
import { type RunningApiServer, startKubeApiServer } from './kube-apiserver.ts'
import { protobufSamples } from './protobuf-samples.ts'
import { describeWith } from './with-part.ts'

/** JSON has null for a zero time. Protobuf omits the field. */
const withoutNulls = (value: unknown): unknown => JSON.parse(JSON.stringify(value), dropNull)
const dropNull = (_: string, value: unknown): unknown => value ?? undefined

describeWith('kube', 'protobuf of kube-apiserver', programs => {
  let server: RunningApiServer
  let transport: HttpTransport
  beforeAll(async () => {
    server = await startKubeApiServer(programs)
    transport = httpTransport({ access: server.access })
    // No controller creates it, and the API server stores no pod without it.
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
    await send('POST', '/api/v1/namespaces/default/serviceaccounts', 'application/json', account)
  })
  afterAll(async () => {
    transport.close()
    await server.close()
  })
  const send = async (
    method: 'GET' | 'POST',
    path: string,
    accept: string,
    body?: object,
  ): Promise<Buffer> => {
    const answer = await transport.send({
      method,
      path,
      headers: { accept, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const chunks: Uint8Array[] = []
    for await (const chunk of answer.body) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${bytes}`)
    return bytes
  }

  test.each(
    builtInTypes
      .filter(({ kind }) => kind !== 'CustomResourceDefinition')
      .map(type => [type.kind, type] as const),
  )('of %s is read as its JSON', async (kind, { group, plural, namespaced, storageVersion }) => {
    const sample = protobufSamples[kind]
    if (sample === undefined) throw new Error(`there is no sample of ${kind}`)
    const base = group === '' ? `/api/${storageVersion}` : `/apis/${group}/${storageVersion}`
    const collection = `${base}${namespaced ? '/namespaces/default' : ''}/${plural}`
    const apiVersion = group === '' ? storageVersion : `${group}/${storageVersion}`
    const created = JSON.parse(
      String(await send('POST', collection, 'application/json', { apiVersion, kind, ...sample })),
    )
    const path = `${collection}/${created.metadata.name}`
    const json = JSON.parse(String(await send('GET', path, 'application/json')))
    expect(decodeProtobuf(await send('GET', path, protobufType))).toEqual(withoutNulls(json))
  })
})
