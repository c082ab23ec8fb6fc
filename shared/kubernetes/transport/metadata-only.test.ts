import { expect, test } from 'vitest'
import { metadataOnly } from './metadata-only.ts'
import type { TransportRequest } from './transport.ts'

test.each([
  ['/apis/x/v1/things?limit=500', 'PartialObjectMetadataList'],
  ['/apis/x/v1/things', 'PartialObjectMetadataList'],
  ['/apis/x/v1/things?watch=true&resourceVersion=1', 'PartialObjectMetadata'],
])('%s is requested as %s, or else as JSON', async (path, kind) => {
  const sent: TransportRequest[] = []
  const transport = metadataOnly(async request => {
    sent.push(request)
    return { status: 200, headers: {}, body: (async function* () {})() }
  })
  await transport({ method: 'GET', path, headers: { accept: 'application/json', 'x-other': 'a' } })
  expect(sent[0]?.headers).toEqual({
    accept: `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`,
    'x-other': 'a',
  })
})
